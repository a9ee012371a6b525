/// LU of a small matrix, the largest pivot of a row first. Our own, by the textbook.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solvers/kernels/kernels.hpp"

namespace scree {

class DenseElimination {
 public:
  /// Makes room for n × n numbers, all 0, and returns them, column by column.
  double* clear(std::size_t n);
  /// Of what has been written there. False if it is singular.
  bool factorise(const kernels::DenseKernels& dense);
  /// x = A⁻¹ x
  void solve(std::span<double> x) const;

 private:
  static constexpr std::size_t kColumns = 8;  ///< that are eliminated together
  bool factorise_columns(std::size_t begin, std::size_t end, const kernels::DenseKernels& dense);

  std::size_t n_ = 0;
  /// Of Aᵀ by rows: L without its diagonal of ones, and U
  std::vector<double> A_;
  std::vector<std::size_t> pivot_;
  std::vector<double> columns_;
};

}  // namespace scree
