/// Collects what is wrong in a scene, so that all of it is told in one go.
#pragma once

#include <string>
#include <vector>

#include "scene/node.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

/// Where a node stands; a default has no place of its own: that of what it was filled into.
Place nearest_place(const Node& node);

class Problems {
 public:
  Problems(std::string file, std::vector<std::string> overrides)
      : file_(std::move(file)), overrides_(std::move(overrides)) {}

  /// A problem of a value; marks the node as faulty. Dropped if the node has one already.
  void report(const Node& node, std::string message);
  /// A further problem of a value that may have several, such as a group of bodies.
  void add(const Node& node, std::string message);
  /// A problem of a key; shown at the key.
  void report_key(const Node& node, std::string message);
  /// A problem at a place of the scene file or of an override.
  void report_at(const Place& place, std::string path, std::string message);
  /// A problem in another file.
  void report_in(const std::string& file, int line, std::string path, std::string message);

  void warn(const Node& node, std::string message);

  bool empty() const { return count_ == 0; }
  /// In the order of the file. Problems beyond a few hundred are only counted.
  std::vector<SceneProblem> sorted() const;
  std::vector<SceneProblem> warnings() const { return warnings_; }
  /// Throws SceneError if there are problems.
  void raise() const;

 private:
  struct Entry {
    int origin;
    SceneProblem problem;
  };
  SceneProblem at(const Place& place, std::string path, std::string message) const;
  void push(int origin, SceneProblem problem);

  std::string file_;
  std::vector<std::string> overrides_;
  std::vector<Entry> entries_;
  std::vector<SceneProblem> warnings_;
  std::size_t count_ = 0;
};

}  // namespace scree::scene
