/// Reads sensors.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "scene/build.hpp"
#include "scree/core/infinity.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {
namespace {

constexpr Sensor::Kind kSensorKinds[] = {Sensor::Kind::force, Sensor::Kind::torque,
                                         Sensor::Kind::imu, Sensor::Kind::joint,
                                         Sensor::Kind::range};

/// Index of a name in a list; none, and reported, if it is not there.
std::optional<std::uint32_t> index_in(Build& build, const Node& name, const char* what,
                                      const std::vector<std::string>& known) {
  const auto found = std::ranges::find(known, name.text);
  if (found != known.end()) return static_cast<std::uint32_t>(found - known.begin());
  build.problems.report(
      name, fmt::format("there is no {} '{}'{}", what, name.text, suggestion(name.text, known)));
  return {};
}

std::vector<std::string> coordinate_names(const Build& build) {
  std::vector<std::string> names;
  for (const FreeCoordinate& each : free_coordinates(build.scene.model.joints))
    names.push_back(each.name);
  return names;
}

std::vector<std::string> joint_names(const Build& build) {
  std::vector<std::string> names;
  for (const Joint& joint : build.scene.model.joints) names.push_back(joint.name);
  return names;
}

/// Finds what a sensor is on; false, and reported, if that is not possible.
bool find_place(Build& build, const Node& node, Sensor& sensor) {
  const Node *body = node.find("body"), *joint = node.find("joint");
  const bool measures_load =
      sensor.kind == Sensor::Kind::force || sensor.kind == Sensor::Kind::torque;
  if (measures_load && (body != nullptr) == (joint != nullptr)) {
    build.problems.report(node, "give exactly one of body and joint");
    return false;
  }
  if (joint) {
    const auto index =
        measures_load ? index_in(build, *joint, "joint", joint_names(build))
                      : index_in(build, *joint, "coordinate of a joint", coordinate_names(build));
    if (index) sensor.joint = *index;
    return index.has_value();
  }
  const auto found = end_of(build, *body);
  if (!found) return false;
  sensor.body = *found;
  const bool needs_body = sensor.kind == Sensor::Kind::imu,
             fits = needs_body ? *found != kWorld && !is_obstacle(*found)
                               : *found != kWorld || sensor.kind == Sensor::Kind::range;
  if (!fits)
    build.problems.report(*body, needs_body ? "an IMU needs a body that moves freely"
                                            : "the world has no forces; name a body");
  return fits;
}

std::optional<Sensor> read_sensor(Build& build, const Node& node) {
  Sensor sensor;
  sensor.name = node["name"].text;
  sensor.kind = *std::ranges::find(kSensorKinds, node.key,
                                   [](Sensor::Kind kind) { return std::string(name(kind)); });
  sensor.rate = number_if(node, "rate").value_or(0);
  sensor.max_range = number_if(node, "max").value_or(kInfinity);
  if (!find_place(build, node, sensor)) return {};
  if (const Node* at = node.find("at")) sensor.frame.position = vec3(*at);
  if (const Node* turn = node.find("orientation")) {
    const auto given = orientation(*turn, build.problems);
    if (!given) return {};
    sensor.frame.orientation = *given;
  }
  if (const Node* along = node.find("direction")) {
    const auto direction = unit_direction(*along, build.problems);
    if (!direction) return {};
    sensor.frame.orientation = rotation_between({1, 0, 0}, *direction);
  }
  if (sensor.kind == Sensor::Kind::range && build.scene.model.domain.repeats()) {
    build.problems.report(node, "range sensors do not work in a periodic cell");
    return {};
  }
  return sensor;
}

}  // namespace

void build_sensors(Build& build) {
  std::set<std::string> names;
  for (const Node& entry : entries_of(build.root["sensors"]))
    for (const Node& node : entry.children) {
      if (!node.is_map() || entry.faulty || !sound(node)) continue;
      const auto sensor = read_sensor(build, node);
      if (!sensor) continue;
      if (names.insert(sensor->name).second)
        build.scene.sensors.push_back(*sensor);
      else
        build.problems.report(node["name"], "another sensor has this name; give another");
    }
}

}  // namespace scree::scene
