/// The class Scene of Python, and the sources that it reads.
#include "python/scenes.hpp"

#include <memory>
#include <pybind11/stl.h>
#include <string>

#include "python/bindings.hpp"
#include "scree/core/error.hpp"

namespace scree::python {
namespace {

/// Plain value of a type that the module json does not know: arrays and numbers of NumPy, and
/// paths.
py::object plain(const py::object& value) {
  if (py::hasattr(value, "tolist")) return value.attr("tolist")();
  if (py::hasattr(value, "__fspath__")) return value.attr("__fspath__")();
  throw py::type_error("a scene cannot contain a " +
                       py::cast<std::string>(py::type::of(value).attr("__name__")));
}

/// Text of a value as JSON, which is valid YAML.
std::string json_of(const py::handle& value, int indent) {
  const py::object dumps = py::module_::import("json").attr("dumps");
  return py::cast<std::string>(
      dumps(value, py::arg("default") = py::cpp_function(plain), py::arg("ensure_ascii") = false,
            py::arg("indent") = indent ? py::object(py::int_(indent)) : py::object(py::none())));
}

std::vector<std::string> obstacle_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Obstacle& obstacle : scene.model.obstacles) names.push_back(obstacle.name);
  return names;
}

}  // namespace

std::string value_text(const py::handle& value) {
  // A str has the syntax of --set: "5 us", "true" or "[0, 0, 1]".
  return py::isinstance<py::str>(value) ? py::cast<std::string>(value) : json_of(value, 0);
}

std::vector<std::string> overrides_of(const py::object& set) {
  std::vector<std::string> overrides;
  if (set.is_none()) return overrides;
  for (const auto& [path, value] : py::cast<py::dict>(set))
    overrides.push_back(py::cast<std::string>(path) + "=" + value_text(value));
  return overrides;
}

ReadScene scene_of(const py::object& source, const py::object& set) {
  const std::vector<std::string> overrides = overrides_of(set);
  SceneSource given = source_of(source);
  Scene scene = given.text ? load_scene_text(std::move(*given.text), given.file, overrides)
                           : load_scene(given.file, overrides);
  return ReadScene{std::move(scene), given.file, overrides};
}

SceneSource source_of(const py::object& source) {
  if (py::isinstance<py::dict>(source)) return {"<dict>", json_of(source, 1)};
  if (py::isinstance<py::str>(source)) {
    auto text = py::cast<std::string>(source);
    if (text.find('\n') == std::string::npos) return {text, {}};
    return {"<text>", std::move(text)};
  }
  if (py::hasattr(source, "__fspath__"))
    return {py::cast<std::string>(py::str(source.attr("__fspath__")())), {}};
  throw py::type_error(
      "a scene is the name of a file, a text of several lines, or a dict; this is a " +
      py::cast<std::string>(py::type::of(source).attr("__name__")));
}

void bind_scenes(py::module_& module) {
  py::class_<ReadScene, std::shared_ptr<ReadScene>>(module, "Scene",
                                                    R"(A scene that was read and checked.

Scene(source, set=None): source is the name of a file, a text of several lines, or a dict with the
keys of a scene file. set replaces values by their path, as --set does:
{"step.h": "1 ms", "bodies[0].sphere.radius": 0.01}. Raises SceneError.)")
      .def(py::init([](const py::object& source, const py::object& set) {
             return std::make_shared<ReadScene>(scene_of(source, set));
           }),
           py::arg("source"), py::arg("set") = py::none())
      .def_readonly("name", &Scene::name)
      .def_readonly("description", &Scene::description)
      .def_readonly("until", &Scene::until, "Simulated time of the end [s].")
      .def_property_readonly(
          "ends_at_rest", [](const Scene& s) { return s.rest.has_value(); },
          "True if a run ends when all bodies rest, at the latest at `until`.")
      .def_property_readonly(
          "h", [](const Scene& s) { return s.model.step.h; }, "Time step [s].")
      .def_property_readonly(
          "bodies", [](const Scene& s) { return s.state.bodies.size(); },
          "Number of bodies at the start.")
      .def_property_readonly("obstacles", &obstacle_names, "Names of obstacles, by index.")
      .def_readonly("seeds", &Scene::seeds, "Seeds of all random numbers.")
      .def_readonly("resolved", &Scene::resolved,
                    "YAML with every default filled in, in SI units; it loads to the same scene.")
      .def_readonly("warnings", &Scene::warnings,
                    "Values that are allowed, but are often mistakes: a list of SceneProblem.")
      .def("__repr__", [](const Scene& s) {
        return "<scree.Scene " + s.name + ": " + std::to_string(s.state.bodies.size()) +
               " bodies, " + std::to_string(s.model.obstacles.size()) + " obstacles>";
      });
}

}  // namespace scree::python
