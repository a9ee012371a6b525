/// Looks up values of a scene by path.
#include "scree/scene/paths.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "scene/yaml/document.hpp"
#include "scene/yaml/overrides.hpp"
#include "scene/yaml/schema_walk.hpp"
#include "scree/core/spelling.hpp"

namespace scree {
namespace {

using namespace scene;

/// Scene as a tree, without defaults; none if it cannot be read.
std::optional<Node> tree_of(const std::string& text, const std::vector<std::string>& overrides) {
  Problems unheard("", overrides);
  std::optional<Node> root = parse_document(text, 0, unheard);
  if (!root) return {};
  apply_overrides(*root, overrides, unheard);
  return root;
}

const Node* child_of(const Node& node, const PathStep& step) {
  if (const auto* key = std::get_if<std::string>(&step)) return node.find(*key);
  const std::size_t index = std::get<std::size_t>(step);
  return node.is_list() && index < node.children.size() ? &node.children[index] : nullptr;
}

/// Reason why a node lacks a child.
std::string objection_to_step(const Node& node, const PathStep& step) {
  const std::string path = path_of(node), here = path.empty() ? "the scene" : "'" + path + "'";
  if (const auto* index = std::get_if<std::size_t>(&step)) {
    if (!node.is_list()) return fmt::format("{} is not a list and has no entry [{}]", here, *index);
    return fmt::format("{} has no entry [{}]: it has {}, counted from 0", here, *index,
                       node.children.size());
  }
  const auto& key = std::get<std::string>(step);
  const Json* schema = subschema_of(node);
  std::vector<std::string> known = schema ? allowed_keys(*schema) : std::vector<std::string>();
  if (std::ranges::find(known, key) != known.end()) return "";
  if (node.is_list())
    return fmt::format("{} is a list: name an entry, as in {}[0].{}", here, path, key);
  for (std::string& own : keys_of(node))
    if (std::ranges::find(known, own) == known.end()) known.push_back(std::move(own));
  return fmt::format("{} has no key '{}'{}", here, key, suggestion(key, known));
}

std::string text_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "";
    case Node::Kind::boolean:
      return node.truth ? "true" : "false";
    case Node::Kind::number:
      return node.integral ? fmt::format("{}", node.integer) : fmt::format("{}", node.number);
    case Node::Kind::string:
      return node.text;
    case Node::Kind::list:
    case Node::Kind::map:
      break;
  }
  std::string text;
  for (const Node& child : node.children) {
    if (!text.empty()) text += ", ";
    text += (node.is_map() ? child.key + ": " : "") + text_of(child);
  }
  return node.is_map() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string objection_to_path(const std::string& path, const std::string& text,
                              const std::vector<std::string>& overrides) {
  const auto steps = split_path(path);
  if (!steps)
    return fmt::format("'{}' is not a path, such as step.h or bodies[0].sphere.radius", path);
  std::optional<Node> root = tree_of(text, overrides);
  if (!root) return "";
  link_parents(*root);
  const Node* node = &*root;
  for (const PathStep& step : *steps) {
    const Node* child = child_of(*node, step);
    if (!child) return objection_to_step(*node, step);
    node = child;
  }
  return "";
}

std::vector<std::string> values_at(std::span<const std::string> paths,
                                   const std::string& resolved) {
  const std::optional<Node> root = tree_of(resolved, {});
  std::vector<std::string> values;
  for (const std::string& path : paths) {
    const auto steps = split_path(path);
    const Node* node = steps && root ? &*root : nullptr;
    for (std::size_t k = 0; node && k < steps->size(); ++k) node = child_of(*node, (*steps)[k]);
    values.push_back(node ? text_of(*node) : "");
  }
  return values;
}

std::vector<std::string> keys_of_path(const std::string& path) {
  std::vector<std::string> keys;
  for (const PathStep& step : split_path(path).value_or(std::vector<PathStep>())) {
    if (const auto* key = std::get_if<std::string>(&step))
      keys.push_back(*key);
    else
      keys.back() += fmt::format("{}", std::get<std::size_t>(step));
  }
  return keys;
}

}  // namespace scree
