#include "scree/scene/identity.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sstream>
#include <utility>
#include <vector>

#include "scene/yaml/document.hpp"
#include "scree/io/sha256.hpp"

namespace scree {
namespace {

/// Reads a scene line by line, without the lines that define its end.
class Lines {
 public:
  explicit Lines(const std::string& scene) : scene_(scene) {}

  /// Moves to the next line; false after the last one.
  bool next() {
    while (std::getline(scene_, line_)) {
      ++number_;
      in_end_ = line_.starts_with("until:") || line_.starts_with("rest:") ||
                (in_end_ && line_.starts_with(' '));
      if (!in_end_) return true;
    }
    line_ = "nothing";
    return false;
  }
  const std::string& line() const { return line_; }
  int number() const { return number_; }

 private:
  std::istringstream scene_;
  std::string line_;
  int number_ = 0;
  bool in_end_ = false;
};

/// First values in which two trees differ; null where one has no such value. Both null: the same.
std::pair<const scene::Node*, const scene::Node*> first_values_that_differ(
    const scene::Node& before, const scene::Node& now) {
  if (before.kind != now.kind || before.text != now.text) return {&before, &now};
  for (std::size_t k = 0; k < before.children.size(); ++k) {
    const scene::Node& child = before.children[k];
    const scene::Node* other = before.is_map()           ? now.find(child.key)
                               : k < now.children.size() ? &now.children[k]
                                                         : nullptr;
    if (!other) return {&child, nullptr};
    const auto found = first_values_that_differ(child, *other);
    if (found.first || found.second) return found;
  }
  for (std::size_t k = 0; k < now.children.size(); ++k) {
    const scene::Node& child = now.children[k];
    if (before.is_map() ? !before.find(child.key) : k >= before.children.size())
      return {nullptr, &child};
  }
  return {nullptr, nullptr};
}

/// The tree of a resolved scene, without its end.
scene::Node tree_of(const std::string& text) {
  scene::Problems ignored("", {});
  scene::Node root = scene::parse_document(text, 0, ignored).value_or(scene::Node{});
  std::erase_if(root.children, [](const scene::Node& child) {
    return child.key == "until" || child.key == "rest";
  });
  return root;
}

/// The line without indentation; its numbers have the fewest digits that define them.
std::string readable(const std::string& line) {
  constexpr const char* kBetweenNumbers = " ,[]";
  std::string text;
  for (std::size_t at = std::min(line.find_first_not_of(' '), line.size()); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(kBetweenNumbers, at), line.size());
    const std::string word = line.substr(at, end - at);
    double number = 0;
    const auto [last, status] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_fraction = status == std::errc() && last == word.data() + word.size() &&
                             word.find_first_of(".e") != std::string::npos;
    text += is_fraction ? fmt::format("{}", number) : word;
    if (end < line.size()) text += line[end];
    at = end + 1;
  }
  return text;
}

/// The line of a value; "nothing" if there is no value.
std::string line_of(const scene::Node* node, const std::string& text) {
  if (!node) return "nothing";
  std::istringstream lines(text);
  std::string line;
  for (int k = 0; k < node->position.line; ++k) std::getline(lines, line);
  return readable(line);
}

}  // namespace

std::string identity_of(const Scene& scene) {
  std::string identity = scene.resolved;
  for (const auto& file : scene.inputs)
    identity +=
        fmt::format("# {} has SHA-256 {}\n", file.filename().string(), sha256_of_file(file));
  return identity;
}

std::optional<SceneDifference> first_difference(const std::string& before, const std::string& now) {
  Lines old_lines(before), new_lines(now);
  bool has_old = true, has_new = true;
  while (has_old || has_new) {
    has_old = old_lines.next();
    has_new = new_lines.next();
    if (old_lines.line() == new_lines.line()) continue;
    scene::Node old_tree = tree_of(before), new_tree = tree_of(now);
    scene::link_parents(old_tree);
    scene::link_parents(new_tree);
    const auto [old_value, new_value] = first_values_that_differ(old_tree, new_tree);
    if (old_value || new_value)
      return SceneDifference{path_of(old_value ? *old_value : *new_value),
                             old_value ? old_value->position.line : 0, line_of(old_value, before),
                             line_of(new_value, now)};
    // The checksum of a file, or the order of keys.
    return SceneDifference{"", has_old ? old_lines.number() : 0, readable(old_lines.line()),
                           readable(new_lines.line())};
  }
  return {};
}

}  // namespace scree
