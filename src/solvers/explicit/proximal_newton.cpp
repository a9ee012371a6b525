#include "solvers/explicit/proximal_newton.hpp"

#include "solvers/explicit/newton.hpp"
#include "solvers/explicit/sweeps.hpp"

namespace scree {

void proximal_newton(const ProximalSettings& settings, Vector& r, Progress& progress) {
  const System& system = progress.system();
  constexpr double kSmaller = 0.3, kSmallest = 1e-10, kLargest = 1;
  constexpr int kTries = 3, kSweeps = 30;
  NewtonSettings newton_settings;
  newton_settings.regularisation = 1e-12;  // W + ε is regular
  newton_settings.max_iterations = 15;

  double epsilon = settings.epsilon, residual = progress.residual(), to_halve = residual;
  int since = 0;
  for (int round = 0; round < settings.max_rounds && since < settings.patience && !progress.finished();
       ++round, ++since) {
    const System shifted = system.proximal(epsilon * system.largest_diagonal(), r);
    const GaussSeidelSweep sweep(shifted);
    Progress inner(shifted, std::max(0.1 * progress.tolerance(), 0.01 * residual), progress.limits(), r);
    for (int k = 0; k < kTries && !inner.finished(); ++k) {
      if (k > 0) relax(sweep, kSweeps, r, inner);
      newton(newton_settings, r, inner);
    }
    r = inner.best();
    progress.book(r, inner.iterations());
    residual = progress.history().back().residual;
    if (residual <= 0.5 * to_halve) to_halve = residual, since = 0;
    epsilon = inner.converged() ? std::max(kSmallest, kSmaller * epsilon) : std::min(kLargest, epsilon / kSmaller);
  }
}

}  // namespace scree
