/// Sweeps over impulses with Nesterov's momentum [Nesterov83], guarded by E_s.
#pragma once

#include <algorithm>

#include "scree/solvers/momentum.hpp"
#include "solvers/progress.hpp"

namespace scree {

/// Sweeps with momentum after each, on which blocks vote. A check every few sweeps restarts it if
/// E_s has risen. Ends when `progress` is finished, or when go_on(), called at each check, returns
/// false.
template <class Sweep, class GoOn, class Operator>
void nesterov(const Sweep& sweep, GoOn&& go_on, Vector& r, ProgressOf<Operator>& progress) {
  constexpr int kNesterovSweepsBetweenChecks = 10;
  Vector last = r, swept;
  NesterovSequence sequence;
  const Operator& system = progress.system();
  const auto votes = [&] {
    Votes sum;
    for (int block = 0; block < system.blocks(); ++block) {
      const int row = system.first_row(block), rows = system.rows_of(block);
      sum.count((r - swept).segment(row, rows).dot((swept - last).segment(row, rows)));
    }
    return sum;
  };
  while (!progress.finished()) {
    const double before = progress.history().back().residual;
    const int sweeps = std::min(kNesterovSweepsBetweenChecks, progress.iterations_left());
    for (int k = 0; k < sweeps; ++k) {
      swept = r;
      sweep(swept);
      const double beta = sequence.next(votes().share_against());
      r = extrapolated(swept, last, beta);
      last.swap(swept);
    }
    progress.record(last, sweeps);
    if (progress.history().back().residual > before) {
      r = last;
      sequence.restart();
    }
    if (!go_on()) return;
  }
}

}  // namespace scree
