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
/// Joints and their motors; the classes Joints and Joint.
void bind_joints(pybind11::module_& module, SimulationClass& simulation);
/// Bodies by name; the classes Bodies and Link.
void bind_named_bodies(pybind11::module_& module, SimulationClass& simulation);
/// Rays against bodies and obstacles.
void bind_rays(SimulationClass& simulation);
/// Sensors of the scene; the classes Sensors and Sensor.
void bind_scene_sensors(pybind11::module_& module, SimulationClass& simulation);
/// States in memory; the class Snapshot.
void bind_snapshots(pybind11::module_& module, SimulationClass& simulation);
/// Changes of bodies and obstacles between steps; the class Body.
void bind_changes(pybind11::module_& module, SimulationClass& simulation);

}  // namespace scree::python
