/// Solve of the contacts of some islands, or of all.
#pragma once

#include "scree/solvers/gauss_seidel.hpp"

namespace scree {

struct SolveRequest {
  SolverSettings settings;
  bool few = false;  ///< each island has few contacts, for which the portfolio pays
  /// Bodies are at rest: few contacts are solved beyond the tolerance, so that they do not creep
  bool rests = false;
  int max_fine_sweeps = 0;  ///< sweeps for that
  double fraction = 1;      ///< of kFineResidual and kCreepResidual that the islands need [-]
};

/// Sweeps, then the portfolio with the remaining iterations if that pays: for few contacts that a
/// fifth of all sweeps does not solve. Stacks, large mass ratios and infeasible sets converge
/// slowly. "Few" is at most a third of max_sweeps, so the portfolio costs about as much as the
/// sweeps before.
SolveResult sweep_then_finish(ContactProblem& problem, const SolveRequest& request,
                              GaussSeidel& solver, ThreadPool& pool);

/// True if the portfolio may solve this many contacts.
bool is_few(std::size_t contacts, const SolverSettings& settings);

}  // namespace scree
