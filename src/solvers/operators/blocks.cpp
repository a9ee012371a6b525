#include "solvers/operators/blocks.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

double Blocks::residual(const Vector& u, const Vector& r) const {
  double sum = 0;
  for_each_block([&](const auto& law, int block) {
    const double e = block_residual(law, block, u, r);
    sum += e * e;
  });
  return ResidualScale{speed_}.scaled(std::sqrt(sum));
}

std::vector<int> Blocks::block_of_rows() const {
  std::vector<int> block_of(rows());
  for (int b = 0; b < blocks(); ++b) std::fill_n(block_of.begin() + first_row(b), rows_of(b), b);
  return block_of;
}

}  // namespace scree
