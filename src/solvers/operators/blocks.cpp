#include "solvers/operators/blocks.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

double undone_speed(const std::vector<LawRun>& laws, const Vector& q) {
  double closing = 0, missed = 0;
  for_each_block(laws, [&]<class Law>(const Law& law, int row) {
    if constexpr (std::is_same_v<Law, JointRows>)
      missed += q.segment(row, law.rows).squaredNorm();
    else
      closing += std::pow(std::max(0.0, closing_speed(law, Blocks::at(q, row))), 2);
  });
  return std::sqrt(closing > 0 ? closing : missed);
}

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
