/// The impulse of least norm among those with the same velocities: the projection of zero on a
/// convex set, by alternating directions [Boyd11, §5].
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Of all impulses that leave the velocities of r as they are and obey the laws with them, the
/// one of least norm, by alternating directions between {W x = W r} and, of each block, what its
/// velocity allows: nothing where it opens, a ray where it slides, the cone where it sticks.
/// `hyperstatic` says how much room there was. r is returned where that does not converge, is
/// stopped, or has no time left.
Vector minimum_norm(const MatrixOperator& system, const Vector& r, double tolerance,
                    const Limits& limits, Hyperstatic& hyperstatic);

}  // namespace scree
