/// Tree of a scene file.
#include "scene/yaml/node.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace scree::scene {

const Node* Node::find(std::string_view wanted) const {
  if (kind != Kind::map) return nullptr;
  const auto it = std::find_if(children.begin(), children.end(),
                               [&](const Node& c) { return c.key == wanted; });
  return it == children.end() ? nullptr : &*it;
}

Node* Node::find(std::string_view wanted) {
  return const_cast<Node*>(std::as_const(*this).find(wanted));
}

const Node& Node::operator[](std::string_view wanted) const {
  const Node* found = find(wanted);
  if (!found)
    throw std::logic_error(
        fmt::format("{}.{} is read, but neither required nor given a default by the schema",
                    path_of(*this), wanted));
  return *found;
}

namespace {

/// Place of an entry in a list as the user wrote it, without entries that have labels.
std::ptrdiff_t place_in_list(const Node& entry) {
  const std::vector<Node>& all = entry.parent->children;
  const auto first = std::ranges::find_if(all, [](const Node& n) { return n.label.empty(); });
  return &entry - &*first;
}

}  // namespace

std::string path_of(const Node& node) {
  if (!node.label.empty()) return node.label;
  if (!node.parent) return "";
  const std::string above = path_of(*node.parent);
  if (node.parent->is_list()) return fmt::format("{}[{}]", above, place_in_list(node));
  return above.empty() ? node.key : above + "." + node.key;
}

void link_parents(Node& node) {
  for (Node& child : node.children) {
    child.parent = &node;
    link_parents(child);
  }
}

bool sound(const Node& node) {
  return !node.faulty && std::all_of(node.children.begin(), node.children.end(),
                                     [](const Node& c) { return sound(c); });
}

std::string describe(const Node& node) {
  constexpr std::size_t kLongest = 60;  // characters of the user's text worth repeating
  const bool whole = node.text.size() <= kLongest;
  std::string shown = node.text.substr(0, kLongest).append(whole ? "" : "…");
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::boolean:
    case Node::Kind::number:
      return shown;
    case Node::Kind::string:
      return "'" + shown + "'";
    case Node::Kind::list:
      return fmt::format("a list of {}", node.children.size());
    case Node::Kind::map:
      return "a map";
  }
  return "";
}

Node number_node(double value) {
  Node node;
  node.kind = Node::Kind::number;
  node.number = value;
  node.text = fmt::format("{}", value);
  return node;
}

Node integer_node(std::int64_t value) {
  Node node = number_node(static_cast<double>(value));
  node.integral = true;
  node.integer = value;
  node.text = fmt::format("{}", value);
  return node;
}

Node string_node(std::string_view value) {
  Node node;
  node.kind = Node::Kind::string;
  node.text = value;
  return node;
}

}  // namespace scree::scene
