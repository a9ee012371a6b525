/// The class Simulation of Python; each function binds one group of its members.
#pragma once

#include <memory>
#include <pybind11/pybind11.h>

#include "python/held.hpp"

namespace scree::python {

using HeldPointer = std::shared_ptr<Held>;
using SimulationClass = pybind11::class_<Held, HeldPointer>;

/// All bodies as arrays; the class Columns.
void bind_columns(pybind11::module_& module, SimulationClass& simulation);
/// Changes of bodies and obstacles between steps; the class Body.
void bind_changes(pybind11::module_& module, SimulationClass& simulation);

}  // namespace scree::python
