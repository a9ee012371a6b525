// Motors in a step: targets and settings of the model, or those of users.
#include "sim/joints/motors.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/decimal.hpp"
#include "sim/checks/user_function.hpp"
#include "sim/joints/joint_places.hpp"
#include "sim/joints/joints.hpp"

namespace scree {

const JointDrive& drive_of(const Joint& joint, std::size_t coordinate) {
  static const JointDrive free{};
  return coordinate < joint.drives.size() ? joint.drives[coordinate] : free;
}

MotorSettings motor_settings(const State& state, const Motor& of_model, std::size_t index) {
  const auto& changed = state.changed_motors;
  const auto found = std::ranges::lower_bound(changed, index, {}, &ChangedMotor::coordinate);
  if (found == changed.end() || found->coordinate != index) return settings_of(of_model);
  return {static_cast<Motor::Kind>(found->kind), found->max, found->stiffness, found->damping};
}

namespace {

using StepMotor = JointScratch::StepMotor;

/// Times at which the targets of motors are evaluated [s].
struct TargetTimes {
  double of_velocity, of_position, of_force, step;

  explicit TargetTimes(const StepContext& c)
      : of_velocity(c.state.time + c.model.step.h / 2),
        of_position(decimal_multiple(c.state.step + 1, c.model.step.h)),
        of_force(c.state.time),
        step(c.model.step.h) {}
  double of(Motor::Kind kind) const {
    if (kind == Motor::Kind::velocity) return of_velocity;
    return kind == Motor::Kind::position ? of_position : of_force;
  }
};

/// Sets target and damper from the model's functions. Returns the fault of their values, or empty.
std::string ask_model(const Motor& of_model, const TargetTimes& times, bool needs_target,
                      StepMotor& motor) {
  const double t = times.of(motor.kind);
  return fault_of_asking([&] {
    if (needs_target) motor.target = of_model.target(t);
    if (needs_target && motor.kind == Motor::Kind::position && has_gains(motor))
      motor.target_rate = (motor.target - of_model.target(t - times.step)) / times.step;
    if (!std::isfinite(motor.target + motor.target_rate))
      return "the target of its motor is not finite";
    motor.damps_error = of_model.damps_error;
    motor.damper = of_model.damper ? of_model.damper(t) : 0;
    const bool damps = motor.damper >= 0 && std::isfinite(motor.damper);
    return damps ? "" : "the damper of its motor is not finite, or below 0";
  });
}

/// Finds the motor of a coordinate in this step. Returns its fault, or empty. A motor without a
/// target is none: that of the model counts only for a motor of the same kind.
std::string evaluate_motor(const StepContext& c, const TargetTimes& times, const Motor& of_model,
                           std::size_t index, StepMotor& motor) {
  static_cast<MotorSettings&>(motor) = motor_settings(c.state, of_model, index);
  const double target = c.state.joint_targets[index];
  const bool is_set = !std::isnan(target);
  if (is_set) {
    motor.target = target;
    if (motor.kind == Motor::Kind::none)
      return "it has a target that was set by hand, and no motor";
  }
  const bool is_of_model = motor.kind == of_model.kind && motor.kind != Motor::Kind::none;
  if (is_of_model) return ask_model(of_model, times, !is_set, motor);
  if (!is_set) motor.kind = Motor::Kind::none;
  return std::isfinite(motor.target) ? "" : "the target of its motor is not finite";
}

void report_fault(StepContext& c, std::uint32_t joint, Motor::Kind kind, const std::string& fault) {
  measure(c);
  c.report.converged = false;
  c.report.motion_fault = MotionFault{0, TargetTimes(c).of(kind), fault, joint};
}

}  // namespace

bool evaluate_motors(StepContext& c) {
  auto& motors = c.scratch.joints.motors;
  motors.assign(c.model.joints.size(), {});
  c.scratch.joints.limits.assign(c.model.joints.size(), {});
  const TargetTimes times(c);
  std::size_t index = 0;
  for (std::uint32_t k = 0; k < c.model.joints.size(); ++k) {
    const Joint& joint = c.model.joints[k];
    const std::size_t count = coordinates_of(joint.kind).size();
    for (std::size_t d = 0; d < count; ++d, ++index) {
      const Motor& of_model = drive_of(joint, d).motor;
      const std::string fault = evaluate_motor(c, times, of_model, index, motors[k][d]);
      if (fault.empty()) continue;
      report_fault(c, k, motors[k][d].kind, fault);
      return false;
    }
  }
  return true;
}

}  // namespace scree
