/// Starts of robots at keyframes of MJCF files.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/mjcf/model.hpp"

namespace scree::robots {
namespace {

/// Unit quaternion of four numbers; no rotation if they are all 0.
Quaternion quaternion_of(const std::vector<double>& n, std::size_t first) {
  const double length =
      std::hypot(std::hypot(n[first], n[first + 1]), std::hypot(n[first + 2], n[first + 3]));
  if (!(length > 0)) return {};
  return normalised(Quaternion{n[first] / length, n[first + 1] / length, n[first + 2] / length,
                               n[first + 3] / length});
}

/// The scene counts the turns of a ball joint from where it begins.
void forget_reference(Mjcf& mjcf, Joint& joint) {
  if (joint.turns.max_angle || joint.turns.stiffness > 0)
    mjcf.left_out.count(joint.place, "limits and springs of ball joints that a keyframe turns");
  joint.turns.max_angle.reset();
  joint.turns.stiffness = 0;
}

/// Puts a joint where the numbers of a keyframe say.
void put(Mjcf& mjcf, Joint& joint, const std::vector<double>& n, std::size_t first) {
  if (joint.kind == Joint::Kind::floating) {
    joint.origin = {{n[first], n[first + 1], n[first + 2]}, quaternion_of(n, first + 3)};
    return;
  }
  if (joint.kind == Joint::Kind::ball) {
    const Quaternion before = joint.origin.orientation;
    const Quaternion turned = quaternion_of(n, first);
    if (turned.x != 0 || turned.y != 0 || turned.z != 0) forget_reference(mjcf, joint);
    joint.origin.orientation = normalised(before * turned);
    joint.origin.position += rotate(before, joint.at) - rotate(joint.origin.orientation, joint.at);
    return;
  }
  Coordinate& coordinate = joint.coordinates[0];
  coordinate.wanted = n[first] - coordinate.reference;
}

/// Keyframes by name; those without one by their number.
std::map<std::string, const Tag*> keyframes_of(const Tag& root) {
  std::map<std::string, const Tag*> keys;
  std::size_t number = 0;
  for (const Tag& section : root.children) {
    if (section.name != "keyframe") continue;
    for (const Tag& key : section.children) {
      const std::string name = key.text("name");
      keys.try_emplace(name.empty() ? std::to_string(number) : name, &key);
      ++number;
    }
  }
  return keys;
}

}  // namespace

void apply_keyframe(Mjcf& mjcf, const Tag& root, const std::string& name) {
  if (name.empty()) return;
  const auto keys = keyframes_of(root);
  const auto found = keys.find(name);
  if (found == keys.end()) {
    std::string known;
    for (const auto& [each, tag] : keys) known += (known.empty() ? "" : ", ") + each;
    mjcf.values.refuse(root, fmt::format("there is no keyframe '{}'; {}", name,
                                         known.empty() ? "the file has none"
                                                       : fmt::format("the file has {}", known)));
  }
  const Tag& key = *found->second;
  const std::size_t needed = mjcf.number_of_positions();
  const std::vector<double> positions = mjcf.values.numbers(key, "qpos", needed);
  if (positions.size() == needed) {
    for (const Position& of : mjcf.positions)
      put(mjcf, *std::ranges::find(mjcf.robot.joints, of.joint, &Joint::name), positions, of.first);
  } else if (key.find("qpos")) {
    mjcf.findings.repair(key.place,
                         fmt::format("the keyframe '{}' has {} positions, and the joints need {}",
                                     name, positions.size(), needed),
                         "joints start where they are without it");
  }
  mjcf.controls = mjcf.values.numbers(key, "ctrl", 100'000);
  const std::vector<double> speeds = mjcf.values.numbers(key, "qvel", 1'000'000);
  if (std::ranges::any_of(speeds, [](double v) { return v != 0; }))
    mjcf.left_out.count(key.place, "velocities of keyframes", "robots start at rest");
}

}  // namespace scree::robots
