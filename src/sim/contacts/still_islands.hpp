/// Islands of bodies that hardly move.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Finds Scratch::Islands::fine_residual. An island hardly moves if the speeds of its bodies,
/// relative to their mean velocity, are below kHardlyMovingFraction of what gravity adds in a step,
/// in the root mean square; rotations count by the speed of the surface. Residuals may then give it
/// a tenth of these speeds at most.
void find_still_islands(StepContext& context);

}  // namespace scree
