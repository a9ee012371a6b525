/// The tuned numbers of a step: thresholds, caps and tolerances that are no input of users. Each has
/// its unit, and the reason for its value. Numbers of the geometry stand with their shapes.
#pragma once

#include <cstdint>

namespace scree {

// ---- Solvers ------------------------------------------------------------------------------------

// ---- Stages of the step -------------------------------------------------------------------------

}  // namespace scree
