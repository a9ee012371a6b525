/// The Python module scree._scree: a function for each part of it, called by module.cpp. What is
/// bound here is documented for users in docs/guide/python.md and python/scree/_scree.pyi.
#pragma once

#include <pybind11/pybind11.h>

namespace scree::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_scenes(py::module_& module);
void bind_reports(py::module_& module);
void bind_simulations(py::module_& module);
void bind_worlds(py::module_& module);
void bind_laws(py::module_& module);
void bind_problems(py::module_& module);
void bind_runs(py::module_& module);
void bind_batches(py::module_& module);

}  // namespace scree::python
