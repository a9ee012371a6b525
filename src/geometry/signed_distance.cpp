#include <algorithm>

#include "scree/geometry/shape.hpp"

namespace scree {
namespace {

/// v over its length l, or `otherwise` where v vanishes.
Vec3 direction(const Vec3& v, double l, const Vec3& otherwise) { return l > 0 ? v / l : otherwise; }

struct Distance {
  Vec3 p;

  SurfaceDistance operator()(const Sphere& s) const {
    const double l = norm(p);
    return {l - s.radius, direction(p, l, {0, 0, 1})};
  }

  SurfaceDistance operator()(const HalfSpace&) const { return {p.z, {0, 0, 1}}; }

  SurfaceDistance operator()(const Box& b) const {
    const Vec3 beyond{std::abs(p.x) - b.half_extent.x, std::abs(p.y) - b.half_extent.y,
                      std::abs(p.z) - b.half_extent.z};
    const Vec3 sign{std::copysign(1, p.x), std::copysign(1, p.y), std::copysign(1, p.z)};
    const double deepest = std::max({beyond.x, beyond.y, beyond.z});
    if (deepest > 0) {  // outside: away from the nearest point of the surface
      const Vec3 out{sign.x * std::max(beyond.x, 0.0), sign.y * std::max(beyond.y, 0.0),
                     sign.z * std::max(beyond.z, 0.0)};
      const double l = norm(out);
      return {l, out / l};
    }
    if (beyond.x == deepest) return {deepest, {sign.x, 0, 0}};
    if (beyond.y == deepest) return {deepest, {0, sign.y, 0}};
    return {deepest, {0, 0, sign.z}};
  }

  SurfaceDistance operator()(const Cylinder& c) const {
    const double l = std::hypot(p.x, p.y);
    const Vec3 radial = direction({p.x, p.y, 0}, l, {1, 0, 0});
    const Vec3 axial{0, 0, std::copysign(1, p.z)};
    const double side = l - c.radius, cap = std::abs(p.z) - c.half_length;
    if (side > 0 && cap > 0) {  // beyond the rim
      const double rim = std::hypot(side, cap);
      return {rim, side / rim * radial + cap / rim * axial};
    }
    return side > cap ? SurfaceDistance{side, radial} : SurfaceDistance{cap, axial};
  }

  SurfaceDistance operator()(const Capsule& c) const {
    const Vec3 from_axis{p.x, p.y, p.z - std::clamp(p.z, -c.half_length, c.half_length)};
    const double l = norm(from_axis);
    return {l - c.radius, direction(from_axis, l, {1, 0, 0})};
  }
};

}  // namespace

SurfaceDistance signed_distance(const Shape& shape, const Vec3& point) {
  return std::visit(Distance{point}, shape);
}

SurfaceDistance signed_distance(const Shape& shape, const Pose& pose, const Vec3& point) {
  const SurfaceDistance local =
      signed_distance(shape, rotate_back(pose.orientation, point - pose.position));
  return {local.distance, rotate(pose.orientation, local.normal)};
}

}  // namespace scree
