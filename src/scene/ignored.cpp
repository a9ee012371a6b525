/// Reads the key `ignore`: pairs that do not touch.
#include <algorithm>
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scree/core/spelling.hpp"
#include "sim/neighbours/ignored_pairs.hpp"

namespace scree::scene {

namespace {

using Group = Ignored::Group;

/// Materials, obstacles and bodies with a name; empty if there are none yet.
std::vector<Group> groups_named(const Build& build, const std::string& name) {
  std::vector<Group> groups;
  const Model& model = build.scene.model;
  for (std::size_t k = 0; k < model.materials.size(); ++k)
    if (model.materials[k].name == name) groups.push_back({static_cast<MaterialId>(k)});
  for (std::size_t k = 0; k < model.obstacles.size(); ++k)
    if (model.obstacles[k].name == name)
      groups.push_back({0, obstacle_id(static_cast<std::uint32_t>(k))});
  if (const auto body = build.body_names.find(name); body != build.body_names.end())
    groups.push_back({0, body->second});
  return groups;
}

template <class F>
void for_each_pair(Build& build, F&& f) {
  for (const Node& pair : entries_of(build.root["ignore"]))
    if (pair.is_list() && sound(pair) && pair.children.size() == 2)
      f(pair.children[0], pair.children[1]);
}

bool is_in(const Group& group, BodyId id, MaterialId material) {
  return group.one ? *group.one == id : group.material == material;
}

bool ignore(const Build& build, BodyId a, MaterialId of_a, BodyId b, MaterialId of_b) {
  const Model& model = build.scene.model;
  const auto joined = [&](const Joint& joint) {
    bool is = false;
    for_each_joined_pair(model, joint, [&](BodyId one, BodyId other) {
      is = is || (one == a && other == b) || (one == b && other == a);
    });
    return is;
  };
  const auto ignored = [&](const Ignored& pair) {
    return (is_in(pair.a, a, of_a) && is_in(pair.b, b, of_b)) ||
           (is_in(pair.a, b, of_b) && is_in(pair.b, a, of_a));
  };
  return std::ranges::any_of(model.joints, joined) || std::ranges::any_of(model.ignored, ignored);
}

}  // namespace

std::optional<Group> group_named(Build& build, const Node& name) {
  const std::vector<Group> groups = groups_named(build, name.text);
  if (groups.size() == 1) return groups[0];
  if (groups.size() > 1) {
    build.problems.report(
        name,
        fmt::format("a material and a body or obstacle have the name '{}'; rename one of them",
                    name.text));
    return {};
  }
  std::vector<std::string> known;
  for (const Material& material : build.scene.model.materials) known.push_back(material.name);
  for (const Obstacle& obstacle : build.scene.model.obstacles) known.push_back(obstacle.name);
  for (const auto& [body, id] : build.body_names) known.push_back(body);
  build.problems.report(name, fmt::format("there is no material, obstacle or body '{}'{}",
                                          name.text, suggestion(name.text, known)));
  return {};
}

void build_ignored_materials_and_obstacles(Build& build) {
  build.scene.model.ignored.clear();
  for_each_pair(build, [&](const Node& first, const Node& second) {
    const auto a = groups_named(build, first.text), b = groups_named(build, second.text);
    if (a.size() == 1 && b.size() == 1) build.scene.model.ignored.push_back({a[0], b[0]});
  });
}

void build_ignored(Build& build) {
  build.scene.model.ignored.clear();
  for_each_pair(build, [&](const Node& first, const Node& second) {
    const auto a = group_named(build, first), b = group_named(build, second);
    if (a && b) build.scene.model.ignored.push_back({*a, *b});
  });
}

bool ignore_each_other(const Build& build, const Body& a, const Body& b) {
  return ignore(build, a.id, a.material, b.id, b.material);
}

bool ignore_each_other(const Build& build, const Body& body, std::uint32_t obstacle) {
  return ignore(build, body.id, body.material, obstacle_id(obstacle),
                build.scene.model.obstacles[obstacle].material);
}

}  // namespace scree::scene
