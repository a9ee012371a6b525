// Checks of joints: settings, names, and closure at the start.
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/checks/check_model.hpp"
#include "sim/checks/requirements.hpp"
#include "sim/joints/joint_functions.hpp"
#include "sim/joints/motors.hpp"

namespace scree {
namespace {

using namespace requirements;

/// Text such as "the joint 'hinge'".
std::string called(const Joint& joint) { return "the joint '" + joint.name + "'"; }

/// Begin of a message about the motor of a coordinate.
std::string motor_of(const Joint& joint, const std::string& coordinate) {
  return called(joint) + " has a motor of its " + coordinate + " ";
}

void check_settings(const MotorSettings& settings, const JointDrive& drive, const std::string& of) {
  if (settings.kind == Motor::Kind::none) return;
  require(settings.kind == Motor::Kind::velocity || settings.kind == Motor::Kind::position ||
              settings.kind == Motor::Kind::force,
          of + "of no known kind");
  require(settings.max > 0, of + "with a maximum force or torque of " + text_of(settings.max) +
                                "; it must be above 0");
  require(settings.stiffness >= 0 && std::isfinite(settings.stiffness) && settings.damping >= 0 &&
              std::isfinite(settings.damping),
          of + "with stiffness " + text_of(settings.stiffness) + " and damping " +
              text_of(settings.damping) + "; both must be finite and not below 0");
  const double gains = settings.stiffness + settings.damping;
  require(settings.kind == Motor::Kind::position || gains == 0,
          of + "with stiffness or damping, which only a position motor has");
  const bool yields =
      std::isfinite(settings.max) || settings.kind == Motor::Kind::force || gains > 0;
  require(yields || !drive.has_limits(), of + "without a maximum force, against limits; set max");
}

void check_motor(const Joint& joint, const JointDrive& drive, const std::string& coordinate) {
  const Motor& motor = drive.motor;
  const std::string of = motor_of(joint, coordinate);
  if (motor.kind == Motor::Kind::none) return;
  check_settings(settings_of(motor), drive, of);
  require(static_cast<bool>(motor.target), of + "without a target");
  require(motor.kind == Motor::Kind::force || !motor.damper,
          of + "with a damper, which only a force motor has");
}

void check_drive(const Joint& joint, const JointDrive& drive, const JointCoordinate& coordinate) {
  const std::string of = called(joint) + " has for its " + coordinate.name + " ";
  require(!std::isnan(drive.lower) && !std::isnan(drive.upper) && drive.lower <= drive.upper,
          of + "the limits " + text_of(drive.lower) + " and " + text_of(drive.upper) +
              "; the lower one must not be above the upper one");
  const auto not_negative = [&](const char* what, double value) {
    require(value >= 0 && std::isfinite(value),
            of + "a " + what + " of " + text_of(value) + "; it must be finite and not below 0");
  };
  require(drive.rebound >= 0 && drive.rebound <= 1,
          of + "a rebound of " + text_of(drive.rebound) + "; it must be from 0 to 1");
  not_negative("stiffness", drive.stiffness);
  not_negative("damping", drive.damping);
  not_negative("friction", drive.friction);
  not_negative("friction of force", drive.friction_of_force);
  not_negative("armature", drive.armature);
  require(joint.kind != JointKind::spherical || drive.armature == 0,
          of + "an armature, which a spherical joint cannot have");
  require(std::isfinite(drive.rest),
          of + "a spring at rest at " + text_of(drive.rest) + "; it must be finite");
  check_motor(joint, drive, coordinate.name);
}

/// Checks the drive of the angle of rotation of a spherical joint.
void check_max_angle(const Joint& joint, JointDrive drive) {
  require(drive.upper > 0, called(joint) + " has a largest angle of " + text_of(drive.upper) +
                               "; it must be above 0");
  require(drive.lower <= 0, called(joint) + " has a smallest angle; give a largest one alone");
  drive.lower = -std::numeric_limits<double>::infinity();
  drive.upper = std::numeric_limits<double>::infinity();
  require(drive.is_free(), called(joint) + " has a drive of its angle; give it to its turns");
}

void check_end(const Model& model, const Joint& joint, const JointEnd& end, const char* which) {
  const std::string of = called(joint) + " holds with its end " + which + " ";
  require(end.body == kWorld || !is_obstacle(end.body) ||
              end.body.value - kFirstObstacleId < model.obstacles.size(),
          of + "an obstacle that does not exist");
  require(is_finite(end.frame.position), of + "a position that is not finite");
  require(std::abs(norm(end.frame.orientation) - 1) < 1e-6,
          of + "a frame whose orientation is not a quaternion of length 1");
}

/// Checks a gear, number `index` of all joints.
void check_gear(const Model& model, const Joint& joint, std::size_t index) {
  for (const GearEnd& end : joint.geared) {
    require(end.joint < index, called(joint) +
                                   " couples a joint that does not come before "
                                   "it; name two joints before it");
    const Joint& of = model.joints[end.joint];
    const auto coordinates = coordinates_of(of.kind);
    require(end.coordinate >= 0 && static_cast<std::size_t>(end.coordinate) < coordinates.size(),
            called(joint) + " couples a coordinate that " + called(of) + " does not have; " +
                std::string(name(of.kind)) + " has " + text_of(coordinates.size()));
  }
  const auto is_angle = [&](const GearEnd& end) {
    return coordinates_of(model.joints[end.joint].kind)[static_cast<std::size_t>(end.coordinate)]
        .is_angle;
  };
  const bool first = is_angle(joint.geared[0]), second = is_angle(joint.geared[1]);
  if (joint.kind == JointKind::gear)
    require(first == second, called(joint) +
                                 " couples an angle and a length; use a rack. A gear couples two "
                                 "angles, or two lengths");
  else
    require(!first && second, called(joint) +
                                  " is a rack, which must couple a length, first, and an "
                                  "angle, second");
  require(joint.geared[0].joint != joint.geared[1].joint ||
              joint.geared[0].coordinate != joint.geared[1].coordinate,
          called(joint) + " couples a coordinate with itself");
  require(
      joint.ratio != 0 && std::isfinite(joint.ratio),
      called(joint) + " has a ratio of " + text_of(joint.ratio) + "; it must be finite and not 0");
  require(std::isfinite(joint.offset), called(joint) + " has an offset that is not finite");
  require(joint.drives.empty(), called(joint) + " has drives; give them to the joints it couples");
}

void check_joint(const Model& model, const Joint& joint, std::size_t index) {
  require(std::ranges::count(kJointKinds, joint.kind) == 1, called(joint) + " is of no known kind");
  require(joint.strength > 0 && joint.torque_strength > 0,
          called(joint) + " breaks at " + text_of(joint.strength) + " N and " +
              text_of(joint.torque_strength) + " N m; both must be above 0");
  if (is_gear(joint.kind)) return check_gear(model, joint, index);
  check_end(model, joint, joint.a, "a");
  check_end(model, joint, joint.b, "b");
  require(joint.a.body != joint.b.body,
          called(joint) + " joins a body to itself; name two bodies, or a body and world");
  require(!is_obstacle(joint.a.body) || !is_obstacle(joint.b.body),
          called(joint) + " joins two ends of which neither is a free body");
  const auto coordinates = coordinates_of(joint.kind);
  const bool has_angle =
      joint.kind == JointKind::spherical && joint.drives.size() == std::size_t{kMaxDrives};
  require(has_angle || joint.drives.size() <= coordinates.size(),
          called(joint) + " drives " + text_of(joint.drives.size()) + " coordinates; " +
              std::string(name(joint.kind)) + " has " + text_of(coordinates.size()));
  for (std::size_t k = 0; k < std::min(joint.drives.size(), coordinates.size()); ++k)
    check_drive(joint, joint.drives[k], coordinates[k]);
  if (has_angle) check_max_angle(joint, joint.drives[kMaxCoordinates]);
  if (joint.kind == JointKind::distance)
    require(joint.length > 0 && std::isfinite(joint.length),
            called(joint) + " keeps a distance of " + text_of(joint.length) +
                " m; it must be finite and above 0");
  if (joint.kind == JointKind::rolling)
    require(joint.length > 0 && std::isfinite(joint.length),
            called(joint) + " rolls with a radius of " + text_of(joint.length) +
                " m; it must be finite and above 0");
  require(std::isfinite(joint.pitch), called(joint) + " has a pitch that is not finite");
}

/// Checks that the solver supports drives.
void require_drives(const Model& model) {
  require(model.solver.method == SolverKind::gauss_seidel,
          "solver.method is " + std::string(name(model.solver.method)) +
              ", which does not support limits, motors, springs and friction of joints; use "
              "gauss_seidel");
}

/// Checks names, and settings that only some joints support.
void check_joints_together(const Model& model) {
  std::set<std::string> names;
  for (const Joint& joint : model.joints)
    require(names.insert(joint.name).second,
            "two joints have the name '" + joint.name + "'; give each its own name");
  for (const FreeCoordinate& each : free_coordinates(model.joints)) {
    const bool is_of_joint = each.name == model.joints[each.joint].name &&
                             coordinates_of(model.joints[each.joint].kind).size() == 1;
    require(is_of_joint || names.insert(each.name).second,
            "a coordinate of the joint '" + model.joints[each.joint].name + "' has the name '" +
                each.name + "', which is taken; give it its own name");
  }
  if (model.joints.empty()) return;
  const bool drives = std::ranges::any_of(model.joints, [](const Joint& joint) {
    return std::ranges::any_of(joint.drives,
                               [](const JointDrive& drive) { return !drive.is_free(); });
  });
  if (drives) require_drives(model);
}

}  // namespace

namespace {

void check_memory(const JointState& memory, std::size_t k) {
  for (const auto& of : memory.driven)
    for (const double r : of) require_finite({"joints", k, "driven"}, r);
  for (const double r : memory.held) require_finite({"joints", k, "held"}, r);
  for (const double x : memory.coordinate) require_finite({"joints", k, "coordinate"}, x);
  for (const double u : memory.curvature) require_finite({"joints", k, "curvature"}, u);
  require_finite({"joints", k, "stored"}, memory.stored);
  require_finite({"joints", k, "broken_at"}, memory.broken_at);
  require_finite({"joints", k, "detached_at"}, memory.detached_at);
  require_finite({"joints", k, "attached_at"}, memory.attached_at);
  require_finite({"joints", k, "frame_b"}, memory.frame_b.position);
  require(std::abs(norm(memory.frame_b.orientation) - 1) < 1e-6, {"joints", k, "frame_b"},
          memory.frame_b.orientation, "its orientation must have the length 1");
}

/// Poses of a joint's ends, and the size of its bodies.
struct Ends {
  Pose a, b;
  double size = 0;                                         ///< size of bodies and arms [m]
  double lever = std::numeric_limits<double>::infinity();  ///< the smaller radius [m]
};

Ends ends_of(const Joint& joint, const State& state) {
  Ends ends;
  const auto pose_of = [&](const JointEnd& end, const char* which) -> Pose {
    if (end.body == kWorld) return {};
    if (is_obstacle(end.body)) return state.obstacles[end.body.value - kFirstObstacleId].pose;
    const auto i = static_cast<std::size_t>(std::ranges::find(state.bodies.id, end.body) -
                                            state.bodies.id.begin());
    require(i < state.bodies.size(), called(joint) + " holds with its end " + which + " body " +
                                         std::to_string(end.body.value) + ", which does not exist");
    ends.size += state.bodies.radius[i] + norm(end.frame.position);
    ends.lever = std::min(ends.lever, state.bodies.radius[i]);
    return {state.bodies.position[i], state.bodies.orientation[i]};
  };
  ends.a = pose_of(joint.a, "a");
  ends.b = pose_of(joint.b, "b");
  return ends;
}

// Tolerance for rounded input, relative to the size.
constexpr double kClosureTolerance = 1e-6;

/// Checks a gear at the start.
void check_meshed(const Model& model, const Joint& gear, const State& state) {
  const double first = coordinate_at_start(model, state, gear.geared[0]),
               second = coordinate_at_start(model, state, gear.geared[1]),
               offset = first - gear.ratio * second;
  const double size =
      gear.kind == JointKind::gear ? 1 : ends_of(model.joints[gear.geared[0].joint], state).size;
  require(std::abs(offset - gear.offset) <=
              kClosureTolerance * (size + std::abs(first) + std::abs(gear.ratio * second)),
          called(gear) + " does not close at the start: its coordinates are " + text_of(first) +
              " and " + text_of(second) + ", and with its ratio of " + text_of(gear.ratio) +
              " its offset would be " + text_of(offset) + ", not " + text_of(gear.offset));
}

const char* name_of_drive(JointKind kind, std::size_t d) {
  const auto coordinates = coordinates_of(kind);
  return d < coordinates.size() ? coordinates[d].name : "angle";
}

/// Checks that a joint is closed at the start.
void check_closed(const Model& model, const Joint& joint, const State& state) {
  if (!joint.attached) return;
  if (is_gear(joint.kind)) return check_meshed(model, joint, state);
  const Ends ends = ends_of(joint, state);
  const JointFrames frames = frames_of(model.domain, joint, {}, ends.a, ends.b);
  const JointFunctions at = functions_of(joint, frames, {});
  double apart = 0, turned = 0;
  bool turns_about_z = false;
  for (int row = 0; row < at.held_count; ++row) {
    const JointFunction& held = at.held[static_cast<std::size_t>(row)];
    double& missed = held.is_angle ? turned : apart;
    missed = std::hypot(missed, held.value);
    turns_about_z = turns_about_z || held.is_angle;
  }
  require(apart <= kClosureTolerance * ends.size,
          called(joint) + " does not close at the start: its ends are " + text_of(apart) +
              " m apart; move its bodies, or its ends");
  // Antiparallel axes are as aligned as parallel ones.
  const bool turned_over =
      turns_about_z && joint.kind != JointKind::universal && dot(frames.z, frames.z_b) < 0;
  require(!turned_over && turned * ends.lever <= kClosureTolerance * ends.size,
          called(joint) +
              " does not close at the start: its frames are rotated against each "
              "other by " +
              text_of(turned_over ? std::acos(-1.0) : turned) +
              " rad; rotate its bodies, or its ends");
  for (std::size_t d = 0; d < joint.drives.size(); ++d) {
    const JointDrive& drive = joint.drives[d];
    const double value = at.free[d].value,
                 skin = kClosureTolerance * (at.free[d].is_angle ? 1 : ends.size);
    require(value >= drive.lower - skin && value <= drive.upper + skin,
            called(joint) + " begins with its " + name_of_drive(joint.kind, d) + " at " +
                text_of(value) + ", outside its limits " + text_of(drive.lower) + " and " +
                text_of(drive.upper));
  }
}

}  // namespace

double coordinate_at_start(const Model& model, const State& state, const GearEnd& coordinate) {
  const Joint& joint = model.joints[coordinate.joint];
  const Ends ends = ends_of(joint, state);
  const JointFrames frames = frames_of(model.domain, joint, {}, ends.a, ends.b);
  return functions_of(joint, frames, {})
      .free[static_cast<std::size_t>(coordinate.coordinate)]
      .value;
}

void check_joint(const Model& model, const State& state, std::size_t joint) {
  check_joint(model, model.joints[joint], joint);
  check_joints_together(model);
  check_closed(model, model.joints[joint], state);
}

void check_joints(const Model& model) {
  for (std::size_t k = 0; k < model.joints.size(); ++k) check_joint(model, model.joints[k], k);
  check_joints_together(model);
}

void check_motor(const Model& model, const FreeCoordinate& coordinate,
                 const MotorSettings& settings) {
  const Joint& joint = model.joints[coordinate.joint];
  const auto k = static_cast<std::size_t>(coordinate.coordinate);
  if (settings.kind != Motor::Kind::none) require_drives(model);
  check_settings(settings, drive_of(joint, k), motor_of(joint, coordinates_of(joint.kind)[k].name));
}

/// Checks targets and motors that a user has set.
static void check_commands(const Model& model, const State& state) {
  for (std::size_t k = 0; k < state.joint_targets.size(); ++k)
    require(!std::isinf(state.joint_targets[k]), {{}, 0, "joint_targets[" + text_of(k) + "]"},
            state.joint_targets[k], "it must be finite, or NaN for the target of the model");
  if (state.changed_motors.empty()) return;
  const std::vector<FreeCoordinate> coordinates = free_coordinates(model.joints);
  for (std::size_t k = 0; k < state.changed_motors.size(); ++k) {
    const ChangedMotor& changed = state.changed_motors[k];
    require_index({"changed_motors", k, "coordinate"}, changed.coordinate, coordinates.size(),
                  "free coordinates");
    require(k == 0 || state.changed_motors[k - 1].coordinate < changed.coordinate,
            {"changed_motors", k, "coordinate"}, changed.coordinate,
            "it must be above the previous one");
    require(changed.kind <= static_cast<std::uint64_t>(Motor::Kind::force),
            {"changed_motors", k, "kind"}, changed.kind, "there is no such kind");
    check_motor(
        model, coordinates[changed.coordinate],
        {static_cast<Motor::Kind>(changed.kind), changed.max, changed.stiffness, changed.damping});
  }
}

void check_joints(const Model& model, const State& state) {
  require(state.joints.size() == model.joints.size(),
          "the state is not one of this model: begin with initial_state(model)");
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    check_memory(state.joints[k], k);
    // Later on bodies may have left.
    if (state.step == 0) check_closed(model, model.joints[k], state);
  }
  check_commands(model, state);
}

}  // namespace scree
