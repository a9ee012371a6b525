/// Sweeps from block to block, with acceleration: Gauss–Seidel [Jean99], over-relaxation [Cryer71],
/// damped Jacobi [Preclik18, §5].
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Runs gauss_seidel, psor or jacobi, with the acceleration of the settings, until `progress` is
/// finished or no iterations are left. `subdomain` is SolveContext's.
template <class Operator>
void run_sweeps(const SolverSettings& settings, std::span<const int> subdomain, Vector& r,
                ProgressOf<Operator>& progress);

}  // namespace scree
