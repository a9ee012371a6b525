/// Reads joints, their motors and gears.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scree/core/spelling.hpp"
#include "sim/checks/check_model.hpp"

namespace scree::scene {

std::optional<BodyId> end_of(Build& build, const Node& name) {
  if (name.text == "world") return kWorld;
  if (const auto body = build.body_names.find(name.text); body != build.body_names.end())
    return body->second;
  const auto& obstacles = build.scene.model.obstacles;
  const auto obstacle = std::ranges::find(obstacles, name.text, &Obstacle::name);
  if (obstacle != obstacles.end())
    return obstacle_id(static_cast<std::uint32_t>(obstacle - obstacles.begin()));
  std::vector<std::string> known{"world"};
  for (const auto& [body, id] : build.body_names) known.push_back(body);
  for (const Obstacle& each : obstacles) known.push_back(each.name);
  build.problems.report(
      name,
      fmt::format("there is no body or obstacle '{}'{}; name one with the key name, or write world",
                  name.text, suggestion(name.text, known)));
  return {};
}

namespace {

Pose pose_of_end(const Build& build, BodyId id) {
  if (id == kWorld) return {};
  if (is_obstacle(id)) return build.scene.model.obstacles[id.value - kFirstObstacleId].pose;
  const Bodies& bodies = build.scene.state.bodies;
  const auto i = static_cast<std::size_t>(std::ranges::find(bodies.id, id) - bodies.id.begin());
  return {bodies.position[i], bodies.orientation[i]};
}

/// Joint end whose frame is at `frame` at t = 0.
JointEnd end_at(const Build& build, BodyId id, const Pose& frame) {
  const Pose of = pose_of_end(build, id);
  return {id,
          {rotate_back(of.orientation, frame.position - of.position),
           normalised(conjugate(of.orientation) * frame.orientation)}};
}

/// Axes of a joint: z along axis, x along axis_2 where given; none, and reported, if they are not
/// valid.
std::optional<Quaternion> axes_of(Build& build, const Node& node) {
  const Node *axis = node.find("axis"), *other = node.find("axis_2");
  if (!axis) return Quaternion{};
  const auto z = unit_direction(*axis, build.problems);
  if (!z) return {};
  const Quaternion upright = rotation_between(kUp, *z);
  if (!other) return upright;
  auto x = unit_direction(*other, build.problems);
  if (!x) return {};
  constexpr double kAcross = 1e-6;
  if (std::abs(dot(*x, *z)) > kAcross) {
    build.problems.report(
        *other,
        fmt::format(
            "axis_2 must be perpendicular to axis; the angle between them is {:.4g} degrees",
            std::acos(std::clamp(dot(*x, *z), -1.0, 1.0)) * 180 / std::acos(-1.0)));
    return {};
  }
  const Vec3 at = rotate_back(upright, *x);
  return upright * rotation(kUp, std::atan2(at.y, at.x));
}

constexpr std::pair<const char*, Motor::Kind> kMotorKinds[] = {{"velocity", Motor::Kind::velocity},
                                                               {"position", Motor::Kind::position},
                                                               {"force", Motor::Kind::force}};

void warn_of_unrest(Build& build, const Node& target) {
  if (!build.scene.rest || target.is_number()) return;
  build.problems.warn(target,
                      "the run ends at rest, even if this motor starts later; let it move from the "
                      "start, or set until to a time");
}

/// A rigid position motor asks for all of its way in one step, so it brakes too late if its force
/// is limited.
void warn_of_swing(Build& build, const Node& node, const Motor& motor) {
  if (motor.kind != Motor::Kind::position || has_gains(settings_of(motor)) ||
      motor.max == std::numeric_limits<double>::infinity())
    return;
  build.problems.warn(node,
                      "a position motor with a maximum and without stiffness may overshoot its "
                      "target and swing about it for ever; give it a stiffness k and a damping of "
                      "about 2 sqrt(k m), m the mass or moment that it moves");
}

/// Reads a motor's table; false, and reported, if it cannot be used.
bool read_motor_table(Build& build, const Node& node, const Node& table, Motor& motor) {
  const Node* gives_node = node.find("gives");
  const std::string gives = gives_node ? gives_node->text : "position";
  for (const auto& [key, kind] : kMotorKinds)
    if (gives == key) motor.kind = kind;
  const Node* column = node.find("column");
  const auto values = read_value_table(build, table, column ? column->text : gives);
  if (!values) return false;
  motor.target = *values;
  warn_of_unrest(build, table);
  return true;
}

std::optional<Motor> read_motor(Build& build, const Node& node) {
  Motor motor;
  int targets = 0;
  for (const auto& [key, kind] : kMotorKinds) {
    const Node* target = node.find(key);
    if (!target) continue;
    ++targets;
    motor.kind = kind;
    warn_of_unrest(build, *target);
    const auto expression = read_expression(build, *target);
    if (!expression) return {};
    motor.target = [law = *expression](double t) { return law(t); };
  }
  const Node* table = node.find("table");
  for (const char* key : {"gives", "column"})
    if (const Node* of_table = node.find(key); of_table && !table) {
      build.problems.report(*of_table,
                            "this key needs 'table', and there is none; remove it, or add a table");
      return {};
    }
  if (targets + (table != nullptr) != 1) {
    build.problems.report(
        node, fmt::format("give exactly one of velocity, position, force and table; found {}",
                          targets + (table != nullptr)));
    return {};
  }
  if (table && !read_motor_table(build, node, *table, motor)) return {};
  motor.max = number_if(node, "max").value_or(motor.max);
  motor.stiffness = number_if(node, "stiffness").value_or(0);
  motor.damping = number_if(node, "damping").value_or(0);
  const Node* damps = node.find("damps");
  motor.damps_error = damps && damps->text == "error";
  warn_of_swing(build, node, motor);
  return motor;
}

std::optional<JointDrive> read_drive(Build& build, const Node& node) {
  JointDrive drive;
  if (const Node* limits = node.find("limits")) {
    drive.lower = limits->children[0].number;
    drive.upper = limits->children[1].number;
    if (!(drive.lower <= drive.upper)) {
      build.problems.report(
          *limits,
          fmt::format("the limits {} and {} are in the wrong order; give the lower one first",
                      drive.lower, drive.upper));
      return {};
    }
  }
  if (const Node* name = node.find("name")) drive.name = name->text;
  drive.rebound = number_if(node, "rebound").value_or(0);
  if (const Node* motor = node.find("motor")) {
    const auto read = read_motor(build, *motor);
    if (!read) return {};
    drive.motor = *read;
  }
  if (const Node* spring = node.find("spring")) {
    drive.stiffness = number_if(*spring, "stiffness").value_or(0);
    drive.rest = number_if(*spring, "rest").value_or(0);
    drive.damping = number_if(*spring, "damping").value_or(0);
  }
  drive.friction = number_if(node, "friction").value_or(0);
  drive.friction_of_force = number_if(node, "friction_of_force").value_or(0);
  drive.armature = number_if(node, "armature").value_or(0);
  return drive;
}

JointKind kind_of(const std::string& key) {
  return *std::ranges::find(kJointKinds, key,
                            [](JointKind kind) { return std::string(name(kind)); });
}

/// Joint and coordinate of one end of a gear: the named coordinate, or the only angle or length;
/// none, and reported, if there is none.
std::optional<GearEnd> geared_by(Build& build, const Node& gear, const char* which, bool angle) {
  const auto& joints = build.scene.model.joints;
  const Node& name = gear[which];
  const auto found = std::ranges::find(joints, name.text, &Joint::name);
  if (found == joints.end() || is_gear(found->kind)) {
    std::vector<std::string> known;
    for (const Joint& joint : joints)
      if (!is_gear(joint.kind)) known.push_back(joint.name);
    build.problems.report(
        name,
        fmt::format(
            "there is no joint '{}' above that a gear can use{}; list a gear after its two joints",
            name.text, suggestion(name.text, known)));
    return {};
  }
  const std::string key = fmt::format("{}_coordinate", which);
  const Node& wanted = gear[key.c_str()];
  const auto coordinates = coordinates_of(found->kind);
  std::vector<int> fit;
  std::vector<std::string> names;
  for (int k = 0; k < static_cast<int>(coordinates.size()); ++k) {
    const JointCoordinate& of = coordinates[static_cast<std::size_t>(k)];
    names.emplace_back(of.name);
    if (wanted.text.empty() ? of.is_angle == angle : wanted.text == of.name) fit.push_back(k);
  }
  if (fit.size() == 1) return GearEnd{static_cast<std::uint32_t>(found - joints.begin()), fit[0]};
  build.problems.report(
      wanted.text.empty() ? name : wanted,
      fmt::format("the joint '{}' ({}) has {}", name.text, scree::name(found->kind),
                  names.empty()
                      ? "no coordinates, and a gear needs one"
                      : fmt::format("the coordinates {}; choose one with {}", joined(names), key)));
  return {};
}

/// Reads a gear: the change of x is ratio times the change of y.
std::optional<Joint> read_gear(Build& build, const Node& node, Joint joint) {
  const bool rack = joint.kind == JointKind::rack;
  // A gear couples lengths if a joint has only lengths, or if a length is named
  const auto is_length = [&](const char* which) {
    const auto& joints = build.scene.model.joints;
    const auto found = std::ranges::find(joints, node[which].text, &Joint::name);
    if (found == joints.end()) return false;
    const std::string& wanted = node[fmt::format("{}_coordinate", which)].text;
    return std::ranges::none_of(coordinates_of(found->kind), [&](const JointCoordinate& of) {
      return of.is_angle && (wanted.empty() || wanted == of.name);
    });
  };
  const bool lengths = !rack && (is_length("first") || is_length("second"));
  const auto first = geared_by(build, node, "first", !rack && !lengths),
             second = geared_by(build, node, "second", !lengths);
  if (!first || !second) return {};
  joint.geared = {*first, *second};
  joint.ratio = node[rack ? "radius" : "ratio"].number;
  joint.offset = coordinate_at_start(build.scene.model, build.scene.state, *first) -
                 joint.ratio * coordinate_at_start(build.scene.model, build.scene.state, *second);
  return joint;
}

std::optional<Joint> read_joint(Build& build, const Node& node) {
  Joint joint;
  joint.kind = kind_of(node.key);
  joint.name = node["name"].text.empty() ? path_of(*node.parent) : node["name"].text;
  if (joint.kind == JointKind::fixed) joint.attached = node["attached"].truth;
  joint.collide = node["collide"].truth || !joint.attached;
  joint.strength = number_if(node, "strength").value_or(joint.strength);
  joint.torque_strength = number_if(node, "torque_strength").value_or(joint.torque_strength);
  if (is_gear(joint.kind)) return read_gear(build, node, std::move(joint));
  const auto a = end_of(build, node["a"]), b = end_of(build, node["b"]);
  const auto axes = axes_of(build, node);
  if (!a || !b || !axes) return {};
  if (const Node* from = node.find("from")) {
    const Vec3 start = vec3(*from), end = vec3(node["to"]);
    joint.a = end_at(build, *a, {start, {}});
    joint.b = end_at(build, *b, {end, {}});
    joint.length = norm(build.scene.model.domain.separation(start, end));
  } else {
    const Pose frame{vec3(node["at"]), *axes};
    joint.a = end_at(build, *a, frame);
    joint.b = end_at(build, *b, frame);
  }
  joint.pitch = number_if(node, "pitch").value_or(0);
  if (const auto radius = number_if(node, "radius")) joint.length = *radius;
  const auto coordinates = coordinates_of(joint.kind);
  for (const JointCoordinate& coordinate : coordinates) {
    const Node* drive = node.find(coordinate.name);
    const auto read = drive ? read_drive(build, *drive) : std::optional(JointDrive{});
    if (!read) return {};
    joint.drives.push_back(*read);
  }
  if (const auto max_angle = number_if(node, "max_angle"))
    joint.drives.push_back({.upper = *max_angle});
  return joint;
}

}  // namespace

void build_joints(Build& build) {
  const std::vector<Node>& entries = entries_of(build.root["joints"]);
  for (const Node& entry : entries)
    for (const Node& node : entry.children) {
      if (!node.is_map() || entry.faulty || !sound(node)) continue;
      auto joint = read_joint(build, node);
      if (!joint) continue;
      Scene& scene = build.scene;
      scene.model.joints.push_back(std::move(*joint));
      scene.state.joints.push_back(
          {.detached_at = scene.model.joints.back().attached ? -1.0 : 0.0});
      try {
        check_joint(scene.model, scene.state, scene.model.joints.size() - 1);
      } catch (const InputError& error) {
        build.problems.report(node, error.what());
        scene.model.joints.pop_back();
        scene.state.joints.pop_back();
      }
    }
}

}  // namespace scree::scene
