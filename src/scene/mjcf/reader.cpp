/// Reads MJCF files: XML to the description of a robot.
#include <algorithm>
#include <fmt/format.h>

#include "scene/mjcf/mjcf.hpp"
#include "scene/mjcf/model.hpp"

namespace scree::robots {
namespace {

/// Calls f for the elements of a name in the root.
template <class F>
void for_each_section(const Tag& root, const std::string& name, F&& f) {
  for (const Tag& child : root.children)
    if (child.name == name) f(child);
}

void read_options(Mjcf& mjcf, const Tag& option) {
  Robot& robot = mjcf.robot;
  robot.gravity = mjcf.values.vector(option, "gravity", robot.gravity);
  if (option.text("collision") == "predefined") mjcf.has_bits = false;
  if (option.text("collision") == "dynamic") mjcf.has_pairs = false;
  for (const Tag& flags : option.children) {
    if (flags.name != "flag") continue;
    for (const auto& [name, value] : flags.attributes)
      if (value.text == "disable") mjcf.disabled.insert(name);
    if (mjcf.disabled.contains("constraint"))
      mjcf.disabled.insert({"contact", "limit", "frictionloss", "equality"});
    if (mjcf.disabled.contains("gravity")) robot.gravity = {};
    if (mjcf.disabled.contains("contact")) mjcf.has_bits = mjcf.has_pairs = false;
  }
}

/// Scales all masses so that their sum is that of the compiler's `settotalmass`.
void set_total_mass(Mjcf& mjcf) {
  const double wanted = mjcf.values.compiler().total_mass;
  double sum = 0;
  for (const Link& link : mjcf.robot.links)
    if (link.inertia && !link.is_world) sum += link.inertia->mass;
  if (!(wanted > 0) || !(sum > 0)) return;
  for (Link& link : mjcf.robot.links) {
    if (!link.inertia) continue;
    link.inertia->mass *= wanted / sum;
    link.inertia->tensor *= wanted / sum;
  }
}

}  // namespace

Robot read_mjcf(const tinyxml2::XMLElement& element, const std::string& keyframe,
                Findings& findings) {
  Tag root = tree_of(element, findings);
  apply_classes(root, findings);
  Mjcf mjcf{findings};
  mjcf.robot.name = root.text("model");
  if (mjcf.robot.name.empty()) mjcf.robot.name = findings.files[0].stem().string();
  mjcf.robot.joints_between_ignored = 1;
  for_each_section(root, "compiler", [&](const Tag& each) { mjcf.values.read(each); });
  for_each_section(root, "option", [&](const Tag& each) { read_options(mjcf, each); });
  for_each_section(root, "asset", [&](const Tag& each) { read_meshes(mjcf, each); });
  Tag world{.name = "worldbody", .place = root.place};
  for_each_section(root, "worldbody", [&](const Tag& each) {
    world.place = each.place;
    world.children.insert(world.children.end(), each.children.begin(), each.children.end());
  });
  if (world.children.empty()) mjcf.values.refuse(root, "the model has no body");
  read_bodies(mjcf, world);
  set_total_mass(mjcf);
  for_each_section(root, "contact", [&](const Tag& each) { read_contacts(mjcf, each); });
  drop_parts_for_pictures(mjcf);
  for_each_section(root, "tendon", [&](const Tag& each) { read_tendons(mjcf, each); });
  if (!mjcf.disabled.contains("equality"))
    for_each_section(root, "equality", [&](const Tag& each) { read_equalities(mjcf, each); });
  apply_keyframe(mjcf, root, keyframe);
  if (!mjcf.disabled.contains("actuation")) read_actuators(mjcf, root);
  list_unread(mjcf, root);
  mjcf.left_out.report(findings);
  return std::move(mjcf.robot);
}

}  // namespace scree::robots
