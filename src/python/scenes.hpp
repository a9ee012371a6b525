/// Scenes as Python gives them: text, a file, or a dict.
#pragma once

#include <filesystem>
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

/// `source` is the text of a scene (a str of several lines), the name of a file (any other str, or
/// a path), or a dict; `set` overrides values by path, as --set does. Throws SceneError.
ReadScene scene_of(const pybind11::object& source, const pybind11::object& set);

}  // namespace scree::python
