/// Nesterov's momentum [Nesterov83], restarted where it leads away [ODonoghueCandes15]:
///
///     x ← x + β (x − last x),   β = (θ − 1) / θ₊,   θ₊ = (1 + sqrt(1 + 4 θ²)) / 2
///
/// with θ = 1 at a start.
#pragma once

#include <cmath>

namespace scree {

/// The sequence of β.
class NesterovSequence {
 public:
  /// β of the next step [-]; 0 where `anew`, from where the sequence begins again.
  double next(bool anew) {
    const double following = (1 + std::sqrt(1 + 4 * theta_ * theta_)) / 2;
    const double beta = anew ? 0 : (theta_ - 1) / following;
    theta_ = anew ? 1 : following;
    return beta;
  }
  void restart() { theta_ = 1; }

 private:
  double theta_ = 1;
};

/// The same for a fixed-point iteration: begins again when an iteration changes x more than the one
/// before it. The first iteration is such a one: x comes from elsewhere, and its change says
/// nothing of the next.
class GrowthRestart {
 public:
  /// β of the step after an iteration that changed x by `change`, in any norm.
  double next(double change) {
    const bool grows = change > last_change_;
    last_change_ = change;
    return sequence_.next(grows);
  }
  void restart() { sequence_.restart(); }

 private:
  NesterovSequence sequence_;
  double last_change_ = 0;
};

/// x + β (x − last); x itself, to the bit, where β is 0.
template <class X>
X extrapolated(const X& x, const X& last, double beta) {
  if (beta == 0) return x;
  return x + beta * (x - last);
}

}  // namespace scree
