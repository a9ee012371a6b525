/// Collects and sorts problems of a scene.
#include "scene/yaml/problems.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace scree {

namespace {

std::string lines_of(const std::vector<SceneProblem>& all) {
  std::string text;
  for (const SceneProblem& p : all) {
    if (!text.empty()) text += '\n';
    text += p.file;
    if (p.line > 0) text += fmt::format(":{}", p.line);
    if (p.column > 0) text += fmt::format(":{}", p.column);
    if (!p.path.empty()) text += ": " + p.path;
    text += ": " + p.message;
  }
  return text;
}

}  // namespace

SceneError::SceneError(std::vector<SceneProblem> all)
    : InputError(lines_of(all)), problems(std::move(all)) {}

namespace scene {

namespace {
constexpr std::size_t kMaxProblems = 200;
}

SceneProblem Problems::at(const SourcePosition& position, std::string path,
                          std::string message) const {
  const std::string& file = position.origin == 0 ? file_ : overrides_[position.origin - 1];
  const bool in_file = position.origin == 0;
  return {file, in_file ? position.line : 0, in_file ? position.column : 0, std::move(path),
          std::move(message)};
}

void Problems::push(int origin, SceneProblem problem) {
  if (++count_ <= kMaxProblems) entries_.push_back({origin, std::move(problem)});
}

SourcePosition nearest_position(const Node& node) {
  const Node* n = &node;
  while (n->position.line == 0 && n->parent) n = n->parent;
  return n->position;
}

void Problems::report(const Node& node, std::string message) {
  if (node.faulty) return;
  add(node, std::move(message));
}

void Problems::add(const Node& node, std::string message) {
  node.faulty = true;
  report_at(nearest_position(node), path_of(node), std::move(message));
}

void Problems::report_key(const Node& node, std::string message) {
  if (node.faulty) return;
  node.faulty = true;
  report_at(node.key_position, path_of(node), std::move(message));
}

void Problems::report_at(const SourcePosition& position, std::string path, std::string message) {
  push(position.origin, at(position, std::move(path), std::move(message)));
}

void Problems::report_in(const std::string& file, int line, std::string path, std::string message) {
  push(0, {file, line, 0, std::move(path), std::move(message)});
}

void Problems::warn(const Node& node, std::string message) {
  warnings_.push_back(at(nearest_position(node), path_of(node), std::move(message)));
}

void Problems::warn_in(const std::string& file, int line, std::string path, std::string message) {
  warnings_.push_back({file, line, 0, std::move(path), std::move(message)});
}

std::vector<SceneProblem> Problems::sorted() const {
  std::vector<Entry> entries = entries_;
  // Overrides first, then other files, then by line
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    const auto order = [&](const Entry& e) {
      return std::tuple(e.origin == 0, e.problem.file != file_, e.origin, e.problem.line,
                        e.problem.column);
    };
    return order(a) < order(b);
  });
  std::vector<SceneProblem> all;
  all.reserve(entries.size() + 1);
  for (Entry& e : entries) all.push_back(std::move(e.problem));
  if (count_ > kMaxProblems)
    all.push_back({file_, 0, 0, "", fmt::format("… and {} more problems", count_ - kMaxProblems)});
  return all;
}

void Problems::raise() const {
  if (!empty()) throw SceneError(sorted());
}

}  // namespace scene
}  // namespace scree
