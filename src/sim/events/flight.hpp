/// When bodies in flight meet, in closed form. Our own.
///
/// Relative to A, B is at x + v t − ½ a (h − t) t: the parabola through both ends of a step of the
/// leapfrog, with v its velocity in the middle of the step.
#pragma once

#include <cmath>
#include <limits>

#include "scree/math/vec3.hpp"

namespace scree {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Relative flight of two bodies, from the start of the step, impacts so far included.
struct RelativeFlight {
  Vec3 at_start;      ///< [m]
  Vec3 velocity;      ///< in the middle of the step [m/s]
  Vec3 acceleration;  ///< [m/s²]

  Vec3 velocity_at(double t, double h) const { return velocity + (t - h / 2) * acceleration; }
};

/// Distance along a parabola with these values at a time: value + rate τ + ½ curvature τ².
struct Parabola {
  double value, rate, curvature;
};
/// Time until it falls through 0, or kNever. It counts as 0 where it is below.
inline double time_of_fall(const Parabola& of) {
  const double value = std::max(of.value, 0.0);
  if (value == 0 && of.rate < 0) return 0;
  const double squared = of.rate * of.rate - 2 * of.curvature * value;
  if (!(squared > 0) || (of.rate >= 0 && !(of.curvature < 0))) return kNever;
  const double root = std::sqrt(squared);
  return of.rate < 0 ? 2 * value / (root - of.rate) : (of.rate + root) / -of.curvature;
}

/// Distance from a plane at this time; `gap` is that at the start, without displacements.
inline Parabola distance_from_plane(const Vec3& normal, double gap, const RelativeFlight& flight,
                                    double t, double h) {
  const double speed = dot(normal, flight.velocity), a = dot(normal, flight.acceleration);
  return {gap + dot(normal, flight.at_start) + speed * t - 0.5 * a * (h - t) * t,
          speed + a * (t - h / 2), a};
}

/// Time from `t` until centres come as near as `touch`, or kNever. Relative accelerations are left
/// out: gravity has none, others change the time in second order.
inline double time_of_meeting(const RelativeFlight& flight, double touch, double t) {
  const Vec3 apart = flight.at_start + t * flight.velocity;
  const double along = dot(apart, flight.velocity);
  if (!(along < 0)) return kNever;
  const double outside = squared_norm(apart) - touch * touch;
  if (outside <= 0) return 0;
  const double squared = along * along - squared_norm(flight.velocity) * outside;
  return squared > 0 ? outside / (std::sqrt(squared) - along) : kNever;
}

}  // namespace scree
