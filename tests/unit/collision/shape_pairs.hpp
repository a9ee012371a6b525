/// Random shapes and poses, and what a convex shape's support function says of a pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "scree/collision/contact_points.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/math/random.hpp"

namespace scree::shape_pairs {

inline Vec3 random_vector(RandomStream& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
inline Vec3 random_direction(RandomStream& random) {
  const Vec3 v{random.normal(), random.normal(), random.normal()};
  return v / norm(v);
}
inline Box random_box(RandomStream& random) {
  return {{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)}};
}
inline Capsule random_capsule(RandomStream& random) {
  return {random.uniform(0.1, 0.5), random.uniform(0, 1)};
}

inline Frustum random_frustum(RandomStream& random) {
  return {random.uniform(0.1, 1), random.uniform(0, 1), random.uniform(-1, -0.1),
          random.uniform(0.1, 1)};
}
inline Superellipsoid random_ellipsoid(RandomStream& random) {
  return {{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)}};
}
inline Superellipsoid random_superellipsoid(RandomStream& random) {
  return {{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)},
          random.uniform(2, 6),
          random.uniform(2, 6)};
}
/// The hulls of random points, the same ones in any program; they live until it ends.
inline const std::vector<PlacedHull>& random_hulls() {
  static const std::vector<PlacedHull> hulls = [] {
    RandomStream random{0, 0};
    std::vector<PlacedHull> made;
    while (made.size() < 300) {
      std::vector<Vec3> points;
      const auto count = static_cast<int>(random.uniform(4, 30));
      for (int k = 0; k < count; ++k) points.push_back(random_vector(random, 1));
      made.push_back(convex_hull(points));
    }
    return made;
  }();
  return hulls;
}
inline Polyhedron random_polyhedron(RandomStream& random) {
  const auto& hulls = random_hulls();
  const auto k = static_cast<std::size_t>(random.uniform(0, static_cast<double>(hulls.size())));
  return {hulls[k].hull.get(), random.uniform(0.3, 1)};
}

/// The greatest n·x of the shape, in its own frame [m].
struct Support {
  Vec3 n;

  double operator()(const Sphere& s) const { return s.radius * norm(n); }
  double operator()(const HalfSpace&) const {
    return n.z > 1 - 1e-14 ? 0 : std::numeric_limits<double>::infinity();
  }
  double operator()(const Box& b) const {
    return std::abs(n.x) * b.half_extent.x + std::abs(n.y) * b.half_extent.y +
           std::abs(n.z) * b.half_extent.z;
  }
  double operator()(const Cylinder& c) const {
    return std::hypot(n.x, n.y) * c.radius + std::abs(n.z) * c.half_length;
  }
  double operator()(const Capsule& c) const {
    return norm(n) * c.radius + std::abs(n.z) * c.half_length;
  }
  double operator()(const Frustum& f) const {
    const double across = std::hypot(n.x, n.y);
    return std::max(across * f.bottom_radius + n.z * f.bottom, across * f.top_radius + n.z * f.top);
  }
  double operator()(const Superellipsoid& s) const {
    const double l = s.lateral / (s.lateral - 1), v = s.vertical / (s.vertical - 1);
    const auto power = [](double x, double e) { return std::pow(std::abs(x), e); };
    const double side = power(n.x * s.semi_axes.x, l) + power(n.y * s.semi_axes.y, l);
    return std::pow(std::pow(side, v / l) + power(n.z * s.semi_axes.z, v), 1 / v);
  }
  double operator()(const Polyhedron& p) const {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vec3& v : p.hull->vertices()) most = std::max(most, p.scale * dot(n, v));
    return most;
  }
  /// Surfaces are no convex shapes.
  double operator()(const Mesh&) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const Hollow&) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const Clump&) const { return std::numeric_limits<double>::infinity(); }
};

struct Placed {
  Shape shape;
  Pose pose;

  double support(const Vec3& n) const {
    return dot(n, pose.position) + std::visit(Support{rotate_back(pose.orientation, n)}, shape);
  }
  double distance(const Vec3& point) const { return signed_distance(shape, pose, point).distance; }
};

/// Width of the gap between the planes across n that hold A below and B above [m].
inline double width(const Placed& a, const Placed& b, const Vec3& n) {
  return -b.support(-n) - a.support(n);
}

/// The greatest width over all directions, by a search that climbs from the best of many.
inline double greatest_width(const Placed& a, const Placed& b, RandomStream& random) {
  double best = -std::numeric_limits<double>::infinity();
  for (int start = 0; start < 8; ++start) {
    Vec3 n = random_direction(random);
    for (int k = 0; k < 50; ++k)
      if (const Vec3 m = random_direction(random); width(a, b, m) > width(a, b, n)) n = m;
    for (double step = 0.5; step > 1e-9;) {
      Vec3 m = n + step * random_vector(random, 1);
      m = m / norm(m);
      const bool climbs = width(a, b, m) > width(a, b, n);
      if (climbs) n = m;
      step *= climbs ? 1.5 : 0.85;
    }
    best = std::max(best, width(a, b, n));
  }
  return best;
}

inline SurfaceDistance separation(const Placed& a, const Placed& b) {
  return scree::separation(a.shape, a.pose, b.shape, b.pose);
}
inline Manifold contact_points(const Placed& a, const Placed& b, double margin) {
  return scree::contact_points(a.shape, a.pose, b.shape, b.pose, margin);
}
inline Placed moved(const Placed& a, const Vec3& by, const Quaternion& turn) {
  return {a.shape, {by + rotate(turn, a.pose.position), normalised(turn * a.pose.orientation)}};
}

}  // namespace scree::shape_pairs
