/// Anderson acceleration: mixes the last steps of a fixed-point iteration r ← T(r) [Anderson65] by
/// least squares over their differences [WalkerNi11]. It restarts where it increases the residual.
#pragma once

#include <Eigen/QR>
#include <algorithm>

#include "solvers/progress.hpp"

namespace scree {

/// Differences of the last `window` steps, and their mixture.
class AndersonMixing {
 public:
  AndersonMixing(int rows, int window)
      : window_(window), differences_f_(rows, window), differences_t_(rows, window) {}

  /// Next r, from r and T(r).
  Vector mix(const Vector& r, const Vector& mapped) {
    const Vector f = mapped - r;
    if (has_last_) {
      const int column = static_cast<int>(count_++ % window_);
      differences_f_.col(column) = f - last_f_;
      differences_t_.col(column) = mapped - last_t_;
    }
    last_f_ = f;
    last_t_ = mapped;
    has_last_ = true;
    const int used = static_cast<int>(std::min<std::size_t>(count_, window_));
    if (used == 0) return mapped;
    const Vector weights = differences_f_.leftCols(used).colPivHouseholderQr().solve(f);
    if (!weights.allFinite()) {
      forget();
      return mapped;
    }
    return mapped - differences_t_.leftCols(used) * weights;
  }
  void forget() {
    has_last_ = false;
    count_ = 0;
  }

 private:
  int window_;
  std::size_t count_ = 0;
  bool has_last_ = false;
  Eigen::MatrixXd differences_f_, differences_t_;
  Vector last_f_, last_t_;
};

/// Sweeps until `progress` is finished. A mixture is rejected if the sweep from it ends at impulses
/// that create energy, ½ r·(u + q) > 0.
template <class Sweep, class Operator>
void anderson(const Sweep& sweep, int window, Vector& r, ProgressOf<Operator>& progress) {
  const Operator& system = progress.system();
  AndersonMixing mixing(system.rows(), window);
  const auto energy = [&](const Vector& x, const Vector& u) { return 0.5 * x.dot(u + system.q()); };
  const double max_energy = std::max(0.0, energy(r, system.velocity(r)));
  double last = progress.residual();
  Vector plain = r;
  bool mixed = false;
  while (!progress.finished()) {
    Vector swept = r;
    sweep(swept);
    const Vector u = system.velocity(swept);
    if (mixed && energy(swept, u) > max_energy) {
      progress.spend(1);
      mixing.forget();
      r = plain;
      mixed = false;
      continue;
    }
    progress.record(swept, u, system.residual(u, swept), 1);
    const double reached = progress.history().back().residual;
    if (reached > 2 * last) mixing.forget();
    last = reached;
    plain = swept;
    r = mixing.mix(r, swept);
    mixed = true;
  }
}

}  // namespace scree
