/// Estimate of the speed at which bodies of a scene may meet, from its velocities, heights and
/// prescribed motions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/sim/force_times.hpp"

namespace scree {
namespace {

/// Size of the box of all velocities of bodies and of zero.
double meeting_speed(const Model& model, const State& state) {
  Vec3 low, high;
  const auto take = [&](const Vec3& velocity) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], velocity[axis]);
      high[axis] = std::max(high[axis], velocity[axis]);
    }
  };
  for (const Vec3& velocity : state.bodies.velocity) take(velocity);
  for (const Inflow& inflow : model.inflows) {
    take(inflow.velocity - inflow.jitter);
    take(inflow.velocity + inflow.jitter);
  }
  // Belts bring bodies to their speed.
  for (const Obstacle& obstacle : model.obstacles)
    take(rotate(obstacle.pose.orientation, obstacle.surface_velocity));
  for (const Filling& filling : model.fillings) {
    take(filling.velocity - filling.jitter);
    take(filling.velocity + filling.jitter);
  }
  return norm(high - low);
}

/// Starts of possible falls: lowest points of bodies and of positions of inflows, corners of
/// fillings, and tops of moving obstacles, which may lift bodies there.
std::vector<Vec3> starts_of_falls(const Model& model, const State& state, const Vec3& up) {
  std::vector<Vec3> starts;
  const Bodies& bodies = state.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    starts.push_back(bodies.position[i] - bodies.radius[i] * up);
  for (const Inflow& inflow : model.inflows)
    for (const Vec3& position : inflow.layer) starts.push_back(position - inflow.radius * up);
  for (const Filling& filling : model.fillings)
    for (const double x : {filling.min.x, filling.max.x})
      for (const double y : {filling.min.y, filling.max.y})
        for (const double z : {filling.min.z, filling.max.z}) starts.push_back({x, y, z});
  for (std::size_t k = 0; k < model.obstacles.size(); ++k) {
    const Obstacle& obstacle = model.obstacles[k];
    if (!obstacle.is_moved() || std::holds_alternative<HalfSpace>(obstacle.shape)) continue;
    starts.push_back(state.obstacles[k].pose.position + bounding_radius(obstacle.shape) * up);
  }
  return starts;
}

/// Height that a point can fall: onto the nearest floor, which is a half-space that faces up, or
/// past the lowest of the other obstacles.
double drop_from(const Vec3& start, const Model& model, const State& state, const Vec3& up) {
  double floor = std::numeric_limits<double>::infinity(), lowest = 0;
  for (std::size_t k = 0; k < model.obstacles.size(); ++k) {
    const Pose& pose = state.obstacles[k].pose;
    const double above = dot(start - pose.position, up);
    if (!std::holds_alternative<HalfSpace>(model.obstacles[k].shape)) {
      lowest = std::max(lowest, above + bounding_radius(model.obstacles[k].shape));
      continue;
    }
    // A normal with a smaller upward component is a wall's.
    constexpr double kMinUpwardNormal = 1e-3;
    const Vec3 normal = rotate(pose.orientation, {0, 0, 1});
    const double slope = dot(normal, up);
    if (slope > kMinUpwardNormal)
      floor = std::min(floor, dot(start - pose.position, normal) / slope);
  }
  return std::max(0.0, std::isfinite(floor) ? floor : lowest);
}

double largest_drop(const Model& model, const State& state, const Vec3& up) {
  double drop = 0;
  for (const Vec3& start : starts_of_falls(model, state, up))
    drop = std::max(drop, drop_from(start, model, state, up));
  return drop;
}

/// Distance of the bodies from a half-space that rotates, or extent of another shape.
double reach_of(const Obstacle& obstacle, const Pose& pose, const Bodies& bodies) {
  if (!std::holds_alternative<HalfSpace>(obstacle.shape)) return bounding_radius(obstacle.shape);
  double reach = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    reach = std::max(reach, norm(bodies.position[i] - pose.position) + bodies.radius[i]);
  return reach;
}

/// Twist of a prescribed obstacle without load, in a step from time t on.
Twist twist_at(const Obstacle& obstacle, double t, double h) {
  return obstacle.path ? twist_between(obstacle.path(t), obstacle.path(t + h), h)
                       : obstacle.twist_at(t, {});
}

/// Largest finite speed(twist) of an obstacle, at the start and at times without a common period,
/// evaluated in rising order. A useless motion is reported when the run follows it.
template <class Speed>
double fastest_of(const Obstacle& obstacle, const Twist& start, const Model& model, double until,
                  Speed&& speed) {
  constexpr int kMotionSamples = 4096;
  constexpr double kGoldenRatio = 0.6180339887498949;
  double fastest = 0;
  const auto take = [&](const Twist& twist) {
    if (const double fast = speed(twist); std::isfinite(fast)) fastest = std::max(fastest, fast);
  };
  take(start);
  if (!obstacle.is_moved()) return fastest;
  std::vector<double> times;
  times.reserve(kMotionSamples);
  for (int sample = 0; sample < kMotionSamples; ++sample)
    times.push_back(until * std::fmod(sample * kGoldenRatio, 1.0));
  std::ranges::sort(times);
  constexpr double kShortStepOfRun = 1e-6;  // fraction of the run, where the step is not known yet
  const double h = model.step.h > 0 ? model.step.h : kShortStepOfRun * until;
  try {
    for (const double t : times) take(twist_at(obstacle, t, h));
  } catch (...) {
    return fastest;
  }
  return fastest;
}

double speed_of_obstacles(const Model& model, const State& state, double until) {
  double fastest = 0;
  for (std::size_t k = 0; k < model.obstacles.size(); ++k) {
    const Obstacle& obstacle = model.obstacles[k];
    const auto& [pose, twist] = state.obstacles[k];
    const double reach = reach_of(obstacle, pose, state.bodies);
    fastest = std::max(fastest, fastest_of(obstacle, twist, model, until, [&](const Twist& t) {
                         return norm(t.linear) + norm(t.angular) * reach;
                       }));
  }
  return fastest;
}

}  // namespace

double fastest_turn(const Model& model, const State& state, std::uint32_t obstacle, double until) {
  return fastest_of(model.obstacles[obstacle], state.obstacles[obstacle].twist, model, until,
                    [](const Twist& twist) { return norm(twist.angular); });
}

double ImpactEstimate::speed() const {
  const double fastest = std::hypot(meeting, fall) + obstacles;
  return fastest > 0 ? fastest : 1;
}

ImpactEstimate impact_estimate(const Model& model, const State& state, double until) {
  ImpactEstimate estimate{.meeting = meeting_speed(model, state),
                          .obstacles = speed_of_obstacles(model, state, until)};
  const double g = norm(model.gravity);
  if (!(g > 0)) return estimate;
  estimate.drop = largest_drop(model, state, model.gravity / -g);
  estimate.fall = std::min(std::sqrt(2 * g * estimate.drop), g * until);
  return estimate;
}

}  // namespace scree
