/// Sleeping bodies: docs/theory/sleep.md
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Wakes the islands of bodies that were changed since the last step.
void wake_disturbed(StepContext& context);
/// Wakes the islands of bodies with a contact; true if there were any.
bool wake_met(StepContext& context);
/// True if a pair of two sleeping bodies, or of one and an obstacle, needs nothing in this step.
bool sleeps(const StepContext& context, const Neighbours::Pair& pair);

}  // namespace scree
