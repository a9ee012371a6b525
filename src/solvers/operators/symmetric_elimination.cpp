/// Sparse LDLᵀ of the symmetric part of W, in an order of minimum degree.
#include "solvers/operators/symmetric_elimination.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Position of each block in an order of minimum degree.
std::vector<int> minimum_degree(const MatrixOperator& system) {
  const std::vector<int> block_of = system.block_of_rows();
  const int n = system.blocks();
  std::vector<int> outer{0}, inner, last(n, -1);
  for (int b = 0; b < n; ++b) {
    system.for_each_column(b, [&](int column, const double*) {
      const int other = block_of[column];
      if (last[other] == b) return;
      last[other] = b;
      inner.push_back(other);
    });
    std::sort(inner.begin() + outer.back(), inner.end());
    outer.push_back(static_cast<int>(inner.size()));
  }
  const std::vector<double> ones(inner.size(), 1.0);
  const Eigen::SparseMatrix<double> graph = Eigen::Map<const Eigen::SparseMatrix<double>>(
      n, n, static_cast<int>(inner.size()), outer.data(), inner.data(), ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic> order;
  Eigen::AMDOrdering<int>()(graph, order);
  std::vector<int> position(static_cast<std::size_t>(n));
  // The ordering lists the block at each position.
  for (int k = 0; k < n; ++k) position[static_cast<std::size_t>(order.indices()[k])] = k;
  return position;
}

/// Skew part of W, entry by entry if W is not symmetric.
class Asymmetric {
 public:
  explicit Asymmetric(const MatrixOperator& system) {
    // Compare products of W and its transpose with one irregular vector: that costs a sweep.
    const int n = system.rows();
    Vector x(n), right = Vector::Zero(n), left = Vector::Zero(n);
    for (int i = 0; i < n; ++i) x[i] = 0.5 + std::fmod(0.6180339887498949 * (i + 1), 1.0);
    for_each_entry(system, [&](int row, int column, double value) {
      right[row] += value * x[column];
      left[column] += value * x[row];
      largest_ = std::max(largest_, std::abs(value));
      ++entries_;
    });
    constexpr double kSymmetryRounding = 1e-12;  // of the products [-]
    const double difference = (right - left).lpNorm<Eigen::Infinity>();
    if (difference <= kSymmetryRounding * right.lpNorm<Eigen::Infinity>()) return;
    std::vector<Eigen::Triplet<double>> skew;
    for_each_entry(system, [&](int row, int column, double value) {
      skew.emplace_back(row, column, -value / 2);
      skew.emplace_back(column, row, value / 2);
    });
    skew_.resize(n, n);
    skew_.setFromTriplets(skew.begin(), skew.end());
  }
  std::size_t entries() const { return entries_; }
  /// Largest entry of the skew part over that of W [-].
  double size() const {
    double off = 0;
    for (Eigen::Index k = 0; k < skew_.nonZeros(); ++k)
      off = std::max(off, std::abs(skew_.valuePtr()[k]));
    return largest_ > 0 ? off / largest_ : 0;
  }
  /// (W_ji − W_ij) / 2
  double correction(int i, int j) const { return skew_.nonZeros() > 0 ? skew_.coeff(i, j) : 0; }

 private:
  template <class F>
  static void for_each_entry(const MatrixOperator& system, F&& f) {
    for (int block = 0; block < system.blocks(); ++block)
      system.for_each_column(block, [&](int column, const double* value) {
        for (int k = 0; k < system.rows_of(block); ++k)
          f(system.first_row(block) + k, column, value[k]);
      });
  }
  std::size_t entries_ = 0;
  double largest_ = 0;
  SparseMatrix skew_;
};

}  // namespace

SymmetricElimination::SymmetricElimination(const MatrixOperator& system) : order_(system.rows()) {
  const std::vector<int> block_at = minimum_degree(system);
  int next = 0;
  for (const int block : block_at)
    for (int k = 0; k < system.rows_of(block); ++k) order_[system.first_row(block) + k] = next++;

  // Row i of the lower half is column i of the upper half.
  const int n = system.rows();
  const Asymmetric asymmetric(system);
  asymmetry_ = asymmetric.size();
  std::vector<int> outer{0}, inner;
  std::vector<double> values;
  inner.reserve(asymmetric.entries() / 2 + n);
  values.reserve(asymmetric.entries() / 2 + n);
  for (const int block : block_at)
    for (int k = 0; k < system.rows_of(block); ++k) {
      const int row = system.first_row(block) + k, i = order_[row];
      diagonal_.push_back(static_cast<int>(inner.size()));
      inner.push_back(i);
      values.push_back(0);
      system.for_each_column(block, [&](int column, const double* value) {
        const int j = order_[column];
        if (j == i) values[diagonal_.back()] += value[k];
        if (j < i) {
          inner.push_back(j);
          values.push_back(value[k] + asymmetric.correction(row, column));
        }
      });
      outer.push_back(static_cast<int>(inner.size()));
    }
  // Copy, because a map needs sorted columns.
  S_.resize(n, n);
  S_.resizeNonZeros(static_cast<int>(inner.size()));
  std::ranges::copy(outer, S_.outerIndexPtr());
  std::ranges::copy(inner, S_.innerIndexPtr());
  std::ranges::copy(values, S_.valuePtr());
}

bool SymmetricElimination::factorize(double rho) {
  shifted_ = S_;
  for (const int entry : diagonal_) shifted_.valuePtr()[entry] += rho;
  if (!analysed_) ldlt_.analyzePattern(shifted_);
  analysed_ = true;
  ldlt_.factorize(shifted_);
  return ldlt_.info() == Eigen::Success && ldlt_.vectorD().minCoeff() > 0;
}

Vector SymmetricElimination::solve(const Vector& b) const {
  Vector permuted(b.size()), x(b.size());
  for (Eigen::Index i = 0; i < b.size(); ++i) permuted[order_[i]] = b[i];
  permuted = ldlt_.solve(permuted);
  for (Eigen::Index i = 0; i < b.size(); ++i) x[i] = permuted[order_[i]];
  return x;
}

Vector SymmetricElimination::multiply(const Vector& x) const {
  Vector permuted(x.size()), y(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) permuted[order_[i]] = x[i];
  // Eigen's product of half a matrix needs sorted columns, which S_ does not have.
  Vector product = Vector::Zero(x.size());
  for (int j = 0; j < S_.cols(); ++j)
    for (Columns::InnerIterator entry(S_, j); entry; ++entry) {
      product[entry.row()] += entry.value() * permuted[j];
      if (entry.row() != j) product[j] += entry.value() * permuted[entry.row()];
    }
  for (Eigen::Index i = 0; i < x.size(); ++i) y[i] = product[order_[i]];
  return y;
}

}  // namespace scree
