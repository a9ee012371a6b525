/// The alternating direction method of multipliers [Boyd11] on the cones of many contacts.
#pragma once

#include "solvers/progress.hpp"

namespace scree {

struct AdmmSettings {
  int max_iterations = 1000;
  double penalty = 0.003;  ///< ρ over the largest diagonal of W [-]
  int patience = 40;       ///< iterations in which the residual has to fall to 0.7 of what it was
};

/// Alternating directions: r = argmin of ½ rᵀWr + (q + s)ᵀr + ½ρ|r − z + ξ|², z = P_K(r + ξ), ξ +=
/// r − z, with De Saxcé's shift s = μ|u_t| of the last velocities for Coulomb's law. One
/// factorisation of W + ρ, then each iteration costs about two sweeps of Gauss–Seidel, and stacks
/// of any height are stiff only to the extent that ρ is. Ends at the tolerance, when the residual
/// falls no more, or after max_iterations. r is the best it saw.
void admm(const AdmmSettings& settings, Vector& r, Progress& progress);

/// The same with one penalty after the other, from small to large, each starting cold: which one is
/// best depends on how stiff W is. Where one is stuck a few steps of Newton's method are tried;
/// where all are, the same with more patience.
void admm_with_growing_penalty(Progress& progress);

}  // namespace scree
