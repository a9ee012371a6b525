/// Places of a surface near a point: what touches_of_sphere() and its kin share.
#pragma once

#include <span>

#include "scree/collision/surface_contacts.hpp"
#include "scree/geometry/triangle_mesh.hpp"

namespace scree {

/// Closer than that, of a sphere's radius, two places are one [-].
inline constexpr double kSameTouch = 1e-5;

/// Of any number of touches: the nearest, and then again and again the one whose normal is farthest
/// from those that are kept.
SurfaceTouches well_spread(std::span<SurfaceTouch> touches);

/// Facets of a mesh near a point, with which places near it are found without the tree. One at a
/// time in a thread.
class MeshNeighbourhood {
 public:
  /// Facets closer to p than that, in the mesh's own lengths.
  MeshNeighbourhood(const TriangleMesh& mesh, const Vec3& p, double distance);

  /// Places of least distance from p, closer to it than `distance`; `size` is the sphere's radius.
  SurfaceTouches touches(const Vec3& p, double distance, double size) const;
  std::span<const std::uint32_t> facets() const { return facets_; }

 private:
  const TriangleMesh& mesh_;
  std::span<const std::uint32_t> facets_;
};

}  // namespace scree
