#include "math/dense_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree {

DenseSolution solve_dense(std::vector<double> A, std::vector<double> b, double tolerance) {
  const std::size_t n = b.size();
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return A[i * n + j]; };
  double scale = 0, load = 0;
  for (const double a : A) scale = std::max(scale, std::abs(a));
  for (const double v : b) load = std::max(load, std::abs(v));

  std::vector<std::size_t> column(n);  // original column of A at each position
  std::iota(column.begin(), column.end(), 0);
  std::size_t rank = 0;
  for (; rank < n; ++rank) {
    std::size_t row = rank, col = rank;
    for (std::size_t i = rank; i < n; ++i)
      for (std::size_t j = rank; j < n; ++j)
        if (std::abs(at(i, j)) > std::abs(at(row, col))) {
          row = i;
          col = j;
        }
    if (!(std::abs(at(row, col)) > tolerance * scale)) break;
    for (std::size_t j = 0; j < n; ++j) std::swap(at(row, j), at(rank, j));
    for (std::size_t i = 0; i < n; ++i) std::swap(at(i, col), at(i, rank));
    std::swap(b[row], b[rank]);
    std::swap(column[col], column[rank]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == rank) continue;
      const double factor = at(i, rank) / at(rank, rank);
      if (factor == 0) continue;
      for (std::size_t j = rank; j < n; ++j) at(i, j) -= factor * at(rank, j);
      b[i] -= factor * b[rank];
    }
  }

  DenseSolution solution;
  solution.compatible =
      std::all_of(b.begin() + static_cast<std::ptrdiff_t>(rank), b.end(),
                  [&](double rest) { return std::abs(rest) <= tolerance * std::max(load, scale); });
  solution.x.assign(n, 0);
  for (std::size_t i = 0; i < rank; ++i) solution.x[column[i]] = b[i] / at(i, i);
  for (std::size_t f = rank; f < n; ++f) {
    std::vector<double> direction(n, 0);
    direction[column[f]] = 1;
    for (std::size_t i = 0; i < rank; ++i) direction[column[i]] = -at(i, f) / at(i, i);
    solution.null_space.push_back(std::move(direction));
  }
  return solution;
}

}  // namespace scree
