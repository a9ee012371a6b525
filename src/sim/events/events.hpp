/// Impacts in their order: docs/theory/impacts_in_order.md
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Resolves the impacts of small islands in which nothing else happens, in their order. Their
/// contacts leave the problem, and their bodies have the velocities of the end of the step.
void resolve_events(StepContext& context);

/// Adds them to the report; returns the kinetic energy that they gave, with the velocities of the
/// scheme [J].
double certify_events(StepContext& context);

}  // namespace scree
