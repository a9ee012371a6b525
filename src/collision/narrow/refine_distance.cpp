#include "collision/narrow/refine_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "collision/narrow/manifold_reduction.hpp"
#include "geometry/stationary_direction.hpp"
#include "math/false_position.hpp"

namespace scree {
namespace {

CoreSeparation turned(CoreSeparation s) {
  std::swap(s.on_a, s.on_b);
  std::swap(s.of_a, s.of_b);
  s.normal = -s.normal;
  return s;
}

/// Of a function between two places at which it has different signs, to rounding.
template <class F>
double root_between(const Bracket& bracket, const F& f) {
  const Bracket at = narrowed(bracket, 1e-16, f);
  return 0.5 * (at.a + at.b);
}

class Refinement {
 public:
  Refinement(const ConvexCore& a, const ConvexCore& b, const CoreSeparation& near)
      : a_(a), b_(b), near_(near), best_(near) {
    best_.distance = dot(near.normal, b.support(-near.normal) - a.support(near.normal));
  }

  CoreSeparation best() {
    const NormalChoices of_a = a_.choices(near_.of_a, near_.count, near_.normal),
                        of_b = b_.choices(near_.of_b, near_.count, -near_.normal);
    for (const NormalChoice& choice_a : of_a)
      for (NormalChoice choice_b : of_b) {
        choice_b.normal = -choice_b.normal;  // as seen along the normal from A to B
        choice_b.along_axis = -choice_b.along_axis;
        try_both(choice_a, choice_b);
      }
    return best_;
  }

 private:
  using Kind = NormalChoice::Kind;

  void try_both(const NormalChoice& of_a, const NormalChoice& of_b) {
    if (of_a.kind == Kind::one || of_b.kind == Kind::one) {
      if (of_a.kind == Kind::one) try_normal(of_a.normal, false, of_b.kind == Kind::any);
      if (of_b.kind == Kind::one) try_normal(of_b.normal, of_a.kind == Kind::any, false);
    } else if (of_a.kind == Kind::circle && of_b.kind == Kind::circle) {
      if (const auto n = on_both_circles(of_a, of_b)) try_normal(*n, false, false);
    } else if (of_a.kind == Kind::circle) {
      try_circle(of_a, b_, false);
    } else if (of_b.kind == Kind::circle) {
      try_circle(of_b, a_, true);
    } else {
      try_any(of_a, of_b);
    }
  }

  /// Takes the way if it is longer: no normal has a greater separation than the distance. Near the
  /// best normal the separation hardly changes: then that wins where it is the more stationary, by
  /// the part of the way across the normal that is left.
  void take(CoreSeparation way, double left) {
    const double rounding = 1e-14 * (a_.size() + b_.size());
    way.distance = dot(way.normal, b_.support(-way.normal) - a_.support(way.normal));
    if (way.distance > best_.distance + rounding ||
        (way.distance >= best_.distance - rounding && left < left_)) {
      best_ = way;
      left_ = left;
    }
  }
  /// On a shape whose surface is round there, or a corner, the point is that of its support. Where
  /// neither is, the ends of the way that is known stay; if they stand apart across the normal any
  /// way with a point of its own is better.
  void try_normal(const Vec3& n, bool point_of_a, bool point_of_b, double left = 0) {
    CoreSeparation way = near_;
    const Vec3 on_a = a_.support(n), on_b = b_.support(-n);
    const double distance = dot(n, on_b - on_a);
    way.normal = n;
    if (!point_of_a && !point_of_b) {
      const Vec3 apart = way.on_b - way.on_a;
      const double off = norm(apart - dot(n, apart) * n) / std::min(a_.size(), b_.size());
      left = off > kSamePlace ? off : 0;
    }
    if (point_of_a) {
      way.on_a = on_a;
      way.on_b = on_a + distance * n;
    } else if (point_of_b) {
      way.on_b = on_b;
      way.on_a = on_b - distance * n;
    }
    take(way, left);
  }

