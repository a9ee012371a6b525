/// Collects the problems of a scene, so that all are reported at once.
#pragma once

#include <string>
#include <vector>

#include "scene/yaml/node.hpp"
#include "scree/scene/scene.hpp"

namespace scree::scene {

/// Position of a node in its file; for a default, that of the node it was filled into.
SourcePosition nearest_position(const Node& node);

class Problems {
 public:
  Problems(std::string file, std::vector<std::string> overrides)
      : file_(std::move(file)), overrides_(std::move(overrides)) {}

  /// Reports a problem of a value and marks the node as faulty. Does nothing if it already is.
  void report(const Node& node, std::string message);
  /// Reports a further problem of a value that may have several, such as a group of bodies.
  void add(const Node& node, std::string message);
  /// Reports a problem of a key, at the key's position.
  void report_key(const Node& node, std::string message);
  /// Reports a problem at a position of the scene file or an override.
  void report_at(const SourcePosition& position, std::string path, std::string message);
  /// Reports a problem in another file.
  void report_in(const std::string& file, int line, std::string path, std::string message);

  void warn(const Node& node, std::string message);
  /// Warns of a place in another file.
  void warn_in(const std::string& file, int line, std::string path, std::string message);

  bool empty() const { return count_ == 0; }
  /// Problems in the order of the file; those beyond the first 200 are only counted.
  std::vector<SceneProblem> sorted() const;
  std::vector<SceneProblem> warnings() const { return warnings_; }
  /// Throws SceneError if there are problems.
  void raise() const;

 private:
  struct Entry {
    int origin;
    SceneProblem problem;
  };
  SceneProblem at(const SourcePosition& position, std::string path, std::string message) const;
  void push(int origin, SceneProblem problem);

  std::string file_;
  std::vector<std::string> overrides_;
  std::vector<Entry> entries_;
  std::vector<SceneProblem> warnings_;
  std::size_t count_ = 0;
};

}  // namespace scree::scene
