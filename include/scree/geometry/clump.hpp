/// Clumps: rigid unions of convex shapes, with their mass properties.
///
/// Space where parts overlap counts once. Parts that are apart: volume, centre of mass and inertia
/// are sums. Overlapping spheres: the union is cut into slices. The moments of a union of discs are
/// known in closed form; they are integrated over height, between the heights where the set of
/// overlapping discs changes, to 1e-12. Other overlapping parts: faces hidden by other parts are
/// left out. This is exact for boxes and polyhedra. Curved parts are approximated by polyhedra with
/// 32 and 64 corners around and extrapolated; an error of a few 1e-5 of the shared volume remains.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// Part of a clump, with its pose in the clump's frame.
struct ClumpPart {
  Shape shape;  ///< convex, of finite volume
  Pose pose;
};

/// Parts in the clump's frame: origin at the centre of mass of their union, axes along its
/// principal axes, scaled so that the farthest point is at distance 1.
class ClumpParts {
 public:
  std::span<const ClumpPart> parts() const { return parts_; }
  /// Distance of each part's farthest point from the origin of the part's frame [-].
  std::span<const double> reaches() const { return reaches_; }
  /// Indices of the parts whose bounding spheres overlap that of part k.
  std::span<const std::uint16_t> covers(std::size_t k) const { return covers_[k]; }
  double radius() const { return radius_; }  ///< of the bounding sphere: 1 to rounding [-]
  double volume() const { return volume_; }  ///< of the union [-]
  Vec3 inertia() const { return inertia_; }  ///< for density 1 [-]
  double inscribed_radius() const {
    return inscribed_radius_;
  }  ///< minimum of the parts' inscribed radii [-]
  /// Number of parts that touch any convex shape in one point: spheres and superellipsoids.
  std::uint32_t round_parts() const { return round_parts_; }
  std::span<const std::shared_ptr<const ConvexHull>> hulls() const { return hulls_; }

 private:
  friend std::shared_ptr<const ClumpParts> clump_of_parts(
      std::vector<ClumpPart> parts, std::vector<std::shared_ptr<const ConvexHull>> hulls,
      double volume, const Vec3& inertia);
  std::vector<ClumpPart> parts_;
  std::vector<double> reaches_;
  std::vector<std::vector<std::uint16_t>> covers_;
  std::vector<std::shared_ptr<const ConvexHull>> hulls_;
  double radius_ = 0, volume_ = 0, inscribed_radius_ = 0;
  Vec3 inertia_;
  std::uint32_t round_parts_ = 0;
};

/// Clump, and its pose in the frame in which its parts were given.
struct PlacedClump {
  std::shared_ptr<const ClumpParts> clump;
  double size;  ///< bounding radius about the centre of mass [m]: the clump's lengths times it
  Pose pose;    ///< of the clump's frame in that of the parts
};
inline constexpr std::size_t kMaxClumpParts = 1000;
/// Union of the parts [m]; `hulls` owns the hulls of polyhedra among them. Throws
/// std::invalid_argument with the reason if there are no parts or too many, if one is not convex or
/// has no finite volume, or if too many overlap to compute the mass within seconds.
PlacedClump clump_of(std::vector<ClumpPart> parts,
                     std::vector<std::shared_ptr<const ConvexHull>> hulls);

/// Clump from parts(), volume() and inertia() of another, as read from a file. Throws
/// std::invalid_argument if a part is not convex or has no finite volume.
std::shared_ptr<const ClumpParts> clump_of_parts(
    std::vector<ClumpPart> parts, std::vector<std::shared_ptr<const ConvexHull>> hulls,
    double volume, const Vec3& inertia);

}  // namespace scree
