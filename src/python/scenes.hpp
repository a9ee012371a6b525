/// Scenes as Python gives them: text, a file, or a dict.
#pragma once

#include <pybind11/pybind11.h>

#include "scree/scene/scene.hpp"

namespace scree::python {

/// `source` is the text of a scene (a str of several lines), the name of a file (any other str, or
/// a path), or a dict; `set` overrides values by path, as --set does. Throws SceneError.
Scene scene_of(const pybind11::object& source, const pybind11::object& set);

}  // namespace scree::python
