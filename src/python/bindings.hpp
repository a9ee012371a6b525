/// The Python module scree._scree: module.cpp calls one function for each group of its members.
/// docs/guide/python.md and python/scree/_scree.pyi document the module for users.
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
