/// Finds the subschema of a value and describes what it allows.
#include "scene/schema_walk.hpp"

#include <fmt/format.h>

#include "scene/units.hpp"
#include "scree/core/spelling.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

const Json& schema_tree() {
  static const Json tree = Json::parse(scene_schema());
  return tree;
}

const Json& followed(const Json& part) {
  const auto it = part.find("$ref");
  if (it == part.end()) return part;
  return followed(schema_tree().at(Json::json_pointer(it->get<std::string>().substr(1))));
}

const Json* part_of_child(const Json& raw, const Node& child) {
  const Json& part = followed(raw);
  if (child.parent->is_list()) {
    const auto items = part.find("items");
    return items == part.end() ? nullptr : &*items;
  }
  if (const auto properties = part.find("properties"); properties != part.end())
    if (const auto it = properties->find(child.key); it != properties->end()) return &*it;
  const auto others = part.find("additionalProperties");
  return others != part.end() && others->is_object() ? &*others : nullptr;
}

const Json* part_of(const Node& node) {
  if (!node.parent) return &schema_tree();
  const Json* above = part_of(*node.parent);
  const Json* part = above ? part_of_child(*above, node) : nullptr;
  return part ? &followed(*part) : nullptr;
}

std::vector<std::string> allowed_keys(const Json& part) {
  std::vector<std::string> keys;
  if (const auto properties = part.find("properties"); properties != part.end())
    for (const auto& [key, value] : properties->items()) keys.push_back(key);
  return keys;
}

bool allows_type(const Json& part, std::string_view type) {
  const auto it = part.find("type");
  if (it == part.end()) return true;
  if (it->is_string()) return it->get<std::string>() == type;
  for (const auto& t : *it)
    if (t.get<std::string>() == type) return true;
  return false;
}

namespace {

/// Description of an allowed scalar. A pattern allows one word: ^word$.
std::string expected_scalar(const Json& part) {
  if (part.value("x-expression", false))
    return fmt::format("a number{} or an expression of t, such as 0.1*sin(20*t)",
                       part.contains("x-unit") ? ", a quantity such as '30 rpm'," : "");
  if (part.contains("x-unit")) {
    const std::string quantity = expected_quantity(part["x-unit"].get<std::string>());
    const std::string word = part.value("x-word", "");
    return word.empty() ? quantity : fmt::format("{}, or {}", quantity, word);
  }
  if (allows_type(part, "integer")) return "an integer";
  if (allows_type(part, "number")) return "a number";
  if (allows_type(part, "boolean")) return "true or false";
  if (part.contains("pattern")) {
    const auto word = part["pattern"].get<std::string>();
    return "'" + word.substr(1, word.size() - 2) + "'";
  }
  return "a string";
}

std::string expected_list(const Json& part) {
  const int low = part.value("minItems", 0);
  const bool fixed = part.contains("maxItems") && part["maxItems"].get<int>() == low;
  const std::string items = part.contains("items") ? expectation(followed(part["items"])) : "";
  if (!items.empty() && followed(part["items"]).value("type", Json()) == "object")
    return "a list of maps";
  return fixed ? fmt::format("a list of {}, each {}", low, items)
               : fmt::format("a list, each entry {}", items);
}

}  // namespace

std::string expectation(const Json& part) {
  if (part.contains("enum")) {
    std::vector<std::string> words;
    for (const auto& value : part["enum"])
      words.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    return words.size() == 1 ? words[0] : "one of " + joined(words);
  }
  std::vector<std::string> ways;
  const bool scalar = allows_type(part, "number") || allows_type(part, "integer") ||
                      allows_type(part, "string") || allows_type(part, "boolean");
  if (allows_type(part, "boolean") && allows_type(part, "number")) ways.push_back("true or false");
  if (scalar) ways.push_back(expected_scalar(part));
  if (allows_type(part, "array")) ways.push_back(expected_list(part));
  if (allows_type(part, "object")) {
    const std::string keys = joined(allowed_keys(part));
    ways.push_back(keys.empty() ? "a map" : "a map with the keys " + keys);
  }
  std::string text;
  for (const std::string& way : ways) text += (text.empty() ? "" : ", or ") + way;
  return text;
}

}  // namespace scree::scene
