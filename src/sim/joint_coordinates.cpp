/// Free coordinates of joints: values after a step, and changes of motors.
#include "scree/sim/joint_coordinates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "scree/core/error.hpp"
#include "scree/core/spelling.hpp"
#include "sim/checks/check_model.hpp"
#include "sim/joints/joint_places.hpp"
#include "sim/joints/motors.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {
namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();
constexpr double kTargetOfModel = std::numeric_limits<double>::quiet_NaN();

void require_size(std::size_t found, std::size_t coordinates) {
  if (found != coordinates)
    throw InputError("an array has " + std::to_string(found) + " values; there are " +
                     std::to_string(coordinates) + " free coordinates of joints");
}

}  // namespace

const std::vector<FreeCoordinate>& JointCoordinates::all() const { return internals_->coordinates; }

std::size_t JointCoordinates::index_of(std::string_view name) const {
  const auto found = std::ranges::find(all(), name, &FreeCoordinate::name);
  if (found != all().end()) return static_cast<std::size_t>(found - all().begin());
  std::vector<std::string> names;
  for (const FreeCoordinate& each : all()) names.push_back(each.name);
  throw InputError("there is no free coordinate '" + std::string(name) + "' of a joint" +
                   suggestion(name, names));
}

const FreeCoordinate& JointCoordinates::coordinate(std::size_t k) const {
  if (k >= size())
    throw InputError("there is no free coordinate " + std::to_string(k) + " of joints; there are " +
                     std::to_string(size()) + ", counted from 0");
  return all()[k];
}

void JointCoordinates::copy_positions(std::span<double> to) const {
  require_size(to.size(), size());
  for (std::size_t k = 0; k < to.size(); ++k) {
    const auto& [name, joint, d, is_angle] = all()[k];
    to[k] = internals_->scratch.joints.ends[joint].is_there
                ? internals_->state.joints[joint].coordinate[static_cast<std::size_t>(d)]
                : kNotThere;
  }
}

void JointCoordinates::copy_velocities(std::span<double> to) const {
  require_size(to.size(), size());
  const StepContext c = internals_->context();
  const auto moving = [&](BodyIndex end) {
    return is_free_body(end) ? motion_before(c, end) : motion_of_wall(c, end);
  };
  for (std::size_t k = 0; k < to.size(); ++k) {
    const auto& [name, joint, d, is_angle] = all()[k];
    const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
    to[k] = kNotThere;
    if (!ends.is_there) continue;
    const JointFrames frames = frames_now(c, joint);
    const JointFunctions rows =
        functions_of(c.model.joints[joint], frames, c.state.joints[joint].coordinate);
    to[k] = rate_of(rows.free[static_cast<std::size_t>(d)],
                    motion_between(frames, moving(ends.a), moving(ends.b)));
  }
}

void JointCoordinates::copy_efforts(std::span<double> to) const {
  require_size(to.size(), size());
  std::ranges::fill(to, 0);
  const JointScratch& s = internals_->scratch.joints;
  std::size_t first = 0;
  for (std::size_t b = 0; b < s.blocks.size(); ++b) {
    const JointScratch::Block& of = s.blocks[b];
    if (of.coordinate == JointScratch::kHeld) continue;
    // Blocks have the order of the joints.
    while (all()[first].joint != of.joint) ++first;
    const JointBlock& block = internals_->scratch.problem.joints[b];
    std::array<double, kMaxCoordinates> efforts{};
    for (int row = 0; row < block.rows; ++row)
      if (of.is_effort(row))
        add_effort(of, s.row(b, static_cast<std::size_t>(row)), block.impulse[row] / s.effective_dt,
                   efforts);
    for (std::size_t k = first; k < size() && all()[k].joint == of.joint; ++k)
      to[k] += efforts[k - first];
  }
}

const JointDrive& JointCoordinates::drive(std::size_t k) const {
  const FreeCoordinate& of = coordinate(k);
  return drive_of(internals_->model.joints[of.joint], static_cast<std::size_t>(of.coordinate));
}

std::span<double> JointCoordinates::targets() { return internals_->state.joint_targets; }

void JointCoordinates::set_targets(std::span<const double> targets) {
  require_size(targets.size(), size());
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (std::isnan(targets[k])) continue;
    if (std::isinf(targets[k]))
      throw InputError("the target of '" + all()[k].name +
                       "' is infinite; give a number, or NaN for the target of the scene");
    if (motor(k).kind == Motor::Kind::none)
      throw InputError("'" + all()[k].name +
                       "' has no motor, and cannot follow a target; give it a motor first");
  }
  // The sign of a NaN means nothing.
  std::ranges::transform(targets, this->targets().begin(), [](double target) {
    return std::isnan(target) ? kTargetOfModel : target;
  });
}

MotorSettings JointCoordinates::motor(std::size_t k) const {
  return motor_settings(internals_->state, drive(k).motor, k);
}

void JointCoordinates::change_motor(std::size_t k, const MotorSettings& settings) {
  check_motor(internals_->model, coordinate(k), settings);
  auto& changed = internals_->state.changed_motors;
  auto entry = std::ranges::lower_bound(changed, k, {}, &ChangedMotor::coordinate);
  const bool listed = entry != changed.end() && entry->coordinate == k;
  if (settings == settings_of(drive(k).motor)) {
    if (listed) changed.erase(entry);
    return;
  }
  if (!listed) entry = changed.insert(entry, {.coordinate = k});
  *entry = {k, static_cast<std::uint64_t>(settings.kind), settings.max, settings.stiffness,
            settings.damping};
}

}  // namespace scree
