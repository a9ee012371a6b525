/// States as bytes, for memory and messages; checkpoints are files.
#pragma once

#include <string>
#include <string_view>

#include "scree/sim/state.hpp"

namespace scree {

/// All fields of a state, with a version and a checksum. They depend on the byte order of the
/// machine.
std::string state_bytes(const State& state);

/// State of such bytes. Throws InputError if they are no state, are damaged, or have another
/// version. Simulation::restore() checks if it is one of its model.
State state_of_bytes(std::string_view bytes);

}  // namespace scree
