#include "solvers/methods/sweeps.hpp"

#include <algorithm>

#include "solvers/methods/anderson.hpp"
#include "solvers/methods/damped_jacobi.hpp"
#include "solvers/methods/nesterov_sweeps.hpp"
#include "solvers/methods/over_relaxation.hpp"
#include "solvers/operators/factored_operator.hpp"

namespace scree {
namespace {

template <class Sweep, class Operator>
void iterate(const SolveOptions& options, const Sweep& sweep, Vector& r,
             ProgressOf<Operator>& progress) {
  constexpr int kBetweenChecks = 10, kWindow = 10;
  if (options.acceleration == Acceleration::none) {
    while (!progress.finished()) {
      const int sweeps = std::min(kBetweenChecks, progress.iterations_left());
      for (int k = 0; k < sweeps; ++k) sweep(r);
      progress.book(r, sweeps);
    }
  } else if (options.acceleration == Acceleration::anderson) {
    anderson(sweep, kWindow, r, progress);
  } else {
    const auto go_on = [] { return true; };
    nesterov(sweep, go_on, r, progress);
  }
  r = progress.best();
}

}  // namespace

template <class Operator>
void run_sweeps(const SolveOptions& options, Vector& r, ProgressOf<Operator>& progress) {
  const Operator& system = progress.system();
  if (options.solver == SolverKind::psor)
    iterate(options, ProjectedSweep(system, options.relaxation > 0 ? options.relaxation : 1.3), r,
            progress);
  else if (options.solver == SolverKind::jacobi)
    iterate(options, DampedSweep(system, options.subdomain, options.relaxation), r, progress);
  else
    iterate(options, GaussSeidelSweep(system), r, progress);
}

template void run_sweeps(const SolveOptions& options, Vector& r,
                         ProgressOf<MatrixOperator>& progress);
template void run_sweeps(const SolveOptions& options, Vector& r,
                         ProgressOf<FactoredOperator>& progress);

}  // namespace scree
