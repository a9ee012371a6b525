/// Rays against shapes. A ray is inside a convex solid over one interval of distances, which is the
/// intersection of those of its half-spaces and quadrics.
#include "scree/geometry/ray.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "geometry/superellipsoid.hpp"
#include "scree/core/infinity.hpp"
#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/triangle_mesh.hpp"

namespace scree {
namespace {

Vec3 point_at(const Ray& ray, double distance) { return ray.origin + distance * ray.direction; }

/// Distances between which a ray is inside a convex solid, and the normal where it enters.
struct Inside {
  double enters = -kInfinity, leaves = kInfinity;
  Vec3 normal{};

  void enter(double at, const Vec3& n) {
    if (at <= enters) return;
    enters = at;
    normal = n;
  }
  void leave(double at) { leaves = std::min(leaves, at); }
  /// Removes points above a plane with normal·x = offset.
  void clip(const Ray& ray, const Vec3& n, double offset) {
    const double speed = dot(n, ray.direction), height = dot(n, ray.origin) - offset;
    if (speed < 0) enter(-height / speed, n);
    if (speed > 0) leave(-height / speed);
    if (speed == 0 && height > 0) leaves = -kInfinity;
  }
  RayHit hit() const {
    if (!(enters >= 0 && enters <= leaves)) return {};
    return {enters, normal};
  }
};

/// Roots of a t² + 2 b t + c, in rising order; none if they are not real or a is 0.
std::optional<std::array<double, 2>> roots(double a, double b, double c) {
  const double discriminant = b * b - a * c;
  if (a == 0 || !(discriminant >= 0)) return {};
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));  // no cancellation
  if (q == 0) return {{0, 0}};
  return {{std::min(q / a, c / q), std::max(q / a, c / q)}};
}

/// Side of a cone about z: the square of the distance from the axis less that of the radius, along
/// a ray, is a t² + 2 b t + c.
struct ConeSide {
  double bottom_radius, bottom, slope;  ///< radius at a height, and its increase [m/m]

  double radius(double z) const { return bottom_radius + slope * (z - bottom); }
  std::array<double, 3> coefficients(const Ray& ray) const {
    const Vec3 &o = ray.origin, &d = ray.direction;
    const double r = radius(o.z), dr = slope * d.z;
    return {d.x * d.x + d.y * d.y - dr * dr, o.x * d.x + o.y * d.y - r * dr,
            o.x * o.x + o.y * o.y - r * r};
  }
  Vec3 normal(const Vec3& p) const {
    const Vec3 out{p.x, p.y, -slope * radius(p.z)};
    const double length = norm(out);
    return length > 0 ? out / length : Vec3{0, 0, slope > 0 ? -1.0 : 1.0};
  }
};
ConeSide side_of(double bottom_radius, double top_radius, double bottom, double top) {
  return {bottom_radius, bottom, (top_radius - bottom_radius) / (top - bottom)};
}

/// Clips a ray that is already between the ends of a cone by its side.
void clip_by_side(Inside& inside, const Ray& ray, const ConeSide& side) {
  const auto [a, b, c] = side.coefficients(ray);
  const auto enter = [&](double at) { inside.enter(at, side.normal(point_at(ray, at))); };
  if (const auto cut = roots(a, b, c)) {
    const auto [first, second] = *cut;
    if (a > 0) {
      enter(first);
      inside.leave(second);
    } else if (first >= inside.enters) {
      inside.leave(first);  // the ray is in this half of the double cone
    } else {
      enter(second);
    }
  } else if (a == 0 && b != 0) {
    const double at = -c / (2 * b);
    b < 0 ? enter(at) : inside.leave(at);
  } else if (c > 0 || a > 0) {
    inside.leave(-kInfinity);
  }
}

RayHit nearer(const RayHit& a, const RayHit& b) { return b.distance < a.distance ? b : a; }

/// Plane disc across z, seen from both sides.
RayHit cast_on_disc(const Ray& ray, double radius, double z) {
  const double distance = (z - ray.origin.z) / ray.direction.z;
  if (!(distance >= 0) || !std::isfinite(distance)) return {};
  const Vec3 p = point_at(ray, distance);
  if (std::hypot(p.x, p.y) > radius) return {};
  return {distance, {0, 0, ray.direction.z < 0 ? 1.0 : -1.0}};
}

/// Triangle of a mesh. Neighbours have the same products with opposite signs at their common edge,
/// so no ray passes between them.
RayHit cast_on_facet(const Ray& ray, const TriangleMesh::Facet& facet, Sides sides) {
  const double speed = dot(ray.direction, facet.normal);
  if (speed == 0 || (speed > 0 && sides == Sides::one)) return {};
  std::array<Vec3, 3> to;
  for (std::size_t k = 0; k < 3; ++k) to[k] = facet.corner[k] - ray.origin;
  bool positive = false, negative = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const double edge = dot(ray.direction, cross(to[k], to[(k + 1) % 3]));
    positive = positive || edge > 0;
    negative = negative || edge < 0;
  }
  const double distance = dot(to[0], facet.normal) / speed;
  if ((positive && negative) || !(distance >= 0)) return {};
  return {distance, speed < 0 ? facet.normal : -facet.normal};
}

/// Ray in the units of a shape that is `scale` times as large.
Ray scaled_down(const Ray& ray, double scale) { return {ray.origin / scale, ray.direction}; }
RayHit scaled_up(RayHit hit, double scale) {
  hit.distance *= scale;
  return hit;
}

