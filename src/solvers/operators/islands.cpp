#include "solvers/operators/islands.hpp"

#include <algorithm>
#include <numeric>

namespace scree {

std::vector<std::vector<int>> islands_of(const MatrixOperator& system) {
  std::vector<int> parent(system.blocks());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int b) {
    while (parent[b] != b) {
      parent[b] = parent[parent[b]];
      b = parent[b];
    }
    return b;
  };
  system.for_each_coupling([&](int block, int other) {
    const int one = root(block), two = root(other);
    if (one != two) parent[std::max(one, two)] = std::min(one, two);
  });
  std::vector<std::vector<int>> islands;
  std::vector<int> island(system.blocks(), -1);
  for (int b = 0; b < system.blocks(); ++b) {
    int& i = island[root(b)];
    if (i < 0) {
      i = static_cast<int>(islands.size());
      islands.emplace_back();
    }
    islands[i].push_back(b);
  }
  return islands;
}

Vector gathered(const MatrixOperator& whole, std::span<const int> blocks,
                const MatrixOperator& island, const Vector& r) {
  Vector x(island.rows());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int row = island.first_row(static_cast<int>(b)), n = island.rows_of(static_cast<int>(b));
    x.segment(row, n) = r.segment(whole.first_row(blocks[b]), n);
  }
  return x;
}
void scatter(const MatrixOperator& whole, std::span<const int> blocks, const MatrixOperator& island,
             const Vector& x, Vector& r) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int row = island.first_row(static_cast<int>(b)), n = island.rows_of(static_cast<int>(b));
    r.segment(whole.first_row(blocks[b]), n) = x.segment(row, n);
  }
}

}  // namespace scree
