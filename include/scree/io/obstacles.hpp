/// Obstacles as JSON, for pictures and readers of a run.
#pragma once

#include <string>

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// A list of {name, shape, its dimensions [m], material, moving, position [m], quaternion (w, x, y,
/// z)} with the poses in `state`.
std::string obstacles_json(const Model& model, const State& state);

}  // namespace scree
