#include "solvers/operators/factored_operator.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace scree {

FactoredOperator::FactoredOperator(const FactoredProblem& problem)
    : Blocks(problem), G_(problem.G) {
  assert(first_row_.back() == G_.rows() && G_.isCompressed());
  diagonal_.resize(blocks());
  for_each_block([&]<class Law>(const Law&, int block) {
    const int row = first_row_[block];
    double trace = 0;
    for (int k = 0; k < rows_of(block); ++k) trace += G_.row(row + k).squaredNorm();
    largest_diagonal_ = std::max(largest_diagonal_, trace / rows_of(block));
    if constexpr (std::is_same_v<Law, JointRows>) {
      const double mean = trace / rows_of(block);
      diagonal_[block] = scree::diagonal(mean, mean, mean);
    } else {
      const auto of_rows = [&](int i, int j) { return G_.row(row + i).dot(G_.row(row + j)); };
      diagonal_[block] = {of_rows(0, 0), of_rows(0, 1), of_rows(0, 2),
                          of_rows(1, 1), of_rows(1, 2), of_rows(2, 2)};
    }
  });
}

FrictionContactProblem multiplied_out(const FactoredProblem& problem) {
  return {problem.G * SparseMatrix(problem.G.transpose()), problem.q, problem.laws, problem.speed};
}

}  // namespace scree