  std::optional<Vec3> on_both_circles(const NormalChoice& one, const NormalChoice& other) const {
    constexpr double kParallel = 1e-20;  // sine squared
    const double g = dot(one.axis, other.axis), sine2 = 1 - g * g;
    const Vec3 across = cross(one.axis, other.axis);
    if (!(squared_norm(across) > kParallel)) return {};
    const double x = (one.along_axis - g * other.along_axis) / sine2,
                 y = (other.along_axis - g * one.along_axis) / sine2;
    const double rest = 1 - (x * x + y * y + 2 * x * y * g);
    if (rest < 0) return {};
    const double z =
        std::copysign(std::sqrt(rest / squared_norm(across)), dot(across, near_.normal));
    const Vec3 n = x * one.axis + y * other.axis + z * across;
    return n / norm(n);
  }

  /// Along the edge, or the straight line of the side, of one shape.
  void try_circle(const NormalChoice& circle, const ConvexCore& other, bool other_is_a) {
    if (other.superellipsoid() && circle.is_edge) {
      const CoreSeparation near = other_is_a ? near_ : turned(near_);
      const CoreSeparation way = to_edge(other, near, circle.ends[0], circle.ends[1]);
      take(other_is_a ? way : turned(way), 0);
      return;
    }
    const double across = std::sqrt(std::max(0.0, 1 - circle.along_axis * circle.along_axis));
    if (across == 0) return;
    constexpr double kParallel = 1e-6;
    Vec3 u = near_.normal - dot(near_.normal, circle.axis) * circle.axis;
    u = norm(u) > kParallel ? u / norm(u) : Tangents(circle.axis).first;
    u -= dot(u, circle.axis) * circle.axis;  // what rounding has left
    u = u / norm(u);
    const Vec3 v = cross(circle.axis, u);
    const auto normal = [&](double turn) {
      return circle.along_axis * circle.axis + across * (std::cos(turn) * u + std::sin(turn) * v);
    };
    const auto slope = [&](double turn) {
      const Vec3 n = normal(turn);
      return dot(b_.support(-n) - a_.support(n), std::cos(turn) * v - std::sin(turn) * u);
    };
    const double at_start = slope(0), uphill = at_start > 0 ? 1 : -1;
    double from = 0, f_from = at_start;
    for (double step = 1e-4; step < std::numbers::pi; step *= 4) {
      const double to = uphill * step, f_to = slope(to);
      if ((f_to > 0) != (at_start > 0)) {
        const double turn = root_between({from, to, f_from, f_to}, slope);
        try_normal(normal(turn), other_is_a, !other_is_a);
        return;
      }
      from = to;
      f_from = f_to;
    }
  }

  static auto residual_of(const ConvexCore& a, const ConvexCore& b) {
    return [&a, &b, size = std::min(a.size(), b.size())](const Vec3& n) {
      const Vec3 apart = b.support(-n) - a.support(n);
      return (apart - dot(n, apart) * n) / size;
    };
  }

  void try_any(const NormalChoice& of_a, const NormalChoice& of_b) {
    if (a_.superellipsoid() && of_b.is_corner)
      take(to_point(a_, near_, of_b.ends[0]), 0);
    else if (b_.superellipsoid() && of_a.is_corner)
      take(turned(to_point(b_, turned(near_), of_a.ends[0])), 0);
    else if (a_.superellipsoid())
      take_curved(to_curved(a_, near_, b_));
    else if (b_.superellipsoid())
      take_curved(turned(to_curved(b_, turned(near_), a_)));
    else if (a_.is_curved() || b_.is_curved()) {
      const auto residual = residual_of(a_, b_);
      const Vec3 n = stationary_direction(near_.normal, residual);
      try_normal(n, true, false, norm(residual(n)));
    }
  }

  void take_curved(const CoreSeparation& way) {
    const Vec3 apart = way.on_b - way.on_a;
    take(way, norm(apart - dot(way.normal, apart) * way.normal) / std::min(a_.size(), b_.size()));
  }

  /// The parameter of a superellipsoid's surface where its normal is n.
  static Vec3 parameter(const ConvexCore& a, const Vec3& n) {
    return parameter_of_normal(*a.superellipsoid(), a.to_core(n));
  }
  /// A way that begins on the surface of a superellipsoid, across it.
  static CoreSeparation way_from(const ConvexCore& a, CoreSeparation way, const Vec3& m) {
    const auto [point, normal] = surface_point(*a.superellipsoid(), m);
    way.on_a = a.centre() + a.from_core(point);
    way.normal = a.from_core(normal);
    return way;
  }
  /// The normal of a superellipsoid where the way to p stands across it, near n.
  static Vec3 normal_to(const ConvexCore& a, const Vec3& p, const Vec3& n) {
    return a.from_core(
        stationary_point(*a.superellipsoid(), a.to_core(p - a.centre()), parameter(a, n)).normal);
  }

