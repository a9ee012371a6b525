/// Islands: blocks that influence each other, directly or through others.
#pragma once

#include <span>
#include <vector>

#include "solvers/operators/matrix_operator.hpp"

namespace scree {

/// Islands by their first block, blocks in their order.
std::vector<std::vector<int>> islands_of(const MatrixOperator& system);

/// r of some blocks of the whole, in the rows of their part.
Vector gathered(const MatrixOperator& whole, std::span<const int> blocks,
                const MatrixOperator& part, const Vector& r);
/// x of a part put back into r of the whole.
void scatter(const MatrixOperator& whole, std::span<const int> blocks, const MatrixOperator& part,
             const Vector& x, Vector& r);

}  // namespace scree
