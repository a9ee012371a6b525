#include "collision/narrow/smooth_surface.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/stationary_direction.hpp"

namespace scree {
namespace {

CoreSeparation turned(CoreSeparation s) {
  std::swap(s.on_a, s.on_b);
  std::swap(s.of_a, s.of_b);
  s.normal = -s.normal;
  return s;
}

/// The part of B's surface that is met: the different ones of the points that span it.
struct Part {
  int count = 0;
  std::array<Vec3, 3> point;
};
Part part_of_b(const CoreSeparation& s, double same) {
  Part part;
  for (int k = 0; k < s.count && k < 3; ++k) {
    const auto end = part.point.begin() + part.count;
    if (std::none_of(part.point.begin(), end,
                     [&](const Vec3& p) { return norm(p - s.of_b[k]) <= same; }))
      part.point[part.count++] = s.of_b[k];
  }
  return part;
}

class SmoothSide {
 public:
  SmoothSide(const ConvexCore& a, const ConvexCore& b, const CoreSeparation& near)
      : a_(a), b_(b), shape_(*a.superellipsoid()), near_(near) {}

  /// From a point of B.
  CoreSeparation to_point(const Vec3& p) const {
    const auto [distance, normal] = signed_distance(shape_, a_.to_core(p - a_.centre()));
    const Vec3 n = a_.from_core(normal);
    return {n, distance, p - distance * n, p, 1, {p - distance * n}, {p}};
  }

  /// From a segment of B: where the way stands across it.
  CoreSeparation to_edge(const Vec3& from, const Vec3& to) const {
    constexpr int kMostSteps = 60;
    constexpr double kEnough = 1e-16;
    const Vec3 edge = to - from;
    const auto slope = [&](double t) { return dot(edge, to_point(from + t * edge).normal); };
    double a = 0, b = 1, slope_a = slope(0), slope_b = slope(1);
    if (slope_a >= 0) return to_point(from);
    if (slope_b <= 0) return to_point(to);
    // False position, which halves the weight of an end that stays (Illinois).
    for (int step = 0; step < kMostSteps && b - a > kEnough; ++step) {
      const double c = std::clamp((a * slope_b - b * slope_a) / (slope_b - slope_a), a, b);
      const double slope_c = slope(c);
      if (slope_c == 0) {
        a = b = c;
      } else if (slope_c < 0) {
        a = c;
        slope_a = slope_c;
        slope_b *= 0.5;
      } else {
        b = c;
        slope_b = slope_c;
        slope_a *= 0.5;
      }
    }
    return to_point(from + 0.5 * (a + b) * edge);
  }

  /// From a face of B.
  CoreSeparation to_face(const Part& face) const {
    const Vec3 area = cross(face.point[1] - face.point[0], face.point[2] - face.point[0]);
    const double twice = norm(area);
    if (twice == 0) return near_;
    const Vec3 n = (dot(area, near_.normal) > 0 ? 1 / twice : -1 / twice) * area;
    const Vec3 on_a = a_.support(n);
    const double distance = dot(n, face.point[0] - on_a);
    return {n, distance, on_a, on_a + distance * n, 1, {on_a}, {on_a + distance * n}};
  }

  /// From a surface of B that is curved, too.
  CoreSeparation to_curved() const {
    const double size = std::min(a_.size(), b_.size());
    const auto way_from = [&](const Vec3& m) {
      const auto [point, normal] = surface_point(shape_, m);
      const Vec3 on_a = a_.centre() + a_.from_core(point), n = a_.from_core(normal);
      const Vec3 on_b = b_.support(-n);
      return CoreSeparation{n, dot(n, on_b - on_a), on_a, on_b, 1, {on_a}, {on_b}};
    };
    const auto residual = [&](const Vec3& m) {
      const CoreSeparation way = way_from(m);
      const Vec3 apart = way.on_b - way.on_a;
      return (apart - dot(way.normal, apart) * way.normal) / size;
    };
    const Vec3 start = parameter_of_normal(shape_, a_.to_core(near_.normal));
    return way_from(stationary_direction(start, residual));
  }

  /// The part of B that is met, and what is near it.
  CoreSeparation best() const {
    const Part part = part_of_b(near_, 1e-6 * b_.size());
    CoreSeparation way = b_.is_curved()    ? to_curved()
                         : part.count == 1 ? to_point(part.point[0])
                         : part.count == 2 ? to_edge(part.point[0], part.point[1])
                                           : to_face(part);
    // Another part may be met, if the first guess was poor: then its answer stands.
    constexpr double kPoor = 1e-6;
    return std::abs(way.distance - near_.distance) <= kPoor * (a_.size() + b_.size()) ? way : near_;
  }

 private:
  const ConvexCore &a_, &b_;
  const Superellipsoid& shape_;
  const CoreSeparation& near_;
};

}  // namespace

CoreSeparation on_smooth_surface(const ConvexCore& a, const ConvexCore& b,
                                 const CoreSeparation& found) {
  if (a.superellipsoid()) return SmoothSide(a, b, found).best();
  if (b.superellipsoid()) return turned(SmoothSide(b, a, turned(found)).best());
  return found;
}

}  // namespace scree
