/// Results of the solve: certificates, loads, memories of contacts.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Reports the contacts and the energy that they took.
void certify(StepContext& context);
/// Stores impulses in the pairs, for the next warm start, and advances the time.
void store(StepContext& context);
/// Sums the effects of contacts on each obstacle, and their wear; after the solve.
void load_obstacles(StepContext& context);
/// Stores impulses of the problem in their pairs.
void keep_impulses(StepContext& context);

}  // namespace scree
