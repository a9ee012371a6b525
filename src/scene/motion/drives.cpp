/// Reads the key `drives`: bodies on rails, driven by a force, a torque or a pressure.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scene/motion/motion_checks.hpp"
#include "scree/core/spelling.hpp"
#include "sim/checks/check_model.hpp"

namespace scree::scene {

namespace {

/// Index of the single body with a name; none, and reported, if there is none.
std::optional<std::size_t> body_of(Build& build, const Node& name) {
  if (const auto body = build.body_names.find(name.text); body != build.body_names.end()) {
    const auto& ids = build.scene.state.bodies.id;
    return static_cast<std::size_t>(std::ranges::find(ids, body->second) - ids.begin());
  }
  std::vector<std::string> known;
  for (const auto& [body, id] : build.body_names) known.push_back(body);
  build.problems.report(
      name, known.empty()
                ? fmt::format("there is no body '{}'; name one with the key name", name.text)
                : fmt::format("there is no body '{}'{}", name.text, suggestion(name.text, known)));
  return {};
}

/// Node of the force, torque or pressure with its factor; none, and reported, if there is not
/// exactly one, or it does not suit the rails.
std::optional<std::pair<const Node*, double>> effort_of(Build& build, const Node& node,
                                                        bool slides) {
  const Node *force = node.find("force"), *torque = node.find("torque"),
             *pressure = node.find("pressure"), *area = node.find("area");
  if ((force != nullptr) + (torque != nullptr) + (pressure != nullptr) != 1) {
    build.problems.report(node, "give exactly one of force, torque and pressure");
    return {};
  }
  if (slides == (torque != nullptr)) {
    build.problems.report(node, slides ? "a drive along a direction needs a force or a pressure"
                                       : "a drive about an axis needs a torque");
    return {};
  }
  if ((pressure != nullptr) != (area != nullptr)) {
    build.problems.report(node, "give pressure and area together: the force is their product");
    return {};
  }
  if (pressure) return std::pair{pressure, area->number};
  return std::pair{force ? force : torque, 1.0};
}

/// True if a quantity has the unit of these rails or no unit; reports it if not.
bool check_unit(Build& build, const Node& node, const char* unit) {
  if (node.unit.empty() || node.unit == unit) return true;
  build.problems.report(node, fmt::format("'{}' is not in {}", node.text, unit));
  return false;
}

/// Joint between the world and a body at its current pose, with z along the rails.
Joint rails(const Build& build, std::size_t body, JointKind kind, const Vec3& at,
            const Vec3& axis) {
  const Bodies& bodies = build.scene.state.bodies;
  const Quaternion rotated = rotation_between(kUp, axis), &q = bodies.orientation[body];
  Joint joint;
  joint.kind = kind;
  joint.a = {kWorld, {at, rotated}};
  joint.b = {bodies.id[body],
             {rotate_back(q, at - bodies.position[body]), normalised(conjugate(q) * rotated)}};
  joint.drives.resize(1);
  return joint;
}

void read_drive(Build& build, const Node& node, std::size_t index) {
  Scene& scene = build.scene;
  const Node *direction = node.find("direction"), *axis = node.find("axis"),
             *pivot = node.find("pivot");
  if ((direction != nullptr) == (axis != nullptr) || (axis != nullptr) != (pivot != nullptr)) {
    build.problems.report(node, "give a direction, or a pivot and an axis");
    return;
  }
  const bool slides = direction != nullptr;
  const auto along = unit_direction(slides ? *direction : *axis, build.problems);
  const auto body = body_of(build, node["body"]);
  const auto driver = effort_of(build, node, slides);
  if (!along || !body || !driver) return;
  const auto effort = read_expression(build, *driver->first);
  if (!effort) return;
  const BodyId id = scene.state.bodies.id[*body];
  const bool is_driven = std::ranges::any_of(build.drives, [&](const DrivenBody& driven) {
    return scene.model.joints[driven.joint].b.body == id;
  });
  if (is_driven) {
    build.problems.report(node["body"],
                          fmt::format("'{}' already has a drive, and a body can have one; put "
                                      "bodies in between, connected by joints",
                                      node["body"].text));
    return;
  }

  const Vec3 at = slides ? scene.state.bodies.position[*body] : vec3(*pivot);
  Joint joint =
      rails(build, *body, slides ? JointKind::prismatic : JointKind::revolute, at, *along);
  const std::string& name = node["name"].text;
  joint.name = name.empty() ? fmt::format("drives[{}]", index) : name;
  JointDrive& drive = joint.drives[0];
  if (const Node* limits = node.find("limits")) {
    for (const Node& limit : limits->children)
      if (!check_unit(build, limit, slides ? "m" : "rad")) return;
    drive.lower = limits->children[0].number;
    drive.upper = limits->children[1].number;
  }
  const Node* max_speed = node.find("max_speed");
  if (max_speed && !check_unit(build, *max_speed, slides ? "m/s" : "rad/s")) return;
  drive.motor.kind = Motor::Kind::force;
  build.drives.push_back({scene.model.joints.size(), *effort, driver->second,
                          slides ? scene.state.bodies.mass[*body] * *along : Vec3{},
                          max_speed ? std::optional(max_speed->number) : std::nullopt});
  scene.model.joints.push_back(std::move(joint));
  scene.state.joints.push_back({});
  set_efforts(build, scene.model);
  try {
    check_joint(scene.model, scene.state, scene.model.joints.size() - 1);
  } catch (const InputError& error) {
    build.problems.report(node, error.what());
    scene.model.joints.pop_back();
    scene.state.joints.pop_back();
    build.drives.pop_back();
  }
}

}  // namespace

void set_efforts(const Build& build, Model& model) {
  for (const DrivenBody& driven : build.drives) {
    // The rails bear the weight along themselves; it does not add to the effort
    const double weight = dot(driven.mass_along, model.gravity);
    Motor& motor = model.joints[driven.joint].drives[0].motor;
    motor.target = [effort = driven.effort, factor = driven.factor, weight](double t) {
      return factor * effort(t) - weight;
    };
    if (!driven.max_speed) continue;
    motor.damper = [effort = driven.effort, factor = driven.factor, max_speed = *driven.max_speed](
                       double t) { return factor * std::abs(effort(t)) / max_speed; };
  }
}

void build_drives(Build& build) {
  const std::vector<Node>& entries = entries_of(build.root["drives"]);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].is_map() && sound(entries[i])) read_drive(build, entries[i], i);
}

}  // namespace scree::scene
