/// Validates a resolved tree against the schema, with messages in our words.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "scene/yaml/schema.hpp"
#include "scene/yaml/schema_walk.hpp"
#include "scree/core/spelling.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

namespace {

constexpr double kLargestExactInteger = 9007199254740992;  // 2^53

nlohmann::json json_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return nullptr;
    case Node::Kind::boolean:
      return node.truth;
    case Node::Kind::string:
      return node.text;
    case Node::Kind::number:
      if (node.integral) return node.integer;
      // 1e3 is an integer in JSON Schema
      if (node.number == std::floor(node.number) && std::abs(node.number) <= kLargestExactInteger)
        return static_cast<std::int64_t>(node.number);
      return node.number;
    case Node::Kind::list: {
      nlohmann::json list = nlohmann::json::array();
      for (const Node& child : node.children) list.push_back(json_of(child));
      return list;
    }
    case Node::Kind::map: {
      nlohmann::json map = nlohmann::json::object();
      for (const Node& child : node.children) map[child.key] = json_of(child);
      return map;
    }
  }
  return nullptr;
}

/// Node at a path in valijson's form: "<root>", "[bodies]", "[0]", …
const Node* node_at(const Node& root, const std::vector<std::string>& context) {
  const Node* node = &root;
  for (std::size_t i = 1; i < context.size() && node; ++i) {
    const std::string step = context[i].substr(1, context[i].size() - 2);
    if (node->is_list()) {
      std::size_t index = 0;
      std::from_chars(step.data(), step.data() + step.size(), index);
      node = index < node->children.size() ? &node->children[index] : nullptr;
    } else {
      node = node->find(step);
    }
  }
  return node;
}

std::string bound_text(const Json& schema) {
  std::vector<std::string> bounds;
  const auto tell = [&](const char* key, const char* words) {
    if (schema.contains(key)) bounds.push_back(fmt::format("{} {}", words, schema[key].dump()));
  };
  tell("minimum", "at least");
  tell("exclusiveMinimum", "greater than");
  tell("maximum", "at most");
  tell("exclusiveMaximum", "less than");
  std::string text;
  for (const std::string& b : bounds) text += (text.empty() ? "" : " and ") + b;
  return text;
}

void report_unknown_keys(const Node& map, const Json& schema, Problems& problems) {
  const std::vector<std::string> allowed = allowed_keys(schema);
  const Json refused = schema.value("x-refused", Json::object());
  for (const Node& child : map.children) {
    if (std::find(allowed.begin(), allowed.end(), child.key) != allowed.end()) continue;
    const std::string why = refused.contains(child.key)
                                ? ": " + refused[child.key].get<std::string>()
                                : suggestion(child.key, allowed);
    problems.report_key(child, fmt::format("unknown key '{}'{}", child.key, why));
  }
}

/// True if a missing key is present under a misspelt name, which is reported as that alone.
bool stands_misspelt(const Node& map, const std::string& missing,
                     const std::vector<std::string>& allowed) {
  return std::any_of(map.children.begin(), map.children.end(), [&](const Node& child) {
    const bool known = std::find(allowed.begin(), allowed.end(), child.key) != allowed.end();
    return !known && suggestion(child.key, allowed).find("'" + missing + "'") != std::string::npos;
  });
}

void report_missing_keys(const Node& map, const Json& schema, Problems& problems) {
  const std::vector<std::string> allowed = allowed_keys(schema);
  std::vector<std::string> missing;
  for (const auto& entry : schema["required"]) {
    const auto key = entry.get<std::string>();
    if (!map.find(key) && !stands_misspelt(map, key, allowed)) missing.push_back(key);
  }
  if (missing.size() == 1) {
    const Json& child = schema["properties"][missing[0]];
    problems.report(map, fmt::format("the key '{}' is missing; expected {}", missing[0],
                                     expectation(followed(child))));
  } else if (!missing.empty()) {
    problems.report(map, fmt::format("the keys {} are missing", joined(missing)));
  }
}

/// Reports a map that must hold exactly one key, such as an entry of bodies.
void report_choice(const Node& map, const Json& schema, Problems& problems) {
  report_unknown_keys(map, schema, problems);
  if (!sound(map) && map.children.size() == 1) return;
  problems.report(map, fmt::format("give exactly one of the keys {}; found {}",
                                   joined(allowed_keys(schema)), map.children.size()));
}

std::string unit_suffix(const Json& schema) {
  return schema.contains("x-unit") ? " " + schema["x-unit"].get<std::string>() : "";
}

void report_scalar(const Node& node, const Json& schema, const std::string& what,
                   Problems& problems) {
  if (what.starts_with("Expected number")) {
    const std::string converted =
        node.text == fmt::format("{}", node.number)
            ? ""
            : fmt::format(" ({:.6g}{})", node.number, unit_suffix(schema));
    problems.report(node, fmt::format("{}{} is out of range: it must be {}{}", describe(node),
                                      converted, bound_text(schema), unit_suffix(schema)));
  } else if (what.starts_with("Failed to match against any enum")) {
    std::vector<std::string> allowed;
    for (const auto& v : schema["enum"])
      allowed.push_back(v.is_string() ? v.get<std::string>() : v.dump());
    problems.report(
        node, fmt::format("{} is not known{}", describe(node), suggestion(node.text, allowed)));
  } else if (what.starts_with("String should be")) {
    problems.report(node,
                    fmt::format("has {} characters; {} to {} are allowed", node.text.size(),
                                schema.value("minLength", 0), schema.value("maxLength", 1000000)));
  } else {
    const bool unquoted =
        (node.is_number() || node.kind == Node::Kind::boolean) && allows_type(schema, "string");
    problems.report(
        node, fmt::format("found {}, expected {}{}", describe(node), expectation(schema),
                          unquoted && !schema.contains("x-unit") ? " (put it in quotes)" : ""));
  }
}

/// Reports one of valijson's errors in our words. Its "Failed to validate …" only repeats an
/// earlier error one level up.
void report_error(const Node& node, const std::string& what, Problems& problems) {
  const Json* schema = subschema_of(node);
  if (what.starts_with("Failed to validate") || !schema) return;
  if (what.starts_with("Object contains a property")) {
    report_unknown_keys(node, *schema, problems);
  } else if (what.starts_with("Missing required property")) {
    report_missing_keys(node, *schema, problems);
  } else if (what.starts_with("Object should have")) {
    if (schema->contains("maxProperties"))
      report_choice(node, *schema, problems);
    else
      problems.report(node, "is empty");
  } else if (what.starts_with("Array should contain")) {
    problems.report(node,
                    fmt::format("found {}, expected {}", describe(node), expectation(*schema)));
  } else {
    report_scalar(node, *schema, what, problems);
  }
}

const valijson::Schema& compiled_schema() {
  static const std::unique_ptr<valijson::Schema> compiled = [] {
    auto schema = std::make_unique<valijson::Schema>();
    const nlohmann::json text = nlohmann::json::parse(scene_schema());
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text), *schema);
    return schema;
  }();
  return *compiled;
}

}  // namespace

void validate(const Node& root, Problems& problems) {
  const nlohmann::json json = json_of(root);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(compiled_schema(), valijson::adapters::NlohmannJsonAdapter(json),
                         &results))
    return;
  for (const auto& error : results)
    if (const Node* node = node_at(root, error.context))
      report_error(*node, error.description, problems);
}

}  // namespace scree::scene
