/// Small dense linear systems that may be singular.
#pragma once

#include <cstddef>
#include <vector>

namespace scree {

/// Solution of A x = b: all solutions are x + span(null_space).
struct DenseSolution {
  bool compatible = false;  ///< true: b lies in the range of A
  std::vector<double> x;    ///< one solution, with zeros for the free unknowns
  std::vector<std::vector<double>> null_space;
};

/// Gauss–Jordan elimination with full pivoting; A is n × n, row by row. Pivots ≤ tolerance · max|A|
/// count as zero.
DenseSolution solve_dense(std::vector<double> A, std::vector<double> b, double tolerance);

}  // namespace scree
