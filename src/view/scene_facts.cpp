/// Reads the facts of a scene from the tree of its resolved text.
#include "view/scene_facts.hpp"

#include <algorithm>

#include "scene/yaml/document.hpp"

namespace scree::view {
namespace {

using scene::Node;

/// Node at keys below a root; null if there is none.
const Node* node_at(const Node& root, std::initializer_list<const char*> keys) {
  const Node* node = &root;
  for (const char* key : keys)
    if (node) node = node->find(key);
  return node;
}

std::string text_at(const Node& root, std::initializer_list<const char*> keys) {
  const Node* node = node_at(root, keys);
  return node ? node->text : "";
}

const std::vector<Node>& children_at(const Node& root, const char* key) {
  static const std::vector<Node> none;
  const Node* node = root.find(key);
  return node ? node->children : none;
}

}  // namespace

std::string SceneFacts::law_between(const std::string& a, const std::string& b) const {
  const auto own = std::ranges::find_if(pairs, [&](const PairOfMaterials& pair) {
    return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
  });
  return own == pairs.end() ? default_law : own->law;
}

SceneFacts facts_of(const std::string& resolved) {
  SceneFacts facts;
  scene::Problems unheard("", {});
  const std::optional<Node> root = scene::parse_document(resolved, 0, unheard);
  if (!root) return facts;
  if (const Node* step = node_at(*root, {"step", "h"})) facts.step = step->number;
  for (const Node& material : children_at(*root, "materials"))
    facts.materials.push_back(material.key);
  for (const Node& obstacle : children_at(*root, "obstacles"))
    for (const Node& shape : obstacle.children)
      facts.material_of_obstacle[text_at(shape, {"name"})] = text_at(shape, {"material"});
  facts.default_law = text_at(*root, {"default_law", "law"});
  for (const Node& pair : children_at(*root, "laws")) {
    const std::vector<Node>& between = children_at(pair, "between");
    if (between.size() == 2)
      facts.pairs.push_back({between[0].text, between[1].text, text_at(pair, {"law"})});
  }
  return facts;
}

}  // namespace scree::view
