/// Alternating directions with one factorisation of W + ρ.
#include "solvers/methods/admm.hpp"

#include <algorithm>
#include <limits>

#include "solvers/methods/newton.hpp"
#include "solvers/operators/cones.hpp"
#include "solvers/operators/symmetric_elimination.hpp"

namespace scree {
namespace {

constexpr int kAdmmStepsBetweenChecks = 5, kUnlimitedAdmmSteps = std::numeric_limits<int>::max();

}  // namespace

void admm(const AdmmSettings& settings, Vector& r, Progress& progress) {
  if (!progress.has_time_for_piece()) return;
  const MatrixOperator& system = progress.system();
  const auto begin = Limits::Clock::now();
  SymmetricElimination elimination(system);
  if (progress.finished()) return;
  const double rho = settings.penalty * system.largest_diagonal();
  const bool factorized = elimination.factorize(rho);
  progress.record_piece(begin);
  if (!factorized) return;
  const bool symmetric = elimination.asymmetry() == 0;

  // Start cold: the r of sweeps is seldom near the solution, and ξ would have to be near, too.
  Vector z = Vector::Zero(system.rows()), u = system.q(), xi = -u / rho;
  double falling_from = progress.residual();
  int since = 0;
  const int allowed = std::min(settings.max_iterations, progress.iterations_left());
  for (int k = 1; k <= allowed; ++k) {
    Vector b = rho * (z - xi) - system.q() - de_saxce_shift(system, u);
    // The skew part of W acts on the last impulses.
    if (!symmetric) b -= system.velocity(z) - system.q() - elimination.multiply(z);
    const Vector x = elimination.solve(b);
    u = b + system.q() - rho * x;  // S x + q
    z = x + xi;
    project_on_cones(system, z);
    xi += x - z;
    // Check after the last iteration, too.
    if (const int unchecked = (k - 1) % kAdmmStepsBetweenChecks + 1;
        unchecked == kAdmmStepsBetweenChecks || k == allowed) {
      progress.record(z, unchecked);
      if (progress.finished()) break;
      const double residual = progress.history().back().residual;
      since += unchecked;
      if (residual < 0.7 * falling_from) {
        falling_from = residual;
        since = 0;
      }
      if (since >= settings.patience) break;
    }
  }
  r = progress.best();
}

void admm_with_growing_penalty(Progress& progress) {
  Vector r = progress.best();
  for (int patience = 100; patience <= 2500; patience *= 5)
    for (double penalty = 1e-3; penalty <= 10; penalty *= 3) {
      if (progress.finished()) return;
      admm({.max_iterations = kUnlimitedAdmmSteps, .penalty = penalty, .patience = patience}, r,
           progress);
      // Near the end ADMM's steps are small, but contacts have found their class: stick or slip.
      if (!progress.finished()) newton({.max_iterations = 10}, r, progress);
    }
}

}  // namespace scree
