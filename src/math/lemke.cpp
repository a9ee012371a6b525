/// Lemke's algorithm with lexicographic pivoting.
#include <algorithm>
#include <cmath>
#include <utility>

#include "math/dense_system.hpp"
#include "math/lcp_checks.hpp"

namespace scree {
namespace {

/// Relative rounding error accumulated in a tableau over a path [-]. Friction problems have many
/// ties, because the right sides of their slips are zero. With 1e-12 one path in forty of random
/// sets with 9 contacts failed; with 1e-10 none of 480 did.
constexpr double kTableauRounding = 1e-10;

/// Difference a − b, or zero if only rounding is left of it: the lexicographic rule needs exact
/// ties.
double rounded_difference(double a, double b) {
  const double d = a - b;
  return std::abs(d) <= kTableauRounding * (std::abs(a) + std::abs(b)) ? 0 : d;
}

/// Tableau: rows of w − M z − (1, …, 1)ᵀ z0 = q, solved for the basic variables. Columns 0 … n−1
/// are w, n … 2n−1 are z, 2n is z0, 2n+1 the right side. The columns of w hold the inverse of the
/// basis.
class Tableau {
 public:
  explicit Tableau(const Lcp& lcp)
      : n_(lcp.size()), width_(2 * n_ + 2), entries_(n_ * width_, 0), basic_(n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      at(i, i) = 1;
      for (std::size_t j = 0; j < n_; ++j) at(i, n_ + j) = -lcp.M[i * n_ + j];
      at(i, artificial()) = -1;
      at(i, width_ - 1) = lcp.q[i];
      basic_[i] = i;
    }
  }

  std::size_t artificial() const { return 2 * n_; }
  std::size_t basic(std::size_t row) const { return basic_[row]; }
  std::size_t complement(std::size_t variable) const {
    return variable < n_ ? variable + n_ : variable - n_;
  }

  /// Row where z0 enters: the lexicographically smallest right side, so that all right sides become
  /// positive.
  std::size_t first_row() const {
    std::size_t row = 0;
    for (std::size_t i = 1; i < n_; ++i)
      if (less(i, row, 1, 1)) row = i;
    return row;
  }

  /// Row that limits the growth of the entering variable; n if none does. Prefers the row of z0,
  /// since z0 leaving ends the path.
  std::size_t blocking_row(std::size_t entering) const {
    double largest = 0;
    for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, std::abs(at(i, entering)));
    const double min_entry = kTableauRounding * largest;
    std::size_t row = n_;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!(at(i, entering) > min_entry)) continue;
      if (row == n_ || less(i, row, at(i, entering), at(row, entering))) row = i;
    }
    if (row == n_) return n_;
    for (std::size_t i = 0; i < n_; ++i)
      if (basic_[i] == artificial() && at(i, entering) > min_entry &&
          at(i, width_ - 1) * at(row, entering) <= at(row, width_ - 1) * at(i, entering))
        return i;
    return row;
  }

  /// Exchanges the entering variable with the basic one of a row; returns the latter.
  std::size_t pivot(std::size_t row, std::size_t entering) {
    const double inverse = 1 / at(row, entering);
    for (std::size_t j = 0; j < width_; ++j) at(row, j) *= inverse;
    at(row, entering) = 1;
    for (std::size_t i = 0; i < n_; ++i) {
      if (i == row || at(i, entering) == 0) continue;
      const double factor = at(i, entering);
      for (std::size_t j = 0; j < width_; ++j)
        at(i, j) = rounded_difference(at(i, j), factor * at(row, j));
      at(i, entering) = 0;
    }
    return std::exchange(basic_[row], entering);
  }

 private:
  double& at(std::size_t i, std::size_t j) { return entries_[i * width_ + j]; }
  double at(std::size_t i, std::size_t j) const { return entries_[i * width_ + j]; }

  /// True if (right side, inverse of the basis) of row i over `a` comes before that of row j over
  /// `b`, lexicographically.
  bool less(std::size_t i, std::size_t j, double a, double b) const {
    const double x = at(i, width_ - 1) * b, y = at(j, width_ - 1) * a;
    if (const double d = rounded_difference(x, y); d != 0) return d < 0;
    for (std::size_t k = 0; k < n_; ++k)
      if (const double d = rounded_difference(at(i, k) * b, at(j, k) * a); d != 0) return d < 0;
    return false;
  }

  std::size_t n_, width_;
  std::vector<double> entries_;
  std::vector<std::size_t> basic_;
};

/// Point of a complementary basis, computed from the data rather than from the tableau with its
/// rounding.
LcpPoint point_of(const Lcp& lcp, const std::vector<bool>& in_support) {
  const std::size_t n = lcp.size();
  std::vector<double> basis(n * n, 0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      basis[i * n + j] = in_support[j] ? -lcp.M[i * n + j] : (i == j ? 1 : 0);
  const std::vector<double> x = solve_dense(std::move(basis), lcp.q, 1e-15).x;
  LcpPoint point{std::vector<double>(n, 0), std::vector<double>(n, 0)};
  for (std::size_t i = 0; i < n; ++i) (in_support[i] ? point.z : point.w)[i] = std::max(0.0, x[i]);
  return point;
}

}  // namespace

LemkeResult solve_lemke(const Lcp& lcp, int max_pivots, const std::function<bool()>& stop) {
  LemkeResult result;
  if (!well_formed(lcp)) return result;
  const std::size_t n = lcp.size();
  if (max_pivots <= 0) max_pivots = 50 * static_cast<int>(n) + 50;

  std::vector<bool> in_support(n, false);
  if (std::any_of(lcp.q.begin(), lcp.q.end(), [](double v) { return v < 0; })) {
    Tableau tableau(lcp);
    std::size_t leaving = tableau.pivot(tableau.first_row(), tableau.artificial());
    for (result.pivots = 1; leaving != tableau.artificial(); ++result.pivots) {
      if (result.pivots >= max_pivots || (stop && stop())) {
        result.status = LcpStatus::iteration_limit;
        return result;
      }
      const std::size_t entering = tableau.complement(leaving);
      const std::size_t row = tableau.blocking_row(entering);
      if (row == n) {
        result.status = LcpStatus::ray;
        return result;
      }
      leaving = tableau.pivot(row, entering);
    }
    for (std::size_t i = 0; i < n; ++i)
      if (tableau.basic(i) >= n) in_support[tableau.basic(i) - n] = true;
  }
  result.point = point_of(lcp, in_support);
  result.status = LcpStatus::solved;
  return result;
}

}  // namespace scree
