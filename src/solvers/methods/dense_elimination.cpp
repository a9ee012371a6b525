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
  parts_.resize(n);
  return A_.data();
}

bool DenseElimination::factorise(const kernels::DenseKernels& dense) {
  const std::size_t n = n_;
  double* const A = A_.data();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t largest = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[largest * n + k])) largest = i;
    pivot_[k] = largest;
    if (largest != k) std::swap_ranges(A + k * n, A + (k + 1) * n, A + largest * n);
    const double* const row = A + k * n;
    if (!(std::abs(row[k]) > 0)) return false;
    const std::size_t below = n - k - 1;
    const double over = 1 / row[k];
    for (std::size_t i = 0; i < below; ++i) parts_[i] = A[(k + 1 + i) * n + k] *= over;
    dense.take_outer(A + (k + 1) * n + k + 1, n, parts_.data(), below, row + k + 1, below);
  }
  return true;
}

void DenseElimination::solve(std::span<double> x) const {
  // P Aᵀ = L U, so A = Uᵀ Lᵀ P.
  const double* row = A_.data();
  for (std::size_t k = 0; k < n_; ++k, row += n_) {
    x[k] /= row[k];
    for (std::size_t j = k + 1; j < n_; ++j) x[j] -= row[j] * x[k];
  }
  for (std::size_t k = n_; k-- > 0;) {
    row -= n_;
    for (std::size_t j = 0; j < k; ++j) x[j] -= row[j] * x[k];
  }
  for (std::size_t k = n_; k-- > 0;) std::swap(x[k], x[pivot_[k]]);
}

}  // namespace scree
