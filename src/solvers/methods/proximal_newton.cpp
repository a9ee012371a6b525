/// Rounds of the proximal point method.
#include "solvers/methods/proximal_newton.hpp"

#include "solvers/methods/newton.hpp"

namespace scree {

void ProximalNewton::run(int rounds) {
  constexpr double kMinProximalShift = 1e-12, kMaxProximalShift = 1e6;        // ε [-]
  constexpr double kProximalShiftDecrease = 1.5, kProximalShiftIncrease = 3;  // factors of ε [-]
  constexpr double kInnerTolerance = 0.3;  // over E_s of the last round [-]
  constexpr int kEasyRoundSteps = 5;
  // W + ε D is regular.
  const NewtonSettings newton_settings{
      .damping = NewtonDamping::natural, .max_iterations = 15, .regularisation = 0};
  const MatrixOperator& system = progress_.system();
  for (int round = 0; round < rounds && !progress_.finished(); ++round) {
    if (!progress_.has_time_for_piece()) return;
    const MatrixOperator shifted = system.proximal(epsilon_, r_);
    Limits limits = progress_.limits();
    limits.max_iterations = progress_.iterations_left();
    Progress inner(shifted, kInnerTolerance * residual_, limits, r_);
    Vector r = r_;
    newton(newton_settings, r, inner);
    progress_.record_piece(inner.limits().piece);
    if (!inner.converged()) {
      // r_ stays: the result of a failed round is useless.
      epsilon_ = std::min(kMaxProximalShift, kProximalShiftIncrease * epsilon_);
      progress_.spend(inner.iterations());
      continue;
    }
    r_ = inner.best();
    progress_.record(r_, inner.iterations());
    residual_ = progress_.history().back().residual;
    constexpr double kOnce = kProximalShiftDecrease;
    const double decrease = inner.iterations() <= kEasyRoundSteps / 2 ? kOnce * kOnce
                            : inner.iterations() <= kEasyRoundSteps   ? kOnce
                                                                      : 1;
    epsilon_ = std::max(kMinProximalShift, epsilon_ / decrease);
  }
}

}  // namespace scree
