/// Applies overrides "path=value" to the tree of a scene.
#include "scene/yaml/overrides.hpp"

#include <charconv>
#include <fmt/format.h>

#include "scene/yaml/document.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {
constexpr std::size_t kDeepestPath = 32;
}

std::optional<std::vector<PathStep>> split_path(std::string_view path) {
  std::vector<PathStep> steps;
  std::size_t i = 0;
  while (i < path.size()) {
    if (path[i] == '[') {
      const std::size_t close = path.find(']', i);
      if (close == std::string_view::npos || steps.empty()) return {};
      std::size_t index = 0;
      const auto [end, status] = std::from_chars(path.data() + i + 1, path.data() + close, index);
      if (status != std::errc() || end != path.data() + close) return {};
      steps.emplace_back(index);
      i = close + 1;
      if (i < path.size() && path[i] == '.' && i + 1 < path.size()) ++i;
    } else {
      const std::size_t end = std::min(path.find_first_of(".[", i), path.size());
      if (end == i) return {};
      steps.emplace_back(std::string(path.substr(i, end - i)));
      if (end + 1 == path.size()) return {};  // a path must not end in a dot or a bracket
      i = end < path.size() && path[end] == '.' ? end + 1 : end;
    }
  }
  if (steps.empty() || steps.size() > kDeepestPath) return {};
  return steps;
}

std::vector<std::string> keys_of(const Node& map) {
  std::vector<std::string> keys;
  for (const Node& child : map.children) keys.push_back(child.key);
  return keys;
}

namespace {

/// Child at one step of the path, added if missing; null with a message if that is not possible.
Node* child_at(Node& node, const PathStep& step, const SourcePosition& position,
               std::string& message) {
  if (const auto* key = std::get_if<std::string>(&step)) {
    if (node.kind == Node::Kind::null) node.kind = Node::Kind::map;
    if (!node.is_map()) {
      message = fmt::format("cannot look up '{}' in {}, which has no keys", *key, describe(node));
      return nullptr;
    }
    if (Node* found = node.find(*key)) return found;
    Node fresh;
    fresh.key = *key;
    fresh.position = fresh.key_position = position;
    node.children.push_back(std::move(fresh));
    return &node.children.back();
  }
  const std::size_t index = std::get<std::size_t>(step);
  if (node.kind == Node::Kind::null) node.kind = Node::Kind::list;
  if (!node.is_list()) {
    message = node.is_map() ? fmt::format("cannot look up entry [{}] in a map with the keys {}",
                                          index, joined(keys_of(node)))
                            : fmt::format("cannot look up entry [{}] in {}, which is not a list",
                                          index, describe(node));
    return nullptr;
  }
  if (index > node.children.size()) {
    message = fmt::format("there is no entry [{}]: the list has {}, counted from 0", index,
                          node.children.size());
    return nullptr;
  }
  if (index == node.children.size()) {
    node.children.emplace_back();
    node.children.back().position = position;
  }
  return &node.children[index];
}

void apply(Node& root, const std::string& text, int origin, Problems& problems) {
  const SourcePosition position{origin, 1, 1};
  const std::size_t equals = text.find('=');
  const auto steps = split_path(std::string_view(text).substr(0, equals));
  if (equals == std::string::npos || !steps) {
    problems.report_at(position, "",
                       "expected PATH=VALUE, such as step.h=5us or bodies[0].sphere.radius=1mm");
    return;
  }
  std::optional<Node> value = parse_document(text.substr(equals + 1), origin, problems);
  if (!value) return;

  Node* node = &root;
  std::string message;
  for (const PathStep& step : *steps) {
    node = child_at(*node, step, position, message);
    if (!node) {
      problems.report_at(position, text.substr(0, equals), message);
      return;
    }
  }
  value->key = node->key;
  value->key_position = position;
  value->position = position;
  *node = std::move(*value);
}

}  // namespace

void apply_overrides(Node& root, const std::vector<std::string>& overrides, Problems& problems) {
  for (std::size_t k = 0; k < overrides.size(); ++k)
    apply(root, overrides[k], static_cast<int>(k) + 1, problems);
}

}  // namespace scree::scene
