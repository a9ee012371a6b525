/// Islands: blocks that influence each other, directly or through others.
#pragma once

#include <span>
#include <vector>

#include "solvers/operators/matrix_operator.hpp"

namespace scree {

/// Islands in the order of their first blocks; the blocks of each in rising order.
std::vector<std::vector<int>> islands_of(const MatrixOperator& system);

/// Gathers r of some blocks of the whole into the rows of the operator of these blocks.
Vector gathered(const MatrixOperator& whole, std::span<const int> blocks,
                const MatrixOperator& island, const Vector& r);
/// Scatters x of these blocks into r of the whole.
void scatter(const MatrixOperator& whole, std::span<const int> blocks, const MatrixOperator& island,
             const Vector& x, Vector& r);

}  // namespace scree
