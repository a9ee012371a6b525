/// Scenes from Python: a text, a file, or a dict.
#pragma once

#include <filesystem>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree::python {

/// A scene and its source.
struct ReadScene : Scene {
  std::filesystem::path file;          ///< "<text>" or "<dict>" if there is no file
  std::vector<std::string> overrides;  ///< PATH=VALUE, as for --set
};

/// Source of a scene.
struct SceneSource {
  std::filesystem::path file;       ///< "<text>" or "<dict>" if there is no file
  std::optional<std::string> text;  ///< text of the scene if there is no file
};
/// Throws TypeError if the object is not a source of a scene.
SceneSource source_of(const pybind11::object& source);

/// Text of a value, as for --set.
std::string value_text(const pybind11::handle& value);
/// PATH=VALUE of each entry of a dict, as for --set; none for None.
std::vector<std::string> overrides_of(const pybind11::object& set);

/// `source` is the text of a scene (a str of several lines), the name of a file (any other str, or
/// a path), or a dict; `set` overrides values by path, as --set does. Throws SceneError.
ReadScene scene_of(const pybind11::object& source, const pybind11::object& set);

}  // namespace scree::python
