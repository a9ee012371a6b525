/// LU with rows in order of their pivots. Our own.
#include "solvers/methods/dense_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {

double* DenseElimination::clear(std::size_t n) {
  n_ = n;
  A_.assign(n * n, 0.0);
  pivot_.resize(n);
  return A_.data();
}

bool DenseElimination::factorise() {
  const std::size_t n = n_;
  double* const A = A_.data();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t largest = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[largest * n + k])) largest = i;
    pivot_[k] = largest;
    if (!(std::abs(A[largest * n + k]) > 0)) return false;
    if (largest != k) std::swap_ranges(A + k * n, A + (k + 1) * n, A + largest * n);
    const double* const of_pivot = A + k * n;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* const row = A + i * n;
      const double l = row[k] /= of_pivot[k];
      if (l == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) row[j] -= l * of_pivot[j];
    }
  }
  return true;
}

void DenseElimination::solve(std::span<double> x) const {
  const double* row = A_.data();
  for (std::size_t k = 0; k < n_; ++k) std::swap(x[k], x[pivot_[k]]);
  for (std::size_t i = 0; i < n_; ++i, row += n_) {
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum;
  }
  for (std::size_t i = n_; i-- > 0;) {
    row -= n_;
    double sum = x[i];
    for (std::size_t k = i + 1; k < n_; ++k) sum -= row[k] * x[k];
    x[i] = sum / row[i];
  }
}

}  // namespace scree
