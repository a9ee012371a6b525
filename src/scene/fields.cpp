/// Reads the key `fields`: forces and torques on bodies.
#include <fmt/format.h>
#include <set>

#include "scene/build.hpp"

namespace scree::scene {

namespace {

/// Expression of a component; none, and reported, if it is not an expression.
std::optional<Expression> read_component(Build& build, const Node& node) {
  try {
    return field_expression(node.is_number() ? fmt::format("{:.17g}", node.number) : node.text);
  } catch (const InputError& error) {
    build.problems.report(node,
                          fmt::format("'{}' is not an expression: {}", node.text, error.what()));
    return {};
  }
}

void read_components(Build& build, const Node* node, std::array<Expression, 3>& into) {
  if (!node) return;
  for (std::size_t k = 0; k < 3; ++k)
    if (auto component = read_component(build, node->children[k])) into[k] = std::move(*component);
}

/// Reads the materials and free bodies that a field acts on.
void read_group(Build& build, const Node& name, Field& field) {
  const auto group = group_named(build, name);
  if (!group) return;
  if (!group->one)
    field.materials.push_back(group->material);
  else if (is_obstacle(*group->one))
    build.problems.report(
        name, fmt::format("'{}' is an obstacle; fields act only on free bodies", name.text));
  else
    field.bodies.push_back(*group->one);
}

/// Checks fields at the start: reports values that are not finite, and warns of forces that change
/// velocities too much in a step.
void check_at_start(Build& build, const Node& list) {
  const Model& model = build.scene.model;
  const FieldLook look = look_at_fields(model, build.scene.state);
  if (look.fault) {
    const Node& field = list.children[look.fault->field];
    const std::uint32_t component = look.fault->component;
    build.problems.report(field[component < 3 ? "force" : "torque"].children[component % 3],
                          fmt::format("at the start {}", look.fault->what));
  }
  if (look.swing.value > FieldSwing::kMax)
    build.problems.warn(
        list, fmt::format("fields slow body {} down or push it back by {:.3g} times its velocity "
                          "in a step; from 2 on its motion grows: take step.h = {:.2g} s or less",
                          look.swing.body.value, look.swing.value,
                          0.1 * model.step.h / look.swing.value));
}

}  // namespace

void read_fields(Build& build, const Node& list, Model& model) {
  std::set<std::string> names;
  if (!entries_of(list).empty() && model.strain.any())
    build.problems.report(list,
                          "a strained cell cannot have fields, because its bodies have no absolute "
                          "position or velocity; remove this key");
  for (const Node& entry : entries_of(list)) {
    if (!sound(entry) || !entry.is_map()) continue;
    Field field;
    const std::string& name_text = entry["name"].text;
    field.name = name_text.empty() ? fmt::format("field {}", model.fields.size() + 1) : name_text;
    if (!names.insert(field.name).second)
      build.problems.report(entry["name"],
                            fmt::format("another field already has the name '{}'", field.name));
    const Node *force = entry.find("force"), *torque = entry.find("torque");
    if (!force && !torque) build.problems.report(entry, "a field needs a force, a torque or both");
    read_components(build, force, field.force);
    read_components(build, torque, field.torque);
    if (const Node* only = entry.find("only"))
      for (const Node& name : only->children) read_group(build, name, field);
    model.fields.push_back(std::move(field));
  }
}

void build_fields(Build& build) {
  const Node& list = build.root["fields"];
  read_fields(build, list, build.scene.model);
  // A scene with problems may lack its step or bodies
  if (build.problems.empty() && !build.scene.model.fields.empty()) check_at_start(build, list);
}

}  // namespace scree::scene
