/// Iterations that go from block to block, and what accelerates them: Gauss–Seidel [Jean99],
/// over-relaxation [Cryer71], damped Jacobi [Preclik18, §5].
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// gauss_seidel, psor or jacobi, with the acceleration that is asked for, until `progress` is
/// finished or the iterations are used up. `subdomain` is SolveContext's.
template <class Operator>
void run_sweeps(const SolverSettings& settings, std::span<const int> subdomain, Vector& r,
                ProgressOf<Operator>& progress);

}  // namespace scree
