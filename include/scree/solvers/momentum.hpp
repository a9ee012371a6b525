/// Nesterov's momentum [Nesterov83], with restarts where a step overshoots [ODonoghueCandes15]:
///
///     x ← x + β (x − last x),   β = (θ − 1) / θ₊,   θ₊ = (1 + sqrt(1 + 4 θ²)) / 2
///
/// with θ = 1 at a start.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scree {

/// Counts of the blocks of x that an iteration moved, and of those that vote against the step
/// before it.
struct Votes {
  std::size_t moved = 0, against = 0;

  /// Counts a block that the iteration took from y to x, after `last`; `reversal` is
  /// (y − x)·(x − last). If it is positive, the iteration reversed the step to y, which had
  /// overshot [ODonoghueCandes15].
  void count(double reversal) {
    moved += reversal != 0;
    against += reversal > 0;
  }
  Votes& operator+=(const Votes& other) {
    moved += other.moved;
    against += other.against;
    return *this;
  }
  double share_against() const {
    return moved > 0 ? static_cast<double>(against) / static_cast<double>(moved) : 0;
  }
};

/// Sequence of β, reduced by the fraction s of blocks that vote against the last step:
///
///     β = (1 − s) (θ − 1) / θ₊,   θ ← max(1, (1 − s) θ₊)
///
/// s = 0 is Nesterov's own sequence, and s = 1 restarts it. The cases between are our own: in a bed
/// some contact opens, slips or sticks in almost every sweep. A restart for each of them, as by a
/// criterion on one norm of the change, would remove the momentum where it is most useful.
class NesterovSequence {
 public:
  /// β of the next step [-].
  double next(double share_against) {
    const double next_theta = (1 + std::sqrt(1 + 4 * theta_ * theta_)) / 2,
                 share_for = 1 - share_against;
    const double beta = share_for * (theta_ - 1) / next_theta;
    theta_ = std::max(1.0, share_for * next_theta);
    return beta;
  }
  void restart() { theta_ = 1; }

 private:
  double theta_ = 1;
};

/// x + β (x − last); x itself, to the bit, if β is 0.
template <class X>
X extrapolated(const X& x, const X& last, double beta) {
  if (beta == 0) return x;
  return x + beta * (x - last);
}

}  // namespace scree
