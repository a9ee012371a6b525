/// The alternating direction method of multipliers [Boyd11] on the cones of many contacts.
#pragma once

#include "solvers/progress.hpp"

namespace scree {

struct AdmmSettings {
  int max_iterations = 1000;
  double penalty = 0.003;  ///< ρ over the largest diagonal of W [-]
  int patience = 40;       ///< iterations in which the residual has to fall to 0.7 of what it was
};

/// Iterates alternating directions: r = argmin of ½ rᵀWr + (q + s)ᵀr + ½ρ|r − z + ξ|², z = P_K(r +
/// ξ), ξ += r − z, with De Saxcé's shift s = μ|u_t| of the last velocities for Coulomb's law. After
/// one factorisation of W + ρ, an iteration costs about two sweeps of Gauss–Seidel. The number of
/// iterations depends on ρ, not on the height of stacks. Ends at the tolerance, when the residual
/// stops falling, or after max_iterations. r is the best impulse found.
void admm(const AdmmSettings& settings, Vector& r, Progress& progress);

/// Runs ADMM with one penalty after the other, from small to large, each from a cold start: the
/// best one depends on W. If one stalls, a few steps of Newton's method follow; if all stall, all
/// are repeated with more patience.
void admm_with_growing_penalty(Progress& progress);

}  // namespace scree
