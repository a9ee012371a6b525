/// Separating planes of a sphere and another shape for a step, including pairs that pass.
#include "scree/collision/separating_plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace scree {
namespace {

/// Sphere on its free path, relative to a moving shape.
class Flight {
 public:
  Flight(const Shape& shape, const Pose& pose, const Twist& twist, const Vec3& centre,
         double radius, const Vec3& velocity)
      : shape_(shape),
        pose_(pose),
        twist_(twist),
        centre_(centre),
        radius_(radius),
        velocity_(velocity) {}

  /// Gap and its rate at one time.
  struct Instant {
    double time, gap;
    double opening;  ///< d gap / dt [m/s]; < 0: closing
    Vec3 normal, wall;
  };

  Instant at(double time) const {
    const Pose pose = moves(twist_) ? advance_pose(pose_, twist_, time) : pose_;
    const Vec3 centre = centre_ + time * velocity_;
    const SurfaceDistance surface = signed_distance(shape_, pose, centre);
    Instant now{.time = time,
                .gap = surface.distance - radius_,
                .opening = 0,
                .normal = surface.normal,
                .wall = {}};
    if (moves(twist_))
      now.wall = velocity_at(pose, twist_, centre - surface.distance * surface.normal);
    now.opening = dot(velocity_ - now.wall, surface.normal);
    return now;
  }

  /// True if the gap changes at a constant rate: the normal does not rotate.
  bool is_linear() const {
    return std::holds_alternative<HalfSpace>(shape_) && twist_.angular == Vec3{};
  }

  /// Tolerance of gaps: rounding of the radius, and of positions far from the origin [m].
  double tolerance() const {
    const double distance_from_origin = norm(centre_) + norm(pose_.position);
    return 1e-12 * radius_ + 8 * std::numeric_limits<double>::epsilon() * distance_from_origin;
  }

 private:
  const Shape& shape_;
  const Pose& pose_;
  const Twist& twist_;
  const Vec3 centre_;
  const double radius_;
  const Vec3 velocity_;
};

/// Bisects for the instant before `wanted` becomes true; it is false in `before` and true in
/// `after`.
template <class Condition>
Flight::Instant bisect(const Flight& flight, Flight::Instant before, Flight::Instant after,
                       Condition wanted) {
  constexpr int kHalvings = 50;  // to the last bits of a step
  for (int k = 0; k < kHalvings; ++k) {
    const Flight::Instant middle = flight.at(0.5 * (before.time + after.time));
    (wanted(middle) ? after : before) = middle;
  }
  return before;
}

struct Meeting {
  Flight::Instant instant;
  bool touches;
};

/// First touch of the sphere, or else its closest approach. The gap of a convex shape is a convex
/// function of time. Its tangent never reaches zero later than the gap does, so Newton's steps
/// approach the touch from before, or step over the closest point.
Meeting meeting(const Flight& flight, Flight::Instant now, double h) {
  constexpr int kMaxSteps = 60;
  for (int k = 0; k < kMaxSteps && now.gap > flight.tolerance() && now.time < h; ++k) {
    const Flight::Instant next = flight.at(std::min(h, now.time - now.gap / now.opening));
    // Only for rotating shapes, whose gap is not convex in time.
    if (next.gap < -flight.tolerance())
      return {bisect(flight, now, next, [](const Flight::Instant& i) { return i.gap < 0; }), true};
    if (next.opening >= 0 && next.gap > flight.tolerance())
      return {bisect(flight, now, next, [](const Flight::Instant& i) { return i.opening >= 0; }),
              false};
    now = next;
  }
  return {now, now.gap <= flight.tolerance()};
}

/// Separating plane at an instant, orthogonal to the shortest displacement.
SeparatingPlane at_plane_of(const Flight::Instant& then, const SeparatingPlane& start) {
  return {then.normal, start.gap, std::max(0.0, then.gap - then.time * then.opening), then.wall};
}

}  // namespace

SeparatingPlane plane_between_spheres(const Vec3& apart, double touch, const Vec3& approach,
                                      double h) {
  const double distance = norm(apart), gap = distance - touch;
  SeparatingPlane plane{distance > 0 ? apart / distance : Vec3{0, 0, 1}, gap, gap, {}};
  const bool crosses = gap > 0 && gap + h * dot(plane.normal, approach) < 0;
  if (!crosses) return plane;
  // First root of |apart + t approach|² = touch², without cancellation [m²/s], [m²/s²]
  const double closing = -dot(apart, approach), speed2 = squared_norm(approach);
  const double outside = gap * (distance + touch),
               discriminant = closing * closing - speed2 * outside;
  const double first_touch = discriminant >= 0 ? outside / (closing + std::sqrt(discriminant)) : h;
  if (discriminant >= 0 && first_touch <= h) {
    plane.turn_cosine = dot(plane.normal, apart + first_touch * approach) / touch;
    return plane;
  }
  const Vec3 closest = apart + std::min(h, closing / speed2) * approach;
  const double least = norm(closest);
  plane.normal = closest / least;
  plane.remaining_gap = std::max(0.0, dot(plane.normal, apart) - touch);
  return plane;
}

Vec3 change_along(const Shape& shape, const Pose& pose, const Twist& twist, const Vec3& centre,
                  const Vec3& displacement, const Vec3& normal) {
  const auto nearest = [&](const Vec3& x) {
    const SurfaceDistance surface = signed_distance(shape, pose, x);
    return x - surface.distance * surface.normal;
  };
  return along(cross(twist.angular, nearest(centre + displacement) - nearest(centre)), normal);
}

SeparatingPlane plane_between(const Shape& shape, const Pose& pose, const Twist& twist,
                              const Vec3& centre, double radius, const Vec3& velocity, double h) {
  const Flight flight(shape, pose, twist, centre, radius, velocity);
  const Flight::Instant start = flight.at(0);
  SeparatingPlane plane{start.normal, start.gap, start.gap, start.wall};
  const bool crosses = start.gap > 0 && start.gap + h * start.opening < 0;
  if (start.gap <= 0 || (!crosses && twist.angular == Vec3{}) || flight.is_linear()) return plane;
  const auto [then, touches] = crosses ? meeting(flight, start, h) : Meeting{start, false};
  if (touches) {
    plane.turn_cosine = dot(start.normal, then.normal);
    return plane;
  }
  // A rotating shape may enter the path later.
  if (const Flight::Instant end = flight.at(h);
      twist.angular != Vec3{} && end.gap < -flight.tolerance())
    return at_plane_of(
        bisect(flight, then, end, [](const Flight::Instant& i) { return i.gap < 0; }), plane);
  return crosses ? at_plane_of(then, plane) : plane;
}

}  // namespace scree
