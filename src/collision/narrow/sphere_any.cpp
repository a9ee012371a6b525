#include "collision/narrow/pairs.hpp"

namespace scree {

SurfaceDistance sphere_separation(const Sphere& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b) {
  if (const Sphere* other = std::get_if<Sphere>(&b)) {
    const Vec3 apart = pose_b.position - pose_a.position;
    const double distance = norm(apart);
    return {distance - (a.radius + other->radius), distance > 0 ? apart / distance : Vec3{0, 0, 1}};
  }
  const SurfaceDistance surface = signed_distance(b, pose_b, pose_a.position);
  return {surface.distance - a.radius, -surface.normal};
}

Manifold sphere_points(const Sphere& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       double margin) {
  const auto [gap, normal] = sphere_separation(a, pose_a, b, pose_b);
  if (gap >= margin) return {};
  Vec3 point = pose_a.position + (a.radius + 0.5 * gap) * normal;
  if (const Sphere* other = std::get_if<Sphere>(&b))  // the same bits if A and B are swapped
    point =
        0.5 * ((pose_a.position + a.radius * normal) + (pose_b.position - other->radius * normal));
  Manifold manifold;
  manifold.points[manifold.count++] = {0, point, normal, gap};
  return manifold;
}

}  // namespace scree
