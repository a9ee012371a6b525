/// LU of a small matrix, the largest pivot of a column first. Our own, by the textbook.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scree {

class DenseElimination {
 public:
  /// Makes room for n × n numbers, all 0, and returns them, row by row.
  double* clear(std::size_t n);
  /// Of what has been written there. False if it is singular.
  bool factorise();
  /// x = A⁻¹ x
  void solve(std::span<double> x) const;

 private:
  std::size_t n_ = 0;
  std::vector<double> A_;  ///< L without its diagonal of ones, and U
  std::vector<std::size_t> pivot_;
};

}  // namespace scree
