/// Projected gradient methods, which only multiply by W, for min ½ rᵀWr + (q + s)ᵀr over the cones
/// [Negrut18, Eq. 11], joints free: accelerated [Nesterov83] and spectral [BarzilaiBorwein88],
/// [Birgin00].
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Runs the method of settings.method: Nesterov's accelerated projected gradient with backtracking
/// and restart, or spectral projected gradient with the steps of Barzilai and Borwein and a
/// non-monotone search. For Coulomb's law an outer loop updates De Saxcé's shift s = μ|u_t|; each
/// problem is solved to a tenth of the residual after the last shift.
template <class Operator>
void first_order(const SolverSettings& settings, Vector& r, ProgressOf<Operator>& progress);

}  // namespace scree