  /// From a superellipsoid to a point of B.
  static CoreSeparation to_point(const ConvexCore& a, CoreSeparation way, const Vec3& p) {
    const auto [point, normal] =
        stationary_point(*a.superellipsoid(), a.to_core(p - a.centre()), parameter(a, way.normal));
    way.normal = a.from_core(normal);
    way.distance = dot(normal, a.to_core(p - a.centre()) - point);
    way.on_a = p - way.distance * way.normal;
    way.on_b = p;
    return way;
  }

  /// To an edge of B: where the way stands across it.
  static CoreSeparation to_edge(const ConvexCore& a, const CoreSeparation& near, const Vec3& from,
                                const Vec3& to) {
    const Vec3 edge = to - from;
    if (const auto t = place_on_line(a, near, from, edge)) {
      if (*t <= 0) return to_point(a, near, from);
      return to_point(a, near, *t >= 1 ? to : from + *t * edge);
    }
    const auto slope = [&](double t) {
      return dot(edge, to_point(a, near, from + t * edge).normal);
    };
    const double at_from = slope(0), at_to = slope(1);
    if (at_from >= 0) return to_point(a, near, from);
    if (at_to <= 0) return to_point(a, near, to);
    return to_point(a, near, from + root_between({0, 1, at_from, at_to}, slope) * edge);
  }
  /// Of the line of an edge: from + t edge; none if Newton's method misses it.
  static std::optional<double> place_on_line(const ConvexCore& a, const CoreSeparation& near,
                                             const Vec3& from, const Vec3& edge) {
    constexpr double kFound = 1e-12;
    const double length = norm(edge);
    const Vec3 along = edge / length;
    // The normal stands across the edge, and the line along it meets that of the edge.
    const auto residual = [&](const Vec3& m) {
      const CoreSeparation way = way_from(a, near, m);
      const double beside = dot(from - way.on_a, cross(way.normal, along));
      return Vec3{dot(way.normal, along), beside / a.size(), 0};
    };
    const Vec3 m = stationary_direction(parameter(a, near.normal), residual);
    if (!(squared_norm(residual(m)) <= kFound * kFound)) return {};
    return dot(way_from(a, near, m).on_a - from, along) / length;
  }

  /// To a curved surface of B.
  static CoreSeparation to_curved(const ConvexCore& a, const CoreSeparation& near,
                                  const ConvexCore& b) {
    const auto way_to_support = [&](const Vec3& m) {
      CoreSeparation way = way_from(a, near, m);
      way.on_b = b.support(-way.normal);
      way.distance = dot(way.normal, way.on_b - way.on_a);
      return way;
    };
    const auto across = [](const Vec3& n, const Vec3& v) { return v - dot(n, v) * n; };
    const auto from_support = [&, size = std::min(a.size(), b.size())](const Vec3& m) {
      const CoreSeparation way = way_to_support(m);
      return across(way.normal, way.on_b - way.on_a) / size;
    };
    // Where B is nearly flat its support leaps: its surface is asked for the nearest point instead.
    const auto from_surface = [&](const Vec3& m) {
      const CoreSeparation way = way_from(a, near, m);
      return across(way.normal, normal_to(b, way.on_a, -way.normal));
    };
    const auto is_flat = [](const Superellipsoid* s) {
      return s && (s->lateral > 2 || s->vertical > 2);
    };
    const Vec3 start = parameter(a, near.normal);
    if (!is_flat(b.superellipsoid()))
      return way_to_support(stationary_direction(start, from_support));
    CoreSeparation way = way_to_support(stationary_direction(start, from_surface));
    way.on_b = way.on_a + way.distance * way.normal;
    return way;
  }

  const ConvexCore &a_, &b_;
  CoreSeparation near_, best_;
  double left_ = std::numeric_limits<double>::infinity();
};

}  // namespace

CoreSeparation refine_distance(const ConvexCore& a, const ConvexCore& b, double enough) {
  const CoreSeparation found = separation_of_cores(a, b, enough);
  if (found.distance >= enough || !(a.is_curved() || b.is_curved())) return found;
  return Refinement(a, b, found).best();
}

}  // namespace scree
