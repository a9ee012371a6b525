/// Whether a model, and a state of it, can be stepped: each number is looked at, whoever gave it.
#pragma once

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Throws InputError with the name of the first field that cannot be used, what it holds and what is needed.
void check_model(const Model& model);
/// The same for a state, and for whether it belongs to the model, which has been checked.
void check_state(const Model& model, const State& state);

}  // namespace scree
