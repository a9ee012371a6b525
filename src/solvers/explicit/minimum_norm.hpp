#pragma once

#include <stop_token>

#include "scree/solvers/solve_problem.hpp"
#include "solvers/explicit/system.hpp"

namespace scree {

/// Of all percussions that leave the velocities of r as they are and obey the laws with them, the one of least norm, by alternating
/// directions between {W x = W r} and, of each block, what its velocity allows: nothing where it opens, a ray where it slides, the cone
/// where it sticks. `hyperstatic` says how much room there was. r is returned where that does not converge, or is
/// stopped.
Vector minimum_norm(const System& system, const Vector& r, double tolerance, const std::stop_token& stop,
                    Hyperstatic& hyperstatic);

}  // namespace scree
