#include "solvers/methods/projected_gradient.hpp"

#include <algorithm>
#include <deque>

#include "scree/solvers/momentum.hpp"
#include "solvers/operators/cones.hpp"
#include "solvers/operators/factored_operator.hpp"

namespace scree {
namespace {

/// The quadratic problem with a shift that is kept; W is taken as it is, also where it is not
/// symmetric.
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

/// Stops at `target`, or when check(r, iterations) says so; it is asked every
/// kGradientStepsBetweenChecks iterations, and at the last that is allowed.
constexpr int kGradientStepsBetweenChecks = 10;

template <class Operator, class Check>
void accelerated_gradient(const ConeQp<Operator>& qp, double target, int most, Vector& r,
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
        unchecked == kGradientStepsBetweenChecks || k == most)
      if (check(r, unchecked) || qp.residual(r, g_next) <= target) return;
  }
}

template <class Operator, class Check>
void barzilai_borwein(const ConeQp<Operator>& qp, double target, int most, Vector& r,
                      Check&& check) {
  constexpr std::size_t kMemory = 10;
  constexpr double kDecrease = 1e-4;
  const double shortest = 1e-10 / qp.system.largest_diagonal(),
               longest = 1e10 / qp.system.largest_diagonal();
  double step = 1 / qp.system.largest_diagonal();
  Vector g = qp.gradient(r);
  std::deque<double> energies{qp.energy(r, g)};
  for (int k = 1;; ++k) {
    const Vector d = qp.projected(r - step * g) - r;
    const double slope = g.dot(d), reference = *std::ranges::max_element(energies);
    // The energy along d is a parabola: one gradient tells all of it.
    const Vector Wd = qp.gradient(r + d) - g;
    const double curvature = d.dot(Wd), start = energies.back();
    double t = 1;
    while (t > 1e-10 && start + t * slope + 0.5 * t * t * curvature >
                            reference + kDecrease * t * slope + 1e-15 * std::abs(reference))
      t /= 2;
    r += t * d;
    g += t * Wd;
    energies.push_back(start + t * slope + 0.5 * t * t * curvature);
    if (energies.size() > kMemory) energies.pop_front();
    // Alternating the two steps.
    const double dd = d.squaredNorm(), WW = Wd.squaredNorm();
    step = std::clamp(k % 2 == 0 ? dd / curvature : curvature / WW, shortest, longest);
    if (!(curvature > 0)) step = 1 / qp.system.largest_diagonal();
    if (const int unchecked = (k - 1) % kGradientStepsBetweenChecks + 1;
        unchecked == kGradientStepsBetweenChecks || k == most) {
      g = qp.gradient(r);  // without what rounding adds up
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
  constexpr int kPatience = 20000;
  double best = progress.residual();
  int since = 0;
  const auto check = [&](const Vector& x, int iterations) {
    progress.book(x, iterations);
    since = progress.residual() < 0.9 * best ? 0 : since + iterations;
    if (since == 0) best = progress.residual();
    return progress.finished() || since >= kPatience;
  };
  while (!progress.finished() && since < kPatience) {
    const Vector shift = de_saxce_shift(system, system.velocity(r));
    const ConeQp<Operator> qp{system, shift};
    // Without a shift there is one problem, which ends by the check alone.
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
