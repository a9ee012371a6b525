/// Clumps: rigid unions of convex shapes, with their mass properties.
///
/// Where parts overlap, space counts once. Volume, centre of mass and inertia of parts that are
/// apart are sums. Spheres that overlap are cut into slices: the moments of the union of discs in a
/// slice are known in closed form, and are integrated over the height, between the heights where
/// the discs meet anew, to 1e-12. Of other parts that overlap, what lies inside of others is
/// counted once, by the faces that others hide: exact of boxes and polyhedra. What is curved is
/// seen as polyhedra of 32 and 64 corners around, and extrapolated; a few 1e-5 of the shared volume
/// are left.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// A part as it stands in the frame of its clump.
struct ClumpPart {
  Shape shape;  ///< convex, of finite volume
  Pose pose;
};

/// Parts about the centre of mass of their union, along its principal axes, the farthest point at 1
/// from it.
class ClumpParts {
 public:
  std::span<const ClumpPart> parts() const { return parts_; }
  /// No point of a part is farther from the origin of its frame [-].
  std::span<const double> reaches() const { return reaches_; }
  /// Parts whose bounding spheres overlap that of part k, by their numbers.
  std::span<const std::uint16_t> covers(std::size_t k) const { return covers_[k]; }
  double radius() const { return radius_; }           ///< of the bounding sphere: 1 to rounding [-]
  double volume() const { return volume_; }           ///< of the union [-]
  Vec3 inertia() const { return inertia_; }           ///< for density 1 [-]
  double inscribed_radius() const { return inner_; }  ///< least of the parts' inner radii [-]
  /// Parts that touch any convex shape in one point: spheres and superellipsoids.
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
  double radius_ = 0, volume_ = 0, inner_ = 0;
  Vec3 inertia_;
  std::uint32_t round_parts_ = 0;
};

/// A clump, and where it stands in the frame in which its parts were given.
struct PlacedClump {
  std::shared_ptr<const ClumpParts> clump;
  double size;  ///< bounding radius about the centre of mass [m]: the clump's lengths times it
  Pose pose;    ///< of the clump's frame in that of the parts
};
inline constexpr std::size_t kMaxClumpParts = 1000;
/// The union of the parts [m]; `hulls` are those that polyhedra among them point to. Throws
/// std::invalid_argument that says why if there are no parts or too many, if one is not convex and
/// of finite volume, or if so many overlap that their mass would take more than some seconds.
PlacedClump clump_of(std::vector<ClumpPart> parts,
                     std::vector<std::shared_ptr<const ConvexHull>> hulls);

/// What parts(), volume() and inertia() of another describe, as from a file. Throws
/// std::invalid_argument if a part is not convex and of finite volume.
std::shared_ptr<const ClumpParts> clump_of_parts(
    std::vector<ClumpPart> parts, std::vector<std::shared_ptr<const ConvexHull>> hulls,
    double volume, const Vec3& inertia);

}  // namespace scree
