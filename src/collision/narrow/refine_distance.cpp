/// Refines the closest points of curved cores to rounding, starting from GJK and EPA.
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

CoreSeparation flipped(CoreSeparation s) {
  std::swap(s.on_a, s.on_b);
  std::swap(s.of_a, s.of_b);
  s.normal = -s.normal;
  return s;
}

/// Root of a function between two arguments at which it has opposite signs, to rounding.
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
        choice_b.normal = -choice_b.normal;  // relative to the normal from A to B
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

  /// Takes the separation if it is larger, since no normal has a separation above the distance.
  /// Near the best normal the separation hardly changes; then the more stationary one wins.
  /// `residual` is its component orthogonal to the normal.
  void take(CoreSeparation separation, double residual) {
    const double rounding = 1e-14 * (a_.size() + b_.size());
    separation.distance =
        dot(separation.normal, b_.support(-separation.normal) - a_.support(separation.normal));
    if (separation.distance > best_.distance + rounding ||
        (separation.distance >= best_.distance - rounding && residual < best_residual_)) {
      best_ = separation;
      best_residual_ = residual;
    }
  }
  /// Tries a normal. For a locally round surface or a corner, the point is the support point. If
  /// neither shape has one, the known ends stay; if they are apart orthogonally to the normal, any
  /// separation with a point of its own is better.
  void try_normal(const Vec3& n, bool point_of_a, bool point_of_b, double residual = 0) {
    CoreSeparation separation = near_;
    const Vec3 on_a = a_.support(n), on_b = b_.support(-n);
    const double distance = dot(n, on_b - on_a);
    separation.normal = n;
    if (!point_of_a && !point_of_b) {
      const Vec3 apart = separation.on_b - separation.on_a;
      const double off = norm(apart - dot(n, apart) * n) / std::min(a_.size(), b_.size());
      residual = off > kSamePoint ? off : 0;
    }
    if (point_of_a) {
      separation.on_a = on_a;
      separation.on_b = on_a + distance * n;
    } else if (point_of_b) {
      separation.on_b = on_b;
      separation.on_a = on_b - distance * n;
    }
    take(separation, residual);
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

  /// Tries the normals of an edge, or of a straight line of the side, of one shape.
  void try_circle(const NormalChoice& circle, const ConvexCore& other, bool other_is_a) {
    if (other.superellipsoid() && circle.is_edge) {
      const CoreSeparation near = other_is_a ? near_ : flipped(near_);
      const CoreSeparation separation = to_edge(other, near, circle.ends[0], circle.ends[1]);
      take(other_is_a ? separation : flipped(separation), 0);
      return;
    }
    const double across = std::sqrt(std::max(0.0, 1 - circle.along_axis * circle.along_axis));
    if (across == 0) return;
    constexpr double kParallel = 1e-6;
    Vec3 u = near_.normal - dot(near_.normal, circle.axis) * circle.axis;
    u = norm(u) > kParallel ? u / norm(u) : Tangents(circle.axis).first;
    u -= dot(u, circle.axis) * circle.axis;  // remainder of rounding
    u = u / norm(u);
    const Vec3 v = cross(circle.axis, u);
    const auto normal = [&](double angle) {
      return circle.along_axis * circle.axis + across * (std::cos(angle) * u + std::sin(angle) * v);
    };
    const auto slope = [&](double angle) {
      const Vec3 n = normal(angle);
      return dot(b_.support(-n) - a_.support(n), std::cos(angle) * v - std::sin(angle) * u);
    };
    const double at_start = slope(0), uphill = at_start > 0 ? 1 : -1;
    double from = 0, f_from = at_start;
    for (double step = 1e-4; step < std::numbers::pi; step *= 4) {
      const double to = uphill * step, f_to = slope(to);
      if ((f_to > 0) != (at_start > 0)) {
        const double angle = root_between({from, to, f_from, f_to}, slope);
        try_normal(normal(angle), other_is_a, !other_is_a);
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
      take(flipped(to_point(b_, flipped(near_), of_a.ends[0])), 0);
    else if (a_.superellipsoid())
      take_curved(to_curved(a_, near_, b_));
    else if (b_.superellipsoid())
      take_curved(flipped(to_curved(b_, flipped(near_), a_)));
    else if (a_.is_curved() || b_.is_curved()) {
      const auto residual = residual_of(a_, b_);
      const Vec3 n = stationary_direction(near_.normal, residual);
      try_normal(n, true, false, norm(residual(n)));
    }
  }

  void take_curved(const CoreSeparation& separation) {
    const Vec3 apart = separation.on_b - separation.on_a;
    take(separation, norm(apart - dot(separation.normal, apart) * separation.normal) /
                         std::min(a_.size(), b_.size()));
  }

  /// Parameter of a superellipsoid's surface at normal n.
  static Vec3 parameter(const ConvexCore& a, const Vec3& n) {
    return parameter_of_normal(*a.superellipsoid(), a.to_core(n));
  }
  /// Separation that begins on the surface of a superellipsoid, along its normal.
  static CoreSeparation separation_from_surface_at(const ConvexCore& a, CoreSeparation separation,
                                                   const Vec3& m) {
    const auto [point, normal] = surface_point(*a.superellipsoid(), m);
    separation.on_a = a.centre() + a.from_core(point);
    separation.normal = a.from_core(normal);
    return separation;
  }
  /// Normal of a superellipsoid at the surface point closest to p, near n.
  static Vec3 normal_to(const ConvexCore& a, const Vec3& p, const Vec3& n) {
    return a.from_core(
        stationary_point(*a.superellipsoid(), a.to_core(p - a.centre()), parameter(a, n)).normal);
  }

  /// Separation from a superellipsoid to a point of B.
  static CoreSeparation to_point(const ConvexCore& a, CoreSeparation separation, const Vec3& p) {
    const auto [point, normal] = stationary_point(*a.superellipsoid(), a.to_core(p - a.centre()),
                                                  parameter(a, separation.normal));
    separation.normal = a.from_core(normal);
    separation.distance = dot(normal, a.to_core(p - a.centre()) - point);
    separation.on_a = p - separation.distance * separation.normal;
    separation.on_b = p;
    return separation;
  }

  /// Separation from a superellipsoid to an edge of B, orthogonal to the edge.
  static CoreSeparation to_edge(const ConvexCore& a, const CoreSeparation& near, const Vec3& from,
                                const Vec3& to) {
    const Vec3 edge = to - from;
    if (const auto t = parameter_on_line(a, near, from, edge)) {
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
  /// Parameter t of the closest point on the line from + t edge; empty if Newton's method fails.
  static std::optional<double> parameter_on_line(const ConvexCore& a, const CoreSeparation& near,
                                                 const Vec3& from, const Vec3& edge) {
    constexpr double kFound = 1e-12;
    const double length = norm(edge);
    const Vec3 along = edge / length;
    // Require that the normal is orthogonal to the edge, and that its line meets that of the edge.
    const auto residual = [&](const Vec3& m) {
      const CoreSeparation separation = separation_from_surface_at(a, near, m);
      const double beside = dot(from - separation.on_a, cross(separation.normal, along));
      return Vec3{dot(separation.normal, along), beside / a.size(), 0};
    };
    const Vec3 m = stationary_direction(parameter(a, near.normal), residual);
    if (!(squared_norm(residual(m)) <= kFound * kFound)) return {};
    return dot(separation_from_surface_at(a, near, m).on_a - from, along) / length;
  }

  /// Separation from a superellipsoid to a curved surface of B.
  static CoreSeparation to_curved(const ConvexCore& a, const CoreSeparation& near,
                                  const ConvexCore& b) {
    const auto separation_to_support = [&](const Vec3& m) {
      CoreSeparation separation = separation_from_surface_at(a, near, m);
      separation.on_b = b.support(-separation.normal);
      separation.distance = dot(separation.normal, separation.on_b - separation.on_a);
      return separation;
    };
    const auto across = [](const Vec3& n, const Vec3& v) { return v - dot(n, v) * n; };
    const auto from_support = [&, size = std::min(a.size(), b.size())](const Vec3& m) {
      const CoreSeparation separation = separation_to_support(m);
      return across(separation.normal, separation.on_b - separation.on_a) / size;
    };
    // Where B is nearly flat its support point jumps, so its surface is queried for the nearest
    // point instead.
    const auto from_surface = [&](const Vec3& m) {
      const CoreSeparation separation = separation_from_surface_at(a, near, m);
      return across(separation.normal, normal_to(b, separation.on_a, -separation.normal));
    };
    const auto is_flat = [](const Superellipsoid* s) {
      return s && (s->lateral > 2 || s->vertical > 2);
    };
    const Vec3 start = parameter(a, near.normal);
    if (!is_flat(b.superellipsoid()))
      return separation_to_support(stationary_direction(start, from_support));
    CoreSeparation separation = separation_to_support(stationary_direction(start, from_surface));
    separation.on_b = separation.on_a + separation.distance * separation.normal;
    return separation;
  }

  const ConvexCore &a_, &b_;
  CoreSeparation near_, best_;
  double best_residual_ = std::numeric_limits<double>::infinity();
};

}  // namespace

CoreSeparation refine_distance(const ConvexCore& a, const ConvexCore& b, double enough) {
  const CoreSeparation found = separation_of_cores(a, b, enough);
  if (found.distance >= enough || !(a.is_curved() || b.is_curved())) return found;
  return Refinement(a, b, found).best();
}

}  // namespace scree
