/// Sweeps with the acceleration of the settings.
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
void iterate(const SolverSettings& settings, const Sweep& sweep, Vector& r,
             ProgressOf<Operator>& progress) {
  constexpr int kPlainSweepsBetweenChecks = 10;
  constexpr int kAndersonWindow = 10;  // steps
  if (settings.acceleration == Acceleration::none) {
    while (!progress.finished()) {
      const int sweeps = std::min(kPlainSweepsBetweenChecks, progress.iterations_left());
      for (int k = 0; k < sweeps; ++k) sweep(r);
      progress.record(r, sweeps);
    }
  } else if (settings.acceleration == Acceleration::anderson) {
    anderson(sweep, kAndersonWindow, r, progress);
  } else {
    const auto go_on = [] { return true; };
    nesterov(sweep, go_on, r, progress);
  }
  r = progress.best();
}

}  // namespace

template <class Operator>
void run_sweeps(const SolverSettings& settings, std::span<const int> subdomain, Vector& r,
                ProgressOf<Operator>& progress) {
  const Operator& system = progress.system();
  if (settings.method == SolverKind::psor)
    iterate(settings, ProjectedSweep(system, settings.relaxation > 0 ? settings.relaxation : 1.3),
            r, progress);
  else if (settings.method == SolverKind::jacobi)
    iterate(settings, DampedSweep(system, subdomain, settings.relaxation), r, progress);
  else
    iterate(settings, GaussSeidelSweep(system), r, progress);
}

template void run_sweeps(const SolverSettings& settings, std::span<const int> subdomain, Vector& r,
                         ProgressOf<MatrixOperator>& progress);
template void run_sweeps(const SolverSettings& settings, std::span<const int> subdomain, Vector& r,
                         ProgressOf<FactoredOperator>& progress);

}  // namespace scree
