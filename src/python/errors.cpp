/// The exceptions of Python, and SceneProblem.
#include "python/errors.hpp"

#include <utility>

#include "python/bindings.hpp"
#include "scree/scene/scene.hpp"

namespace scree::python {
namespace {

/// Class SceneError; never released, as it must exist until the interpreter ends.
py::handle scene_error;

/// Raises SceneError with the message and the list of problems.
void raise_scene_error(const SceneError& error) {
  const py::object instance = scene_error(py::str(error.what()));
  instance.attr("problems") = py::list();
  for (const SceneProblem& problem : error.problems)
    instance.attr("problems").attr("append")(problem);
  PyErr_SetObject(scene_error.ptr(), instance.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  py::class_<SceneProblem>(module, "SceneProblem", "An error or a warning about a scene.")
      .def_readonly("file", &SceneProblem::file, "The scene, or a file that it names.")
      .def_readonly("line", &SceneProblem::line, "Line, from 1; 0 if unknown.")
      .def_readonly("column", &SceneProblem::column, "Column, from 1; 0 if unknown.")
      .def_readonly("path", &SceneProblem::path,
                    "Path of the key, such as bodies[2].sphere.radius.")
      .def_readonly("message", &SceneProblem::message,
                    "The value found, the allowed values and what to do.")
      .def("__repr__", [](const SceneProblem& p) {
        return "<SceneProblem " + p.file + ":" + std::to_string(p.line) + ": " + p.path + ": " +
               p.message + ">";
      });

  const py::handle input_error =
      py::register_exception<InputError>(module, "InputError", PyExc_ValueError);
  py::register_exception<OutputError>(module, "OutputError", PyExc_OSError);
  py::register_exception<StaleError>(module, "StaleError", PyExc_RuntimeError);
  py::register_exception<BusyError>(module, "BusyError", PyExc_RuntimeError);
  py::register_exception<StepError>(module, "StepError", PyExc_RuntimeError);

  PyObject* type = PyErr_NewException("scree.SceneError", input_error.ptr(), nullptr);
  if (!type) throw py::error_already_set();
  scene_error = type;
  module.add_object("SceneError", scene_error);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const SceneError& error) {
      raise_scene_error(error);
    }
  });
}

}  // namespace scree::python
