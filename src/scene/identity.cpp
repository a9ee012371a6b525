#include "scree/scene/identity.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sstream>
#include <utility>
#include <vector>

#include "scene/yaml/document.hpp"
#include "scene/yaml/schema.hpp"
#include "scree/io/sha256.hpp"

namespace scree {
namespace {

/// Reads the comments of an identity: the checksums of its files.
class Checksums {
 public:
  explicit Checksums(const std::string& identity) : identity_(identity) {}

  /// Moves to the next one; false after the last one.
  bool next() {
    while (std::getline(identity_, line_)) {
      ++number_;
      if (line_.starts_with('#')) return true;
    }
    line_ = "nothing";
    number_ = 0;
    return false;
  }
  const std::string& line() const { return line_; }
  int number() const { return number_; }

 private:
  std::istringstream identity_;
  std::string line_;
  int number_ = 0;
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

/// The tree of a resolved scene, without its end. Keys that its version did not know have their
/// defaults.
scene::Node tree_of(const std::string& text) {
  scene::Problems ignored("", {});
  scene::Node root = scene::parse_document(text, 0, ignored).value_or(scene::Node{});
  scene::resolve(root, ignored);
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

/// The line of a value; "nothing" if the text has none.
std::string line_of(const scene::Node* node, const std::string& text) {
  if (!node || node->position.line == 0) return "nothing";
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
  if (before == now) return {};
  scene::Node old_tree = tree_of(before), new_tree = tree_of(now);
  scene::link_parents(old_tree);
  scene::link_parents(new_tree);
  const auto [old_value, new_value] = first_values_that_differ(old_tree, new_tree);
  if (old_value || new_value)
    return SceneDifference{path_of(old_value ? *old_value : *new_value),
                           old_value ? old_value->position.line : 0, line_of(old_value, before),
                           line_of(new_value, now)};
  Checksums old_sums(before), new_sums(now);
  for (bool any = true; any;) {
    const bool has_old = old_sums.next(), has_new = new_sums.next();
    if (old_sums.line() != new_sums.line())
      return SceneDifference{"", old_sums.number(), old_sums.line(), new_sums.line()};
    any = has_old || has_new;
  }
  return {};
}

}  // namespace scree
