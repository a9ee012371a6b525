/// Nesterov's momentum [Nesterov83], restarted where it leads away [ODonoghueCandes15]:
///
///     x ← x + β (x − last x),   β = (θ − 1) / θ₊,   θ₊ = (1 + sqrt(1 + 4 θ²)) / 2
///
/// with θ = 1 at a start.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scree {

/// How many blocks of x an iteration moved, and how many of them say that the step before it led
/// away.
struct Votes {
  std::size_t moved = 0, against = 0;

  /// Of a block that the iteration took from y to x, after `last`: (y − x)·(x − last). Where it is
  /// positive the iteration turned back, so that the step to y led away [ODonoghueCandes15].
  void count(double turned_back) {
    moved += turned_back != 0;
    against += turned_back > 0;
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

/// The sequence of β, shorter and smaller by the share s of blocks that vote against the last step:
///
///     β = (1 − s) (θ − 1) / θ₊,   θ ← max(1, (1 − s) θ₊)
///
/// s = 0 is Nesterov's own, and with s = 1 it begins anew. What lies between is ours: in a bed some
/// contact opens, slips or sticks in almost every sweep. To begin again for each of them, as where
/// one norm of the change decides, is to have no momentum when it is needed most.
class NesterovSequence {
 public:
  /// β of the next step [-].
  double next(double share_against) {
    const double following = (1 + std::sqrt(1 + 4 * theta_ * theta_)) / 2,
                 stays = 1 - share_against;
    const double beta = stays * (theta_ - 1) / following;
    theta_ = std::max(1.0, stays * following);
    return beta;
  }
  void restart() { theta_ = 1; }

 private:
  double theta_ = 1;
};

/// x + β (x − last); x itself, to the bit, where β is 0.
template <class X>
X extrapolated(const X& x, const X& last, double beta) {
  if (beta == 0) return x;
  return x + beta * (x - last);
}

}  // namespace scree
