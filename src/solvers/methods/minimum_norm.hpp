/// Impulse of least norm among those with the same velocities: the projection of zero on a convex
/// set, by alternating directions [Boyd11, §5].
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Impulse of least norm among all that have the velocities of r and obey the laws with them. The
/// directions alternate between {W x = W r} and the set that the velocity of each block allows:
/// zero if it opens, a ray if it slides, the cone if it sticks. `hyperstatic` describes the
/// indeterminacy. The result is r if the iteration does not converge, is stopped, or is out of
/// time.
Vector minimum_norm(const MatrixOperator& system, const Vector& r, double tolerance,
                    const Limits& limits, Hyperstatic& hyperstatic);

}  // namespace scree
