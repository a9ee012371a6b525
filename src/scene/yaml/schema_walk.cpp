/// Finds the subschema of a value and describes what it allows.
#include "scene/yaml/schema_walk.hpp"

#include <fmt/format.h>

#include "scene/yaml/units.hpp"
#include "scree/core/spelling.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

const Json& schema_tree() {
  static const Json tree = Json::parse(scene_schema());
  return tree;
}

const Json& followed(const Json& schema) {
  const auto it = schema.find("$ref");
  if (it == schema.end()) return schema;
  return followed(schema_tree().at(Json::json_pointer(it->get<std::string>().substr(1))));
}

const Json* subschema_of_child(const Json& raw, const Node& child) {
  const Json& schema = followed(raw);
  if (child.parent->is_list()) {
    const auto items = schema.find("items");
    return items == schema.end() ? nullptr : &*items;
  }
  if (const auto properties = schema.find("properties"); properties != schema.end())
    if (const auto it = properties->find(child.key); it != properties->end()) return &*it;
  const auto others = schema.find("additionalProperties");
  return others != schema.end() && others->is_object() ? &*others : nullptr;
}

const Json* subschema_of(const Node& node) {
  if (!node.parent) return &schema_tree();
  const Json* above = subschema_of(*node.parent);
  const Json* schema = above ? subschema_of_child(*above, node) : nullptr;
  return schema ? &followed(*schema) : nullptr;
}

std::vector<std::string> allowed_keys(const Json& schema) {
  std::vector<std::string> keys;
  if (const auto properties = schema.find("properties"); properties != schema.end())
    for (const auto& [key, value] : properties->items()) keys.push_back(key);
  return keys;
}

bool allows_type(const Json& schema, std::string_view type) {
  const auto it = schema.find("type");
  if (it == schema.end()) return true;
  if (it->is_string()) return it->get<std::string>() == type;
  for (const auto& t : *it)
    if (t.get<std::string>() == type) return true;
  return false;
}

namespace {

/// Description of an allowed scalar. A pattern allows one word: ^word$.
std::string expected_scalar(const Json& schema) {
  if (schema.value("x-expression", false))
    return fmt::format("a number{} or an expression of t, such as 0.1*sin(20*t)",
                       schema.contains("x-unit") ? ", a quantity such as '30 rpm'," : "");
  if (schema.contains("x-unit")) {
    const std::string quantity = expected_quantity(schema["x-unit"].get<std::string>());
    const std::string word = schema.value("x-word", "");
    return word.empty() ? quantity : fmt::format("{}, or {}", quantity, word);
  }
  if (allows_type(schema, "integer")) return "an integer";
  if (allows_type(schema, "number")) return "a number";
  if (allows_type(schema, "boolean")) return "true or false";
  if (schema.contains("pattern")) {
    const auto word = schema["pattern"].get<std::string>();
    return "'" + word.substr(1, word.size() - 2) + "'";
  }
  return "a string";
}

std::string expected_list(const Json& schema) {
  const int low = schema.value("minItems", 0);
  const bool fixed = schema.contains("maxItems") && schema["maxItems"].get<int>() == low;
  const std::string items = schema.contains("items") ? expectation(followed(schema["items"])) : "";
  if (!items.empty() && followed(schema["items"]).value("type", Json()) == "object")
    return "a list of maps";
  return fixed ? fmt::format("a list of {}, each {}", low, items)
               : fmt::format("a list, each entry {}", items);
}

}  // namespace

std::string expectation(const Json& schema) {
  if (schema.contains("enum")) {
    std::vector<std::string> words;
    for (const auto& value : schema["enum"])
      words.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    return words.size() == 1 ? words[0] : "one of " + joined(words);
  }
  std::vector<std::string> ways;
  const bool scalar = allows_type(schema, "number") || allows_type(schema, "integer") ||
                      allows_type(schema, "string") || allows_type(schema, "boolean");
  if (allows_type(schema, "boolean") && allows_type(schema, "number"))
    ways.push_back("true or false");
  if (scalar) ways.push_back(expected_scalar(schema));
  if (allows_type(schema, "array")) ways.push_back(expected_list(schema));
  if (allows_type(schema, "object")) {
    const std::string keys = joined(allowed_keys(schema));
    ways.push_back(keys.empty() ? "a map" : "a map with the keys " + keys);
  }
  std::string text;
  for (const std::string& way : ways) text += (text.empty() ? "" : ", or ") + way;
  return text;
}

}  // namespace scree::scene
