/// E_s, the one number that impulses are judged by, whatever operator and method they come from:
///
///     E_s = max(0, sqrt(Σ e²) − Q) / max(|q|, Q)
///
///   e  residual of each contact's own law        [m/s]
///   q  relative velocities without impulses   [m/s]
///   Q  what rounding makes of |q|                [m/s]
///
/// A time step knows Q from its positions and velocities (ContactProblem::rounding). Where W and q
/// alone are given Q is 0; there the rounding of W r is a floor that E_s is never told below
/// (ProgressOf::book). Both are derived in docs/theory/solver.md, "When it stops".
#pragma once

#include <algorithm>

namespace scree {

struct ResidualScale {
  double speed = 0;     ///< |q| over the contacts that count [m/s]
  double rounding = 0;  ///< Q [m/s]

  /// What E_s divides by [m/s].
  double unit() const { return std::max(speed, rounding); }

  /// The largest sqrt(Σ e²) that meets a tolerance on E_s [m/s].
  double allowed(double tolerance) const { return rounding + tolerance * unit(); }

  /// E_s [-] of sqrt(Σ e²) = `error` [m/s]. NaN stays. Where nothing moves without impulses, any
  /// error comes from them alone, and is measured against itself.
  double scaled(double error) const {
    const double beyond = error <= rounding ? 0 : error - rounding;
    if (beyond == 0) return 0;
    return unit() > 0 ? beyond / unit() : 1;
  }
};

}  // namespace scree
