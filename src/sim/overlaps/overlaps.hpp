/// Overlaps of bodies, undone apart from their velocities.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Finds pseudo-velocities that separate overlapping bodies: see PositionCorrection.
void correct(StepContext& context);
/// Counts deep overlaps that velocities increase, whatever the position correction does.
void count_growing_penetration(StepContext& context);

}  // namespace scree