struct Cast {
  const Ray& ray;

  RayHit operator()(const Sphere& s) const {
    const double towards = -dot(ray.origin, ray.direction);
    const double miss2 = squared_norm(point_at(ray, towards)), r2 = s.radius * s.radius;
    if (miss2 > r2) return {};
    const double distance = towards - std::sqrt(r2 - miss2);
    if (distance < 0) return {};
    return {distance, point_at(ray, distance) / s.radius};
  }

  RayHit operator()(const HalfSpace&) const {
    Inside inside;
    inside.clip(ray, {0, 0, 1}, 0);
    return inside.hit();
  }

  RayHit operator()(const Box& b) const {
    Inside inside;
    for (int k = 0; k < 3; ++k)
      for (const double sign : {-1.0, 1.0}) {
        Vec3 normal;
        normal[k] = sign;
        inside.clip(ray, normal, b.half_extent[k]);
      }
    return inside.hit();
  }

  RayHit operator()(const Cylinder& c) const {
    return (*this)(Frustum{c.radius, c.radius, -c.half_length, c.half_length});
  }

  /// Union of a cylinder and two spheres.
  RayHit operator()(const Capsule& c) const {
    if (signed_distance(c, ray.origin).distance < 0) return {};
    RayHit first = c.half_length > 0 ? (*this)(Cylinder{c.radius, c.half_length}) : RayHit{};
    for (const double z : {-c.half_length, c.half_length})
      first = nearer(first, Cast{{ray.origin - Vec3{0, 0, z}, ray.direction}}(Sphere{c.radius}));
    return first;
  }

  RayHit operator()(const Frustum& f) const {
    Inside inside;
    inside.clip(ray, {0, 0, -1}, -f.bottom);
    inside.clip(ray, {0, 0, 1}, f.top);
    clip_by_side(inside, ray, side_of(f.bottom_radius, f.top_radius, f.bottom, f.top));
    return inside.hit();
  }

  /// Newton's method on the gauge, which is convex along the ray: from outside it never passes the
  /// surface.
  RayHit operator()(const Superellipsoid& s) const {
    constexpr int kMaxSteps = 200;
    constexpr double kRounding = 4e-16;
    const double size = bounding_radius_of(s);
    double at = std::max(0.0, -dot(ray.origin, ray.direction) - size);
    for (int step = 0; step < kMaxSteps; ++step) {
      const Gauge here = gauge_at(s, point_at(ray, at));
      const double slope = dot(here.gradient, ray.direction);
      if (step == 0 && here.value < 1) return {};
      const double advance = (here.value - 1) / -slope;
      if (!(slope < 0)) return {};
      if (advance <= kRounding * (at + size)) return {at, here.gradient / norm(here.gradient)};
      at += advance;
    }
    return {};
  }

  RayHit operator()(const Polyhedron& p) const {
    Inside inside;
    const Ray small = scaled_down(ray, p.scale);
    for (const ConvexHull::Face& face : p.hull->faces())
      inside.clip(small, face.normal, face.offset);
    return scaled_up(inside.hit(), p.scale);
  }

  RayHit operator()(const Mesh& m) const {
    const Ray small = scaled_down(ray, m.scale);
    RayHit first;
    m.mesh->for_each_on_ray(small, first.distance, [&](std::uint32_t facet) {
      first = nearer(first, cast_on_facet(small, m.mesh->facets()[facet], m.mesh->sides()));
    });
    return scaled_up(first, m.scale);
  }

  RayHit operator()(const Hollow& h) const {
    RayHit first;
    if (h.closed_bottom) first = nearer(first, cast_on_disc(ray, h.bottom_radius, h.bottom));
    if (h.closed_top) first = nearer(first, cast_on_disc(ray, h.top_radius, h.top));
    const ConeSide side = side_of(h.bottom_radius, h.top_radius, h.bottom, h.top);
    const auto [a, b, c] = side.coefficients(ray);
    std::array<double, 2> cuts{-c / (2 * b), -c / (2 * b)};
    if (a != 0) {
      const auto both = roots(a, b, c);
      if (!both) return first;
      cuts = *both;
    }
    for (const double at : cuts) {
      const Vec3 p = point_at(ray, at);
      if (!(at >= 0 && p.z >= h.bottom && p.z <= h.top)) continue;
      const Vec3 n = side.normal(p);
      first = nearer(first, {at, dot(n, ray.direction) < 0 ? n : -n});
    }
    return first;
  }

  RayHit operator()(const Clump& c) const {
    const Ray small = scaled_down(ray, c.scale);
    RayHit first;
    for (const ClumpPart& part : c.parts->parts()) {
      if (signed_distance(part.shape, part.pose, small.origin).distance < 0) return {};
      first = nearer(first, cast_ray(small, part.shape, part.pose));
    }
    return scaled_up(first, c.scale);
  }
};

}  // namespace

RayHit cast_ray(const Ray& ray, const Shape& shape) { return std::visit(Cast{ray}, shape); }

RayHit cast_ray(const Ray& ray, const Shape& shape, const Pose& pose) {
  const Ray local{rotate_back(pose.orientation, ray.origin - pose.position),
                  rotate_back(pose.orientation, ray.direction)};
  RayHit hit = cast_ray(local, shape);
  hit.normal = rotate(pose.orientation, hit.normal);
  return hit;
}

}  // namespace scree
