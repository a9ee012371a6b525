/// Layout of W by block rows, its diagonal blocks and products.
#include "solvers/operators/matrix_operator.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

namespace scree {

MatrixOperator::MatrixOperator(const FrictionContactProblem& problem) : Blocks(problem) {
  assert(first_row_.back() == problem.W.rows() && problem.W.rows() == problem.W.cols() &&
         problem.W.isCompressed());

  const std::size_t entries = static_cast<std::size_t>(problem.W.nonZeros());
  column_.reserve(entries / 2);
  values_.reserve(entries + entries / 8);
  first_column_.reserve(blocks() + 1);
  first_value_.reserve(blocks() + 1);
  first_column_ = first_value_ = {0};
  std::vector<std::size_t> last_slot;
  for (int block = 0; block < blocks(); ++block) {
    if (!copy_equal_rows(problem.W, block)) {
      last_slot.resize(rows(), 0);
      merge_rows(problem.W, block, last_slot);
    }
    first_column_.push_back(column_.size());
    first_value_.push_back(values_.size());
  }
  find_diagonals();
}

/// Copies the rows of a block if they have the same columns, as nearly always; else false.
bool MatrixOperator::copy_equal_rows(const SparseMatrix& W, int block) {
  const int* const outer = W.outerIndexPtr() + first_row_[block];
  const int n = rows_of(block), count = outer[1] - outer[0];
  const int* const columns = W.innerIndexPtr() + outer[0];
  for (int k = 1; k < n; ++k)
    if (outer[k + 1] - outer[k] != count ||
        !std::equal(columns, columns + count, W.innerIndexPtr() + outer[k]))
      return false;
  column_.insert(column_.end(), columns, columns + count);
  const std::size_t first = values_.size();
  values_.resize(first + static_cast<std::size_t>(n) * count);
  for (int k = 0; k < n; ++k) {
    const double* const row = W.valuePtr() + outer[k];
    double* value = &values_[first + k];
    for (int e = 0; e < count; ++e, value += n) *value = row[e];
  }
  return true;
}

/// Merges rows with different columns, in the order in which columns occur first. `last_slot` of a
/// column is one more than its index in column_, if it has occurred in this block.
void MatrixOperator::merge_rows(const SparseMatrix& W, int block,
                                std::vector<std::size_t>& last_slot) {
  const int *outer = W.outerIndexPtr(), *inner = W.innerIndexPtr();
  const int begin = first_row_[block], n = rows_of(block);
  const std::size_t first = column_.size(), first_value = values_.size();
  const std::size_t max_entries = static_cast<std::size_t>(outer[begin + n] - outer[begin]);
  column_.resize(first + max_entries);
  values_.resize(first_value + n * max_entries, 0.0);
  std::size_t met = first;
  for (int k = 0; k < n; ++k)
    for (int e = outer[begin + k]; e < outer[begin + k + 1]; ++e) {
      std::size_t& slot = last_slot[inner[e]];
      if (slot <= first) {
        column_[met++] = inner[e];
        slot = met;
      }
      values_[first_value + n * (slot - 1 - first) + k] += W.valuePtr()[e];
    }
  column_.resize(met);
  values_.resize(first_value + n * (met - first));
}

MatrixOperator::MatrixOperator(const MatrixOperator& whole, std::span<const int> blocks) {
  std::vector<int> row_here(whole.rows(), -1);
  first_row_ = {0};
  for (const int block : blocks) {
    for (int k = 0; k < whole.rows_of(block); ++k)
      row_here[whole.first_row(block) + k] = first_row_.back() + k;
    first_row_.push_back(first_row_.back() + whole.rows_of(block));
  }
  q_.resize(first_row_.back());
  first_column_ = first_value_ = {0};
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int block = blocks[b], n = whole.rows_of(block);
    q_.segment(first_row_[b], n) = whole.q_.segment(whole.first_row(block), n);
    whole.for_each_column(block, [&](int column, const double* value) {
      if (row_here[column] < 0) return;
      column_.push_back(row_here[column]);
      values_.insert(values_.end(), value, value + n);
    });
    first_column_.push_back(column_.size());
    first_value_.push_back(values_.size());
  }
  std::size_t next = 0;
  whole.for_each_run([&]<class Law>(const std::vector<Law>& laws, int first) {
    std::vector<Law> here;
    for (; next < blocks.size() && blocks[next] < first + static_cast<int>(laws.size()); ++next)
      here.push_back(laws[blocks[next] - first]);
    if (!here.empty()) laws_.emplace_back(std::move(here));
  });
  speed_ = whole.speed_ * std::sqrt(static_cast<double>(blocks.size()) / whole.blocks());
  find_diagonals();
}

