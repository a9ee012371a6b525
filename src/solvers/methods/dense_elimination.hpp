/// LU of a small dense matrix with partial pivoting. Our own, by the textbook.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solvers/kernels/kernels.hpp"

namespace scree {

class DenseElimination {
 public:
  /// Allocates n × n numbers, all 0, and returns them; write the matrix there, column by column.
  double* clear(std::size_t n);
  /// Factorises this matrix. False if it is singular.
  bool factorise(const kernels::DenseKernels& dense);
  /// x = A⁻¹ x
  void solve(std::span<double> x) const;

 private:
  std::size_t end_of_rows(std::size_t begin, std::size_t end) const;
  std::size_t end_of_columns(std::size_t begin, std::size_t end) const;
  bool factorise_columns(std::size_t begin, std::size_t end, const kernels::DenseKernels& dense);

  std::size_t n_ = 0;
  /// L without its diagonal of ones, and U, of Aᵀ by rows
  std::vector<double> A_;
  std::vector<std::size_t> pivot_;
  std::vector<double> columns_;
};

}  // namespace scree
