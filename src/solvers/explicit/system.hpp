/// A problem, or some of its blocks, laid out for solvers.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

/// Laws, q and diagonal blocks of a problem, however its W is held.
class Blocks {
 public:
  int rows() const { return static_cast<int>(q_.size()); }
  int blocks() const { return static_cast<int>(first_row_.size()) - 1; }
  int first_row(int block) const { return first_row_[block]; }
  int rows_of(int block) const { return first_row_[block + 1] - first_row_[block]; }
  const Vector& q() const { return q_; }

  /// What residuals are measured by: |q|; for an island such a part of the whole's that the whole converges with its islands [m/s].
  double speed() const { return speed_; }

  /// Diagonal block of a contact, its symmetric part; of a joint the mean of its diagonal, three times.
  const SymMat3& diagonal(int block) const { return diagonal_[block]; }
  /// Largest mean of a diagonal block's trace [1/kg].
  double largest_diagonal() const { return largest_diagonal_; }

  /// Calls f(laws, first block) for every run of laws of a kind.
  template <class F>
  void for_each_run(F&& f) const {
    int block = 0;
    for (const LawRun& run : laws_)
      std::visit([&](const auto& laws) { f(laws, block), block += static_cast<int>(laws.size()); }, run);
  }
  /// Calls f(law, block).
  template <class F>
  void for_each_block(F&& f) const {
    for_each_run([&](const auto& laws, int block) {
      for (const auto& law : laws) f(law, block++);
    });
  }

  /// Residual of a block's own law [m/s].
  template <class Law>
  double block_residual(const Law& law, int block, const Vector& u, const Vector& r) const {
    const int row = first_row_[block];
    return law.residual(diagonal_[block], at(u, row), at(r, row));
  }
  double block_residual(const JointRows&, int block, const Vector& u, const Vector&) const {
    return u.segment(first_row_[block], rows_of(block)).norm();
  }
  /// E_s = sqrt(Σ e²) / speed.
  double residual(const Vector& u, const Vector& r) const;

  std::vector<int> block_of_rows() const;

  static Vec3 at(const Vector& v, int row) { return {v[row], v[row + 1], v[row + 2]}; }
  static void put(Vector& v, int row, const Vec3& x) { v[row] = x.x, v[row + 1] = x.y, v[row + 2] = x.z; }

 protected:
  Blocks() = default;
  template <class Problem>
  explicit Blocks(const Problem& problem) : q_(problem.q), speed_(problem.q.norm()), laws_(problem.laws) {
    first_row_.push_back(0);
    for_each_block([&](const auto& law, int) { first_row_.push_back(first_row_.back() + scree::rows_of(law)); });
  }

  std::vector<int> first_row_;
  Vector q_;
  double speed_ = 0, largest_diagonal_ = 0;
  std::vector<SymMat3> diagonal_;
  std::vector<LawRun> laws_;
};

/// W by block rows, the columns of a block's rows side by side.
class System : public Blocks {
 public:
  explicit System(const FrictionContactProblem& problem);
  /// Some blocks of another system alone, in the order of its blocks: of an island, r elsewhere has no influence.
  System(const System& whole, std::span<const int> blocks);

  /// With W + ε D and q − ε D c, D the mean diagonal of each block: u = W r + q + ε D (r − c). Measured as this one.
  System proximal(double epsilon, const Vector& c) const;

  /// The columns of a block's rows: f(column, values), rows_of(block) values each.
  template <class F>
  void for_each_column(int block, F&& f) const {
    const double* value = values_.data() + first_value_[block];
    for (std::size_t k = first_column_[block]; k < first_column_[block + 1]; ++k, value += stride(block))
      f(column_[k], value);
  }
  std::size_t columns_of(int block) const { return first_column_[block + 1] - first_column_[block]; }

  /// Rows of W r + q of one block.
  Vec3 contact_velocity(int block, const Vector& r) const {
    const double* value = values_.data() + first_value_[block];
    const int* const end = column_.data() + first_column_[block + 1];
    const double* const q = q_.data() + first_row_[block];
    double n = q[0], t = q[1], o = q[2];
    for (const int* column = column_.data() + first_column_[block]; column != end; ++column, value += 3) {
      const double x = r[*column];
      n += value[0] * x, t += value[1] * x, o += value[2] * x;
    }
    return {n, t, o};
  }
  void joint_velocity(int block, const Vector& r, double* u) const;
  /// u = W r + q.
  Vector velocity(const Vector& r) const;

