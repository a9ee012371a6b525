/// Proximal point method [Rockafellar76] with Newton's method inside, for singular W.
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Proximal point iterations: r ← solution of u = W r + q + ε D (r − r_last), D the mean diagonal
/// of each block, by Newton's method. Rounds are inexact: they end at a third of E_s at r_last. ε
/// falls if a round takes few steps, and rises if one fails.
///
/// From r = 0 and ε = 1 the rounds follow the flow that exact rounds discretise. If Coulomb's law
/// is far from monotone (RockPile, μ = 1), that flow passes near stationary points: E_s may rise
/// and stay high for a hundred rounds on its way to a solution.
class ProximalNewton {
 public:
  /// Starts from r = 0.
  explicit ProximalNewton(Progress& progress, double epsilon = 1)
      : progress_(progress), epsilon_(epsilon), r_(Vector::Zero(progress.system().rows())) {
    residual_ = progress.system().residual(progress.system().q(), r_);
  }

  /// Continues for `rounds` more rounds, unless `progress` is finished before.
  void run(int rounds);

 private:
  Progress& progress_;
  double epsilon_, residual_ = 0;
  Vector r_;  ///< result of the last round, even if it is not the best impulse
};

}  // namespace scree
