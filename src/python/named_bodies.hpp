/// Bodies in arguments from Python: ids or names.
#pragma once

#include <vector>

#include "python/simulations.hpp"

namespace scree::python {

/// Id of a body that is given by its id or by its name in the scene. Throws InputError, which lists
/// similar names, for an unknown name.
BodyId body_of(const Held& held, pybind11::handle body);

/// The same for several: one, a list of names, or an array of ids.
std::vector<BodyId> bodies_of(const Held& held, const pybind11::object& bodies);

/// Pose of the frame that a body's shape has in the scene.
Pose frame_of_link(const Simulation& simulation, BodyId id);

}  // namespace scree::python