  /// Velocities while r changes block by block.
  class Running {
   public:
    Running(const System& system, const Vector& r) : system_(system), r_(r) {}
    Vec3 contact(int block) const { return system_.contact_velocity(block, r_); }
    void joint(int block, double* u) const { system_.joint_velocity(block, r_, u); }
    /// After r of a block has changed by `change`, rows_of(block) numbers.
    void moved(int, const double*) {}

   private:
    const System& system_;
    const Vector& r_;
  };
  /// Follows `r`, which must outlive it.
  Running running(const Vector& r) const { return {*this, r}; }

  /// W of a joint's rows.
  Eigen::MatrixXd joint_diagonal(int block) const;
  /// Calls f(block, other) for blocks whose percussions change each other's velocities, some of them more than once. Zeros that are stored do not.
  template <class F>
  void for_each_coupling(F&& f) const {
    const std::vector<int> block_of = block_of_rows();
    for (int block = 0; block < blocks(); ++block)
      for_each_column(block, [&](int column, const double* value) {
        if (std::any_of(value, value + rows_of(block), [](double w) { return w != 0; })) f(block, block_of[column]);
      });
  }

 private:
  int stride(int block) const { return rows_of(block); }
  bool copy_equal_rows(const SparseMatrix& W, int block);
  void merge_rows(const SparseMatrix& W, int block, std::vector<std::size_t>& place);
  void find_diagonals();

  std::vector<std::size_t> first_column_, first_value_;
  std::vector<int> column_;
  std::vector<double> values_;
};

/// W = G Gᵀ, for solvers that only multiply by it or go from block to block.
class FactoredSystem : public Blocks {
 public:
  /// `problem` must outlive this.
  explicit FactoredSystem(const FactoredProblem& problem);

  /// u = G (Gᵀ r) + q.
  Vector velocity(const Vector& r) const { return q_ + G_ * Vector(G_.transpose() * r); }

  /// Velocities while r changes block by block: those of the bodies, v = Gᵀ r, are kept.
  class Running {
   public:
    Running(const FactoredSystem& system, const Vector& r) : system_(system), v_(system.G_.transpose() * r) {}
    Vec3 contact(int block) const {
      double u[3];
      joint(block, u);
      return {u[0], u[1], u[2]};
    }
    void joint(int block, double* u) const {
      const int row = system_.first_row(block);
      for (int k = 0; k < system_.rows_of(block); ++k) {
        u[k] = system_.q_[row + k];
        for (SparseMatrix::InnerIterator g(system_.G_, row + k); g; ++g) u[k] += g.value() * v_[g.col()];
      }
    }
    void moved(int block, const double* change) {
      const int row = system_.first_row(block);
      for (int k = 0; k < system_.rows_of(block); ++k)
        for (SparseMatrix::InnerIterator g(system_.G_, row + k); g; ++g) v_[g.col()] += g.value() * change[k];
    }

   private:
    const FactoredSystem& system_;
    Vector v_;  ///< over the square roots of masses [√J]
  };
  Running running(const Vector& r) const { return {*this, r}; }

  Eigen::MatrixXd joint_diagonal(int block) const {
    const auto rows = G_.middleRows(first_row(block), rows_of(block));
    return rows * SparseMatrix(rows.transpose());
  }
  /// Blocks couple through the bodies that they share.
  template <class F>
  void for_each_coupling(F&& f) const {
    const std::vector<int> block_of = block_of_rows();
    const SparseMatrix of_bodies = G_.transpose();
    for (int row = 0; row < G_.rows(); ++row)
      for (SparseMatrix::InnerIterator g(G_, row); g; ++g)
        for (SparseMatrix::InnerIterator other(of_bodies, g.col()); other; ++other)
          if (g.value() != 0 && other.value() != 0) f(block_of[row], block_of[other.col()]);
  }

 private:
  const SparseMatrix& G_;
};

/// Blocks that influence each other, directly or through others; islands by their first block, blocks in their order.
std::vector<std::vector<int>> islands_of(const System& system);

/// r of some blocks of the whole, and back.
Vector gathered(const System& whole, std::span<const int> blocks, const System& part, const Vector& r);
void scatter(const System& whole, std::span<const int> blocks, const System& part, const Vector& x, Vector& r);

}  // namespace scree
