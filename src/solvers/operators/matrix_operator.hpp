/// Delassus operator as an explicit sparse matrix.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solvers/operators/blocks.hpp"

namespace scree {

/// Operator W by block rows: the rows of a block are interleaved, column by column.
class MatrixOperator : public Blocks {
 public:
  explicit MatrixOperator(const FrictionContactProblem& problem);
  /// Operator of some blocks of another one, in its order. They must be an island: r elsewhere has
  /// no influence.
  MatrixOperator(const MatrixOperator& whole, std::span<const int> blocks);

  /// Operator with W + ε D and q − ε D c, D the mean diagonal of each block: u = W r + q + ε D (r −
  /// c). It has the scale of residuals of this one.
  MatrixOperator proximal(double epsilon, const Vector& c) const;

  /// Calls f(column, values) for the columns of a block's rows, rows_of(block) values each.
  template <class F>
  void for_each_column(int block, F&& f) const {
    const double* value = values_.data() + first_value_[block];
    for (std::size_t k = first_column_[block]; k < first_column_[block + 1];
         ++k, value += stride(block))
      f(column_[k], value);
  }
  std::size_t columns_of(int block) const {
    return first_column_[block + 1] - first_column_[block];
  }

  /// Rows of W r + q of one block.
  Vec3 contact_velocity(int block, const Vector& r) const {
    const double* value = values_.data() + first_value_[block];
    const int* const end = column_.data() + first_column_[block + 1];
    const double* const q = q_.data() + first_row_[block];
    double n = q[0], t = q[1], o = q[2];
    for (const int* column = column_.data() + first_column_[block]; column != end;
         ++column, value += 3) {
      const double x = r[*column];
      n += value[0] * x;
      t += value[1] * x;
      o += value[2] * x;
    }
    return {n, t, o};
  }
  void joint_velocity(int block, const Vector& r, double* u) const;
  /// u = W r + q.
  Vector velocity(const Vector& r) const;

  /// Velocities while r changes block by block.
  class Running {
   public:
    Running(const MatrixOperator& system, const Vector& r) : system_(system), r_(r) {}
    Vec3 contact(int block) const { return system_.contact_velocity(block, r_); }
    void joint(int block, double* u) const { system_.joint_velocity(block, r_, u); }
    /// Call it after r of a block has changed by `change`, rows_of(block) numbers.
    void moved(int, const double*) {}

   private:
    const MatrixOperator& system_;
    const Vector& r_;
  };
  /// Follows `r`, which must outlive it.
  Running running(const Vector& r) const { return {*this, r}; }

  /// W of a joint's rows.
  Eigen::MatrixXd joint_diagonal(int block) const;
  /// Calls f(block, other), possibly several times, for blocks whose impulses change each other's
  /// velocities. Stored zeros do not count.
  template <class F>
  void for_each_coupling(F&& f) const {
    const std::vector<int> block_of = block_of_rows();
    for (int block = 0; block < blocks(); ++block)
      for_each_column(block, [&](int column, const double* value) {
        if (std::any_of(value, value + rows_of(block), [](double w) { return w != 0; }))
          f(block, block_of[column]);
      });
  }

 private:
  int stride(int block) const { return rows_of(block); }
  bool copy_equal_rows(const SparseMatrix& W, int block);
  void merge_rows(const SparseMatrix& W, int block, std::vector<std::size_t>& last_slot);
  void find_diagonals();

  std::vector<std::size_t> first_column_, first_value_;
  std::vector<int> column_;
  std::vector<double> values_;
};

}  // namespace scree
