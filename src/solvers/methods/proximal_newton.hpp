/// The proximal point method [Rockafellar76] with Newton's method inside, for W that is singular.
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// Proximal point iterations: r ← solution of u = W r + q + ε D (r − r_last), D the mean diagonal
/// of each block, by Newton's method. Rounds are inexact: a third of E_s at r_last is enough. ε
/// falls where a round takes few steps, and rises where one fails.
///
/// From r = 0 and ε = 1 they follow the flow that the exact rounds discretise. Where Coulomb's law
/// is far from monotone (RockPile, μ = 1) that flow passes close by points at which it stands
/// still: E_s may rise and stay for a hundred rounds on its way to a solution.
class ProximalNewton {
 public:
  /// From r = 0.
  explicit ProximalNewton(Progress& progress, double epsilon = 1)
      : progress_(progress), epsilon_(epsilon), r_(Vector::Zero(progress.system().rows())) {
    residual_ = progress.system().residual(progress.system().q(), r_);
  }

  /// So many more rounds, from where the last ones ended, unless `progress` is finished before.
  void run(int rounds);

 private:
  Progress& progress_;
  double epsilon_, residual_ = 0;
  Vector r_;  ///< goes on from round to round, also where it is not the best
};

}  // namespace scree
