// Finds what is constant now, and changes later: fields, motors and motions that are scheduled.
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <vector>

#include "scree/geometry/shape.hpp"
#include "scree/sim/rest.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

constexpr int kTimesBefore = 8, kTimesLater = 2000;
constexpr std::size_t kBodiesSampled = 16;

/// Times from the begin of rest to the present, and from there to the end [s].
struct SampledTimes {
  std::vector<double> before, later;

  SampledTimes(double since, double now, double until) {
    for (int k = 0; k < kTimesBefore; ++k)
      before.push_back(since + (now - since) * k / kTimesBefore);
    for (int k = 1; k <= kTimesLater; ++k) later.push_back(now + (until - now) * k / kTimesLater);
  }

  /// True if a function is constant before, and another value comes later. One that cannot be
  /// evaluated is none: the step that calls it reports it.
  template <class F>
  bool changes(F&& value) const try {
    const auto first = value(before.front());
    const auto is_first = [&](double t) { return value(t) == first; };
    return std::ranges::all_of(before, is_first) && !std::ranges::all_of(later, is_first);
  } catch (const std::exception&) {
    return false;
  }
};

std::array<double, 7> numbers_of(const Pose& pose) {
  const Vec3& x = pose.position;
  const Quaternion& q = pose.orientation;
  return {x.x, x.y, x.z, q.w, q.x, q.y, q.z};
}

bool motion_changes(const Obstacle& obstacle, const SampledTimes& times) {
  if (obstacle.is_absent) return false;
  if (obstacle.path) return times.changes([&](double t) { return numbers_of(obstacle.path(t)); });
  if (!obstacle.motion) return false;  // a servo answers to its load
  return times.changes([&](double t) {
    const Twist twist = obstacle.motion(t);
    const Vec3 &v = twist.linear, &w = twist.angular;
    return std::array{v.x, v.y, v.z, w.x, w.y, w.z};
  });
}

/// True if a motor whose target no user has set changes.
bool motors_change(const Simulation& simulation, const SampledTimes& times) {
  const auto& targets = simulation.state().joint_targets;
  std::size_t index = 0;
  for (const Joint& joint : simulation.model().joints) {
    const std::size_t count = coordinates_of(joint.kind).size();
    for (std::size_t d = 0; d < std::min(count, joint.drives.size()); ++d) {
      const Motor& motor = joint.drives[d].motor;
      const bool is_set = !std::isnan(targets[index + d]);
      if (!is_set && motor.kind != Motor::Kind::none && motor.target && times.changes(motor.target))
        return true;
    }
    index += count;
  }
  return false;
}

bool field_changes(const Simulation& simulation, const Field& field, const SampledTimes& times) {
  const Bodies& bodies = simulation.state().bodies;
  const std::size_t stride = std::max<std::size_t>(bodies.size() / kBodiesSampled, 1);
  for (std::size_t i = 0; i < bodies.size(); i += stride) {
    if (!field.acts_on(bodies.id[i], bodies.material[i])) continue;
    const Vec3 x = domain_of(simulation.state().cell).home(bodies.position[i]);
    const Shape& shape = simulation.model().prototypes[bodies.prototype[i]].shape;
    const double volume = volume_properties(scaled(shape, bodies.radius[i])).volume;
    const auto value = [&](double t) {
      const std::array<double, kFieldVariables.size()> values{
          t, x.x, x.y, x.z, 0, 0, 0, 0, 0, 0, bodies.mass[i], bodies.radius[i], volume};
      std::array<double, 6> components{};
      for (std::size_t k = 0; k < 3; ++k) {
        components[k] = field.force[k](values);
        components[k + 3] = field.torque[k](values);
      }
      return components;
    };
    if (times.changes(value)) return true;
  }
  return false;
}

}  // namespace

bool changes_later(const Simulation& simulation, double since, double until) {
  const double now = simulation.state().time;
  if (!(until > now)) return false;
  const SampledTimes times(since, now, until);
  const Model& model = simulation.model();
  return std::ranges::any_of(model.obstacles,
                             [&](const Obstacle& o) { return motion_changes(o, times); }) ||
         motors_change(simulation, times) ||
         std::ranges::any_of(model.fields, [&](const Field& field) {
           return field_changes(simulation, field, times);
         });
}

}  // namespace scree
