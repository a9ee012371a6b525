/// Factors the mass matrix of a global problem block by block.
#include "io/mass_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "scree/core/error.hpp"
#include "scree/math/random.hpp"

namespace scree {
namespace {

/// Rows of each block, in ascending order.
std::vector<std::vector<int>> connected_rows(const SparseMatrix& M) {
  std::vector<int> leader(M.rows());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int row) {
    while (leader[row] != row) row = leader[row] = leader[leader[row]];
    return row;
  };
  for (int row = 0; row < M.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(M, row); entry; ++entry)
      if (entry.value() != 0) {
        const int a = find(row), b = find(static_cast<int>(entry.col()));
        leader[std::max(a, b)] = std::min(a, b);
      }
  std::vector<std::vector<int>> parts;
  std::vector<int> part_of(M.rows(), -1);
  for (int row = 0; row < M.rows(); ++row) {
    int& part = part_of[find(row)];
    if (part < 0) part = static_cast<int>(parts.size()), parts.emplace_back();
    parts[part].push_back(row);
  }
  return parts;
}

}  // namespace

MassMatrix::MassMatrix(const SparseMatrix& M, const std::string& location) {
  std::vector<int> local(M.rows());
  for (std::vector<int>& rows : connected_rows(M)) {
    auto part = std::make_unique<Part>();
    const int size = static_cast<int>(rows.size());
    part->scale.resize(size);
    for (int k = 0; k < size; ++k) {
      local[rows[k]] = k;
      double largest = 0;
      for (SparseMatrix::InnerIterator entry(M, rows[k]); entry; ++entry)
        largest = std::max(largest, std::abs(entry.value()));
      part->scale[k] = 1 / std::sqrt(largest);
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < size; ++k)
      for (SparseMatrix::InnerIterator entry(M, rows[k]); entry; ++entry)
        if (entry.value() != 0) {
          const int column = local[entry.col()];
          entries.emplace_back(k, column, part->scale[k] * entry.value() * part->scale[column]);
        }
    Eigen::SparseMatrix<double> scaled(size, size);
    scaled.setFromTriplets(entries.begin(), entries.end());
    part->rows = std::move(rows);
    if (part->scale.allFinite()) part->lu.compute(scaled);
    if (part->singular())
      throw InputError(
          fmt::format("{}: is singular in row {}, counted from 0, and the rows coupled with it; "
                      "give these bodies a mass and a moment of inertia, or remove them",
                      location, part->rows.front()));
    parts_.push_back(std::move(part));
  }
}

bool MassMatrix::Part::singular() const {
  if (!scale.allFinite() || lu.info() != Eigen::Success) return true;
  // Rounding hides a zero pivot, but not the division by it: a random right-hand side grows by 1 /
  // ε.
  RandomStream random{rows.size(), 0};
  Vector b(rows.size());
  for (double& value : b) value = random.uniform(0.5, 1) * (random.uniform() < 0.5 ? -1 : 1);
  return !(Vector(lu.solve(b)).lpNorm<Eigen::Infinity>() < 1e14);
}

Eigen::MatrixXd MassMatrix::Part::solve(const Eigen::MatrixXd& b) const {
  return scale.asDiagonal() * Eigen::MatrixXd(lu.solve(Eigen::MatrixXd(scale.asDiagonal() * b)));
}

Vector MassMatrix::solve(const Vector& b) const {
  Vector x(b.size());
  for (const auto& part : parts_) x(part->rows) = part->solve(b(part->rows));
  return x;
}

SparseMatrix MassMatrix::between(const SparseMatrix& H) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& part : parts_) {
    // Columns with an entry in this block.
    std::vector<int> columns;
    for (const int row : part->rows)
      for (SparseMatrix::InnerIterator entry(H, row); entry; ++entry)
        columns.push_back(static_cast<int>(entry.col()));
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());

    Eigen::MatrixXd of_part = Eigen::MatrixXd::Zero(part->rows.size(), columns.size());
    for (std::size_t k = 0; k < part->rows.size(); ++k)
      for (SparseMatrix::InnerIterator entry(H, part->rows[k]); entry; ++entry)
        of_part(k, std::ranges::lower_bound(columns, entry.col()) - columns.begin()) =
            entry.value();
    const Eigen::MatrixXd product = of_part.transpose() * part->solve(of_part);
    for (std::size_t a = 0; a < columns.size(); ++a)
      for (std::size_t b = 0; b < columns.size(); ++b)
        if (product(a, b) != 0) entries.emplace_back(columns[a], columns[b], product(a, b));
  }
  SparseMatrix result(H.cols(), H.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace scree
