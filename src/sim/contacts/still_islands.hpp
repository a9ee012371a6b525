/// Islands of bodies that hardly move.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Sets Scratch::Islands::still to 1 for each island whose bodies move, relative to their mean
/// velocity, by less than kHardlyMovingFraction of what gravity adds in a step, in the root mean
/// square; rotations count by the speed of the surface. Else to 0.
void find_still_islands(StepContext& context);

}  // namespace scree
