/// Accelerated and spectral projected gradient methods, and the loop over De Saxcé's shift.
#include "solvers/methods/projected_gradient.hpp"

#include <algorithm>
#include <deque>

#include "scree/solvers/momentum.hpp"
#include "solvers/operators/cones.hpp"
#include "solvers/operators/factored_operator.hpp"

namespace scree {
namespace {

/// Quadratic problem with a fixed shift; W is used as given, even if it is not symmetric.
template <class Operator>
struct ConeQp {
  const Operator& system;
  const Vector& shift;

  Vector gradient(const Vector& r) const { return system.velocity(r) + shift; }
  /// ½ rᵀ(g + q + s) with g the gradient at r.
  double energy(const Vector& r, const Vector& gradient) const {
    return 0.5 * r.dot(gradient + system.q() + shift);
  }
  Vector projected(Vector r) const {
    project_on_cones(system, r);
    return r;
  }
  /// |r − P(r − ρ g)| / ρ, one ρ for all, over the speed.
  double residual(const Vector& r, const Vector& gradient) const {
    const double rho = 1 / system.largest_diagonal();
    const double e = (r - projected(r - rho * gradient)).norm() / rho;
    return system.speed() > 0 ? e / system.speed() : e;
  }
};

constexpr int kGradientStepsBetweenChecks = 10;

/// Iterates until `target`, or until check(r, iterations) returns true; it is called every
/// kGradientStepsBetweenChecks iterations, and after the last of `max_steps`.
template <class Operator, class Check>
void accelerated_gradient(const ConeQp<Operator>& qp, double target, int max_steps, Vector& r,
                          Check&& check) {
  double L = qp.system.largest_diagonal();
  NesterovSequence sequence;
  Vector y = r, last = r;
  for (int k = 1;; ++k) {
    const Vector g = qp.gradient(y);
    Vector next, g_next;
    for (int halving = 0; halving < 60; ++halving, L *= 2) {
      next = qp.projected(y - g / L);
      g_next = qp.gradient(next);
      const Vector d = next - y;
      // ½ dᵀWd ≤ ½ L |d|² is the usual test of the energies without their cancellation.
      if (d.dot(g_next - g) <= L * d.squaredNorm()) break;
    }
    const bool uphill = g.dot(next - last) > 0;
    y = extrapolated(next, last, sequence.next(uphill ? 1 : 0));
    r = next;
    last = next;
    L *= 0.95;
    if (const int unchecked = (k - 1) % kGradientStepsBetweenChecks + 1;
        unchecked == kGradientStepsBetweenChecks || k == max_steps)
      if (check(r, unchecked) || qp.residual(r, g_next) <= target) return;
  }
}

/// The same, by the spectral method.
template <class Operator, class Check>
void barzilai_borwein(const ConeQp<Operator>& qp, double target, int max_steps, Vector& r,
                      Check&& check) {
  constexpr std::size_t kRememberedEnergies = 10;
  constexpr double kSufficientDecrease = 1e-4;  // over that of the slope [-]
  const double shortest = 1e-10 / qp.system.largest_diagonal(),
               longest = 1e10 / qp.system.largest_diagonal();
  double step = 1 / qp.system.largest_diagonal();
  Vector g = qp.gradient(r);
  std::deque<double> energies{qp.energy(r, g)};
  for (int k = 1;; ++k) {
    const Vector d = qp.projected(r - step * g) - r;
    const double slope = g.dot(d), reference = *std::ranges::max_element(energies);
    // The energy along d is a parabola: one gradient determines it.
    const Vector Wd = qp.gradient(r + d) - g;
    const double curvature = d.dot(Wd), start = energies.back();
    double t = 1;
    while (t > 1e-10 &&
           start + t * slope + 0.5 * t * t * curvature >
               reference + kSufficientDecrease * t * slope + 1e-15 * std::abs(reference))
      t /= 2;
    r += t * d;
    g += t * Wd;
    energies.push_back(start + t * slope + 0.5 * t * t * curvature);
    if (energies.size() > kRememberedEnergies) energies.pop_front();
    // Alternate the two step lengths.
    const double dd = d.squaredNorm(), WW = Wd.squaredNorm();
    step = std::clamp(k % 2 == 0 ? dd / curvature : curvature / WW, shortest, longest);
    if (!(curvature > 0)) step = 1 / qp.system.largest_diagonal();
    if (const int unchecked = (k - 1) % kGradientStepsBetweenChecks + 1;
        unchecked == kGradientStepsBetweenChecks || k == max_steps) {
      g = qp.gradient(r);  // removes accumulated rounding
      energies.back() = qp.energy(r, g);
      if (check(r, unchecked) || qp.residual(r, g) <= target) return;
    }
  }
}

}  // namespace

template <class Operator>
void first_order(const SolverSettings& settings, Vector& r, ProgressOf<Operator>& progress) {
  const Operator& system = progress.system();
  project_on_cones(system, r);
  const bool shifted = de_saxce_shift(system, Vector::Ones(system.rows())).any();
  constexpr int kGradientPatience = 20000;  // iterations without a fall of the residual by a tenth
  double best = progress.residual();
  int since = 0;
  const auto check = [&](const Vector& x, int iterations) {
    progress.record(x, iterations);
    since = progress.residual() < 0.9 * best ? 0 : since + iterations;
    if (since == 0) best = progress.residual();
    return progress.finished() || since >= kGradientPatience;
  };
  while (!progress.finished() && since < kGradientPatience) {
    const Vector shift = de_saxce_shift(system, system.velocity(r));
    const ConeQp<Operator> qp{system, shift};
    // Without a shift there is only one problem; the check alone ends it.
    const double target =
        shifted ? 0.1 * std::max(progress.history().back().residual, 0.1 * progress.tolerance())
                : 0;
    if (settings.method == SolverKind::barzilai_borwein)
      barzilai_borwein(qp, target, progress.iterations_left(), r, check);
    else
      accelerated_gradient(qp, target, progress.iterations_left(), r, check);
  }
  r = progress.best();
}

template void first_order(const SolverSettings& settings, Vector& r,
                          ProgressOf<MatrixOperator>& progress);
template void first_order(const SolverSettings& settings, Vector& r,
                          ProgressOf<FactoredOperator>& progress);

}  // namespace scree
