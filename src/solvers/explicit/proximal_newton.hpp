#pragma once

#include "solvers/explicit/progress.hpp"

namespace scree {

struct ProximalSettings {
  double epsilon = 1e-2;  ///< first ε, over the largest diagonal of W [-]
  int max_rounds = 12;
  int patience = 1000000;  ///< rounds in which the residual has to halve
};

/// Proximal point iterations: r ← solution of u = W r + q + ε (r − r_last), by Newton's method and sweeps. ε falls while
/// that works and rises when it does not. The last r goes on from round to round, also where it is not the best.
void proximal_newton(const ProximalSettings& settings, Vector& r, Progress& progress);

}  // namespace scree
