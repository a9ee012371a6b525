/// Scenes as Python gives them: text, a file, or a dict.
#pragma once

#include <filesystem>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree::python {

/// A scene, and where it came from.
struct ReadScene : Scene {
  std::filesystem::path file;          ///< "<text>" or "<dict>" where there is none
  std::vector<std::string> overrides;  ///< as --set has them
};

/// Where a scene is read from.
struct SceneSource {
  std::filesystem::path file;       ///< "<text>" or "<dict>" where there is none
  std::optional<std::string> text;  ///< where there is none
};
/// Throws TypeError for what is no source of a scene.
SceneSource source_of(const pybind11::object& source);

/// A value as --set takes it.
std::string value_text(const pybind11::handle& value);
/// {path: value} as --set has them; none of None.
std::vector<std::string> overrides_of(const pybind11::object& set);

/// `source` is the text of a scene (a str of several lines), the name of a file (any other str, or
/// a path), or a dict; `set` overrides values by path, as --set does. Throws SceneError.
ReadScene scene_of(const pybind11::object& source, const pybind11::object& set);

}  // namespace scree::python
