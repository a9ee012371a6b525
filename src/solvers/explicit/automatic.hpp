#pragma once

#include "solvers/explicit/progress.hpp"

namespace scree {

/// The portfolio.
///
/// 1. Three sweeps over everything: loose problems end here.
/// 2. Islands (blocks that influence each other), each by itself, over threads, to a tolerance that makes the whole converge:
///    a. more than kLarge blocks: ADMM, whose one sparse factorisation costs less than one of Newton's;
///    b. Gauss–Seidel finds which contacts are open, stick and slide, Newton's method solves for them; again with more sweeps
///       where the residual says that they were wrong;
///    c. where W is singular and many sets of contacts nearly do (high stacks, walls of bricks): proximal point iterations, that is
///       Newton's method on W + ε with ε as small as it can be;
///    d. interior point, cold, when c stalls;
///    e. a proof that there is no solution, which ends the island's search; else c again.
/// It gives up when c has brought the residual down by less than half in its last rounds.
void solve_automatically(const SolveOptions& options, Progress& progress);

}  // namespace scree
