#include "collision/narrow/cylinder_sides.hpp"
#include "collision/narrow/manifold_reduction.hpp"
#include "collision/narrow/pairs.hpp"

namespace scree {

SurfaceDistance half_space_separation(const Pose& pose_a, const Cylinder& b, const Pose& pose_b) {
  const Vec3 normal = rotate(pose_a.orientation, {0, 0, 1});
  const PlacedCylinder cylinder(b, pose_b.position - pose_a.position, pose_b.orientation);
  return {cylinder.lowest(normal), normal};
}

Manifold half_space_points(const Pose& pose_a, const Cylinder& b, const Pose& pose_b,
                           double margin) {
  const Vec3 normal = rotate(pose_a.orientation, {0, 0, 1});
  const PlacedCylinder cylinder(b, pose_b.position - pose_a.position, pose_b.orientation);
  Candidates candidates(0);
  for (const auto& [feature, position] : RimPoints(cylinder, normal))
    if (const double gap = dot(normal, position); gap < margin)
      candidates.add(feature, pose_a.position + position - 0.5 * gap * normal, gap);
  return candidates.reduced_manifold(normal, margin);
}

}  // namespace scree