MatrixOperator MatrixOperator::proximal(double epsilon, const Vector& c) const {
  MatrixOperator shifted = *this;
  for (int block = 0; block < blocks(); ++block) {
    const double more = epsilon * diagonal_[block].trace() / 3;
    const int first = first_row_[block], n = rows_of(block);
    double* value = shifted.values_.data() + first_value_[block];
    for (std::size_t k = first_column_[block]; k < first_column_[block + 1];
         ++k, value += stride(block))
      if (const int row = column_[k] - first; row >= 0 && row < n) value[row] += more;
    shifted.q_.segment(first, n) -= more * c.segment(first, n);
  }
  shifted.find_diagonals();
  return shifted;
}

void MatrixOperator::find_diagonals() {
  largest_diagonal_ = 0;
  diagonal_.resize(blocks());
  for_each_block([&]<class Law>(const Law&, int block) {
    if constexpr (!std::is_same_v<Law, JointRows>) {
      double d[3][3] = {};
      const int row = first_row_[block];
      for_each_column(block, [&](int column, const double* value) {
        if (column >= row && column < row + 3)
          for (int k = 0; k < 3; ++k) d[k][column - row] = value[k];
      });
      diagonal_[block] = {d[0][0], (d[0][1] + d[1][0]) / 2, (d[0][2] + d[2][0]) / 2,
                          d[1][1], (d[1][2] + d[2][1]) / 2, d[2][2]};
      largest_diagonal_ = std::max(largest_diagonal_, diagonal_[block].trace() / 3);
    } else {
      double sum = 0;
      for_each_column(block, [&](int column, const double* value) {
        const int k = column - first_row_[block];
        if (k < 0 || k >= rows_of(block)) return;
        largest_diagonal_ = std::max(largest_diagonal_, value[k]);
        sum += value[k];
      });
      const double mean = sum / rows_of(block);
      diagonal_[block] = scree::diagonal(mean, mean, mean);
    }
  });
}

void MatrixOperator::joint_velocity(int block, const Vector& r, double* u) const {
  const int n = rows_of(block);
  for (int k = 0; k < n; ++k) u[k] = q_[first_row_[block] + k];
  for_each_column(block, [&](int column, const double* value) {
    for (int k = 0; k < n; ++k) u[k] += value[k] * r[column];
  });
}

Vector MatrixOperator::velocity(const Vector& r) const {
  Vector u(rows());
  for_each_run([&]<class Law>(const std::vector<Law>& laws, int first) {
    const int end = first + static_cast<int>(laws.size());
    for (int block = first; block < end; ++block)
      if constexpr (std::is_same_v<Law, JointRows>)
        joint_velocity(block, r, &u[first_row_[block]]);
      else
        put(u, first_row_[block], contact_velocity(block, r));
  });
  return u;
}

Eigen::MatrixXd MatrixOperator::joint_diagonal(int block) const {
  const int n = rows_of(block), row = first_row(block);
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
  for_each_column(block, [&](int column, const double* value) {
    if (column >= row && column < row + n)
      W.col(column - row) = Eigen::Map<const Eigen::VectorXd>(value, n);
  });
  return W;
}

}  // namespace scree
