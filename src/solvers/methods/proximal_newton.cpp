#include "solvers/methods/proximal_newton.hpp"

#include "solvers/methods/newton.hpp"

namespace scree {

void ProximalNewton::run(int rounds) {
  constexpr double kSmallest = 1e-12, kLargest = 1e6, kDown = 1.5, kUp = 3, kInner = 0.3;
  constexpr int kEasy = 5;
  // W + ε D is regular.
  const NewtonSettings newton_settings{
      .damping = NewtonDamping::natural, .max_iterations = 15, .regularisation = 0};
  const MatrixOperator& system = progress_.system();
  for (int round = 0; round < rounds && !progress_.finished(); ++round) {
    if (!progress_.room_for_piece()) return;
    const MatrixOperator shifted = system.proximal(epsilon_, r_);
    Limits limits = progress_.limits();
    limits.max_iterations = progress_.iterations_left();
    Progress inner(shifted, kInner * residual_, limits, r_);
    Vector r = r_;
    newton(newton_settings, r, inner);
    progress_.book_piece(inner.limits().piece);
    if (!inner.converged()) {
      // r stays: what a round that failed has found leads nowhere.
      epsilon_ = std::min(kLargest, kUp * epsilon_);
      progress_.spend(inner.iterations());
      continue;
    }
    r_ = inner.best();
    progress_.book(r_, inner.iterations());
    residual_ = progress_.history().back().residual;
    const double down = inner.iterations() <= kEasy / 2 ? kDown * kDown
                        : inner.iterations() <= kEasy   ? kDown
                                                        : 1;
    epsilon_ = std::max(kSmallest, epsilon_ / down);
  }
}

}  // namespace scree
