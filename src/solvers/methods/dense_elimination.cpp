/// LU with partial pivoting, several columns at a time. Our own.
#include "solvers/methods/dense_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/step_settings.hpp"

namespace scree {

double* DenseElimination::clear(std::size_t n) {
  n_ = n;
  A_.assign(n * n, 0.0);
  pivot_.resize(n);
  return A_.data();
}

bool DenseElimination::factorise(const kernels::DenseKernels& dense) {
  columns_.resize(kColumnsPerElimination * n_);
  for (std::size_t k = 0; k < n_; k += kColumnsPerElimination)
    if (!factorise_columns(k, std::min(k + kColumnsPerElimination, n_), dense)) return false;
  return true;
}

/// End of the rows from `end` on that are not zero in columns `begin` to `end`.
std::size_t DenseElimination::end_of_rows(std::size_t begin, std::size_t end) const {
  const auto is_zero = [](double x) { return x == 0; };
  std::size_t row = n_;
  while (row > end && std::all_of(&A_[(row - 1) * n_ + begin], &A_[(row - 1) * n_] + end, is_zero))
    --row;
  return row;
}

/// End of the columns from `end` on that are not zero in rows `begin` to `end`.
std::size_t DenseElimination::end_of_columns(std::size_t begin, std::size_t end) const {
  std::size_t column = end;
  for (std::size_t k = begin; k < end; ++k)
    for (std::size_t j = n_; j > column; --j)
      if (A_[k * n_ + j - 1] != 0) column = j;
  return column;
}

/// Eliminates some columns, in a contiguous copy for SIMD lanes, then their rows of U; then updates
/// the rest of the matrix once for all of them. Bodies that do not touch leave zeros, which are
/// skipped at the end of rows and columns.
bool DenseElimination::factorise_columns(std::size_t begin, std::size_t end,
                                         const kernels::DenseKernels& dense) {
  const std::size_t n = n_, rows = end_of_rows(begin, end);
  double* const A = A_.data();
  const auto for_each_number = [&](auto&& f) {
    for (std::size_t i = begin; i < rows; ++i)
      for (std::size_t k = begin; k < end; ++k) f(A[i * n + k], columns_[(k - begin) * n + i]);
  };
  for_each_number([](double of_A, double& of_column) { of_column = of_A; });
  for (std::size_t k = begin; k < end; ++k) {
    double* const column = &columns_[(k - begin) * n];
    std::size_t largest = k;
    for (std::size_t i = k + 1; i < rows; ++i)
      if (std::abs(column[i]) > std::abs(column[largest])) largest = i;
    pivot_[k] = largest;
    if (largest != k) {
      std::swap_ranges(A + k * n, A + (k + 1) * n, A + largest * n);
      for (std::size_t j = 0; j < end - begin; ++j)
        std::swap(columns_[j * n + k], columns_[j * n + largest]);
    }
    if (!(std::abs(column[k]) > 0)) return false;
    const double over = 1 / column[k];
    for (std::size_t i = k + 1; i < rows; ++i) column[i] *= over;
    dense.take_product(column + n + k + 1, n, end - k - 1, rows - k - 1,
                       {1, column + n + k, n, 0, column + k + 1, 0});
  }
  for_each_number([](double& of_A, double of_column) { of_A = of_column; });
  if (end == n) return true;
  const std::size_t columns = end_of_columns(begin, end) - end;
  for (std::size_t k = begin + 1; k < end; ++k)
    dense.take_product(A + k * n + end, n, 1, columns,
                       {k - begin, A + k * n + begin, 0, 1, A + begin * n + end, n});
  dense.take_product(A + end * n + end, n, rows - end, columns,
                     {end - begin, A + end * n + begin, n, 1, A + begin * n + end, n});
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
