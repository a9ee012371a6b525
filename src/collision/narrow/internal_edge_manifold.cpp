/// Manifold for sliding over a seam. Our own: docs/theory/time_stepping.md, Seams.
#include <algorithm>
#include <cmath>
#include <variant>

#include "scree/collision/contact_points.hpp"

namespace scree {
namespace {

/// True if a shape has a face to slide on, and an edge of it to catch on.
bool has_edges(const Shape& shape) {
  return !std::holds_alternative<Sphere>(shape) && !std::holds_alternative<Superellipsoid>(shape) &&
         !std::holds_alternative<HalfSpace>(shape);
}

}  // namespace

std::optional<Manifold> internal_edge_manifold(const Shape& a, const Pose& pose_a,
                                               const Twist& twist_a, const Shape& b,
                                               const Pose& pose_b, const Twist& twist_b,
                                               const Manifold& start, double margin, double h,
                                               const SeamTest& test) {
  constexpr double kOverlapOverSeam = 0.01;  // fraction of the smaller body
  constexpr double kMaxCosineInPlane = 0.1, kMaxCosineOfNormals = 0.9;  // cosines
  if (!has_edges(a) || !has_edges(b)) return {};
  const auto velocity = [&](const ContactPoint& p) {  // velocity of A relative to B
    return velocity_at(pose_a, twist_a, p.point) - velocity_at(pose_b, twist_b, p.point);
  };
  const auto end = start.points.begin() + start.count;
  const auto met = std::find_if(start.points.begin(), end, [&](const ContactPoint& p) {
    return h * dot(velocity(p), p.normal) > std::max(0.0, p.gap - test.level);
  });
  if (met == end) return {};
  const Vec3 sliding = velocity(*met) + test.fall;
  const double speed = norm(sliding), closing = dot(sliding, met->normal);
  if (!(closing > test.slow)) return {};
  // With A moved a little over B, the shortest separation is back to the plane.
  const double to_edge = met->gap > test.level ? met->gap / closing * speed : 0;
  const double over = kOverlapOverSeam * std::min(bounding_radius(a), bounding_radius(b));
  const Vec3 displacement = (to_edge + over) / speed * sliding;
  Manifold manifold =
      contact_points(a, {pose_a.position + displacement, pose_a.orientation}, b, pose_b, margin);
  if (manifold.count == 0) return {};
  const Vec3 n = manifold.points[0].normal;
  const bool is_other = std::abs(dot(n, met->normal)) <= kMaxCosineOfNormals;
  if (!is_other || !(std::abs(dot(n, displacement)) <= kMaxCosineInPlane * norm(displacement)))
    return {};
  const double apart =
      dot(n, pose_b.position - pose_a.position) - support(a, pose_a, n) - support(b, pose_b, -n);
  if (!(std::abs(apart) <= test.level)) return {};
  for (int k = 0; k < manifold.count; ++k) {
    ContactPoint& c = manifold.points[k];
    c.point -= 0.5 * displacement;
    c.gap += dot(n, displacement);
  }
  return manifold;
}

}  // namespace scree
