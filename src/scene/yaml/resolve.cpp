/// Fills in defaults and converts quantities to SI units.
#include <cmath>
#include <fmt/format.h>

#include "scene/yaml/schema.hpp"
#include "scene/yaml/schema_walk.hpp"
#include "scene/yaml/units.hpp"

namespace scree::scene {

namespace {

/// Default of the schema as a node without a position.
Node node_of(const Json& value) {
  Node node;
  if (value.is_boolean()) {
    node.kind = Node::Kind::boolean;
    node.truth = value.get<bool>();
  } else if (value.is_number()) {
    node = value.is_number_integer() ? integer_node(value.get<std::int64_t>())
                                     : number_node(value.get<double>());
  } else if (value.is_string()) {
    node = string_node(value.get<std::string>());
  } else if (value.is_array()) {
    node.kind = Node::Kind::list;
    for (const auto& entry : value) node.children.push_back(node_of(entry));
  } else if (value.is_object()) {
    node.kind = Node::Kind::map;
    for (const auto& [key, entry] : value.items()) {
      node.children.push_back(node_of(entry));
      node.children.back().key = key;
    }
  }
  return node;
}

void fill_defaults(Node& node, const Json& schema) {
  const auto properties = schema.find("properties");
  if (!node.is_map() || properties == schema.end()) return;
  for (const auto& [key, child] : properties->items()) {
    if (!child.contains("default") || node.find(key)) continue;
    node.children.push_back(node_of(child["default"]));
    node.children.back().key = key;
  }
}

/// Converts a quantity with a unit to a number. Leaves other strings to the validation and to
/// readers of expressions.
void convert(Node& node, const Json& schema, Problems& problems) {
  const auto unit = schema.find("x-unit");
  if (unit == schema.end() || !node.is_string() || !allows_type(schema, "string")) return;
  if (node.text == schema.value("x-word", "")) return;
  node.unit = unit->get<std::string>();
  auto result = convert_quantity(node.text, node.unit);
  if (const auto other = schema.find("x-unit-or");
      other != schema.end() && std::holds_alternative<UnitProblem>(result)) {
    auto second = convert_quantity(node.text, other->get<std::string>());
    if (std::holds_alternative<double>(second)) {
      node.unit = other->get<std::string>();
      result = std::move(second);
    }
  }
  if (schema.value("x-expression", false) && std::holds_alternative<UnitProblem>(result)) {
    node.unit.clear();
    return;
  }
  if (const auto* problem = std::get_if<UnitProblem>(&result)) {
    problems.report(node, fmt::format("{} {}; expected {}", describe(node), problem->message,
                                      expectation(schema)));
    return;
  }
  if (const std::string trouble = trouble_of_angles(node.text, node.unit); !trouble.empty()) {
    problems.report(node, fmt::format("'{}' {}", node.text, trouble));
    return;
  }
  node.kind = Node::Kind::number;
  node.number = std::get<double>(result);
}

void check_finite(const Node& node, const Json* schema, Problems& problems) {
  if (!node.is_number() || std::isfinite(node.number)) return;
  if (schema && schema->value("x-infinite", false) && std::isinf(node.number)) return;
  const bool written = node.text.find_first_of("0123456789") != std::string::npos;
  problems.report(
      node, written ? fmt::format("{} is out of the range of double precision", node.text)
                    : fmt::format("{} is not allowed here; a finite number is needed", node.text));
}

void resolve_node(Node& node, const Json* schema, Problems& problems) {
  if (schema) {
    convert(node, *schema, problems);
    fill_defaults(node, *schema);
  }
  check_finite(node, schema, problems);
  for (Node& child : node.children) child.parent = &node;
  for (Node& child : node.children) {
    const Json* child_schema = schema ? subschema_of_child(*schema, child) : nullptr;
    resolve_node(child, child_schema ? &followed(*child_schema) : nullptr, problems);
  }
}

}  // namespace

void resolve(Node& root, Problems& problems) { resolve_node(root, &schema_tree(), problems); }

}  // namespace scree::scene
