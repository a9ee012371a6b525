/// Scenes given as text, for tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree::test {

/// Directory of the running test, emptied first.
inline std::filesystem::path test_directory() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  const auto path = std::filesystem::temp_directory_path() / "scree_scene_test" /
                    info->test_suite_name() / info->name();
  std::filesystem::create_directories(path);
  return path;
}

inline std::filesystem::path write_file(const std::string& name, const std::string& text) {
  const auto path = test_directory() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

inline Scene load_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return load_scene(write_file("scene.yaml", text), overrides);
}

/// Problems of a scene; empty if it loads.
inline std::vector<SceneProblem> problems_of(const std::string& text,
                                             const std::vector<std::string>& overrides = {}) {
  try {
    load_text(text, overrides);
  } catch (const SceneError& e) {
    return e.problems;
  }
  return {};
}

inline std::string reported(const std::vector<SceneProblem>& problems) {
  return SceneError(problems).what();
}

/// Smallest scene; tests append further keys.
inline const std::string kBase =
    "scree: 1\n"
    "until: 1\n"
    "step: {h: 1e-3}\n"
    "materials: {glass: {density: 2500}}\n"
    "default_law: {law: coulomb, friction: 0.4}\n";

inline std::string with_body(const std::string& body) {
  return kBase + "bodies:\n  - " + body + "\n";
}

inline const Prototype& prototype_of(const Scene& scene, std::size_t i) {
  return scene.model.prototypes.at(scene.state.bodies.prototype[i]);
}
inline Shape shape_of(const Scene& scene, std::size_t i) {
  return scaled(prototype_of(scene, i).shape, scene.state.bodies.radius[i]);
}
inline Pose pose_of(const Scene& scene, std::size_t i) {
  return {scene.state.bodies.position[i], scene.state.bodies.orientation[i]};
}

/// Expects exactly one problem, at this path, with these words in its message.
inline void expect_problem(const std::string& text, const std::string& path,
                           const std::string& words,
                           const std::vector<std::string>& overrides = {}) {
  const auto problems = problems_of(text, overrides);
  ASSERT_EQ(problems.size(), 1u) << reported(problems) << "\nin\n" << text;
  EXPECT_EQ(problems[0].path, path) << problems[0].message;
  EXPECT_NE(problems[0].message.find(words), std::string::npos) << problems[0].message;
}

}  // namespace scree::test
