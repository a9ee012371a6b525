/// E_s, the scale-free residual that measures impulses from every operator and method:
///
///     E_s = max(0, sqrt(Σ e²) − Q) / max(S, Q)
///
///   e  residual of each contact's own law, its tangential part over min(μ, 1)   [m/s]
///   S  root of the sum of squares of the speeds that contacts must undo         [m/s]
///   Q  rounding error of S                                                      [m/s]
///
/// A time step computes Q from its positions and velocities (ContactProblem::rounding). For a
/// problem given by W and q alone, Q is 0; the rounding of W r is then a lower bound of the
/// reported E_s (ProgressOf::record). docs/theory/solver.md, "When it stops", derives both.
#pragma once

#include <algorithm>

namespace scree {

struct ResidualScale {
  double speed = 0;     ///< S [m/s]
  double rounding = 0;  ///< Q [m/s]

  /// Denominator of E_s [m/s].
  double unit() const { return std::max(speed, rounding); }

  /// The largest sqrt(Σ e²) that meets a tolerance on E_s [m/s].
  double allowed(double tolerance) const { return rounding + tolerance * unit(); }

  /// E_s [-] of sqrt(Σ e²) = `error` [m/s]. NaN stays NaN. If nothing moves without impulses, they
  /// alone cause any error, and E_s is 1.
  double scaled(double error) const {
    const double beyond = error <= rounding ? 0 : error - rounding;
    if (beyond == 0) return 0;
    return unit() > 0 ? beyond / unit() : 1;
  }
};

}  // namespace scree
