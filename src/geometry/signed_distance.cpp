/// Signed distance of a point from each shape.
#include <algorithm>
#include <limits>

#include "geometry/superellipsoid.hpp"
#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/shape.hpp"
#include "scree/geometry/triangle_mesh.hpp"

namespace scree {
namespace {

/// Unit vector v / l with the length l of v, or `otherwise` if v is zero.
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

  /// Distance in the half plane of the axis and the point, from a trapezium whose foot is the axis.
  SurfaceDistance operator()(const Frustum& f) const {
    const double l = std::hypot(p.x, p.y), length = f.top - f.bottom,
                 widening = f.top_radius - f.bottom_radius, slant = std::hypot(length, widening);
    const Vec3 radial = direction({p.x, p.y, 0}, l, {1, 0, 0});
    const auto out = [&](double r, double z) { return r * radial + Vec3{0, 0, z}; };
    // Coordinates along the side from its lower end, and away from it.
    const double r = l - f.bottom_radius, z = p.z - f.bottom;
    const double along = (r * widening + z * length) / slant,
                 outside = (r * length - z * widening) / slant;
    const double below = f.bottom - p.z, above = p.z - f.top;
    if (outside <= 0 && below <= 0 && above <= 0) {
      const double deepest = std::max({outside, below, above});
      if (deepest == below) return {below, {0, 0, -1}};
      if (deepest == above) return {above, {0, 0, 1}};
      return {outside, out(length / slant, -widening / slant)};
    }
    if (below > 0 && l <= f.bottom_radius) return {below, {0, 0, -1}};
    if (above > 0 && l <= f.top_radius) return {above, {0, 0, 1}};
    if (along >= 0 && along <= slant && outside > 0)
      return {outside, out(length / slant, -widening / slant)};
    const bool at_bottom = along < slant / 2;
    const double dr = l - (at_bottom ? f.bottom_radius : f.top_radius),
                 dz = p.z - (at_bottom ? f.bottom : f.top), distance = std::hypot(dr, dz);
    return {distance, out(dr / distance, dz / distance)};
  }

  SurfaceDistance operator()(const Superellipsoid& s) const { return scree::signed_distance(s, p); }

  SurfaceDistance operator()(const Polyhedron& polyhedron) const {
    const auto [distance, normal] = polyhedron.hull->signed_distance(p / polyhedron.scale);
    return {polyhedron.scale * distance, normal};
  }

  SurfaceDistance operator()(const Mesh& m) const {
    const auto [distance, normal] = m.mesh->signed_distance(p / m.scale);
    return {m.scale * distance, normal};
  }

  /// Distance in the half plane of the axis and the point, from segments.
  SurfaceDistance operator()(const Hollow& h) const {
    const double l = std::hypot(p.x, p.y);
    const Vec3 radial = direction({p.x, p.y, 0}, l, {1, 0, 0});
    const double length = h.top - h.bottom, widening = h.top_radius - h.bottom_radius;
    const double along = std::clamp(((p.z - h.bottom) * length + (l - h.bottom_radius) * widening) /
                                        (length * length + widening * widening),
                                    0.0, 1.0);
    double across = l - (h.bottom_radius + along * widening),
           above = p.z - (h.bottom + along * length);
    double distance = std::hypot(across, above);
    const auto try_disc = [&](bool closed, double radius, double z) {
      const double beyond = std::max(0.0, l - radius), apart = std::hypot(beyond, p.z - z);
      if (!closed || apart >= distance) return;
      distance = apart;
      across = beyond;
      above = p.z - z;
    };
    try_disc(h.closed_bottom, h.bottom_radius, h.bottom);
    try_disc(h.closed_top, h.top_radius, h.top);
    const double slant = std::hypot(length, widening);
    if (distance == 0) return {0, -length / slant * radial + Vec3{0, 0, widening / slant}};
    return {distance, across / distance * radial + Vec3{0, 0, above / distance}};
  }

  SurfaceDistance operator()(const Clump& c) const {
    SurfaceDistance nearest{std::numeric_limits<double>::infinity(), {}};
    for (const ClumpPart& part : c.parts->parts()) {
      const SurfaceDistance of_part = scree::signed_distance(part.shape, part.pose, p / c.scale);
      if (of_part.distance < nearest.distance) nearest = of_part;
    }
    return {c.scale * nearest.distance, nearest.normal};
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
