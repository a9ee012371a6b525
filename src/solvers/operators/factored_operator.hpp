/// Delassus operator as a product of factors, which is never formed.
#pragma once

#include <vector>

#include "solvers/operators/blocks.hpp"

namespace scree {

/// Operator W = G Gᵀ, for solvers that only multiply by W or visit block after block.
class FactoredOperator : public Blocks {
 public:
  /// `problem` must outlive this.
  explicit FactoredOperator(const FactoredProblem& problem);

  /// u = G (Gᵀ r) + q.
  Vector velocity(const Vector& r) const { return q_ + G_ * Vector(G_.transpose() * r); }

  /// Velocities while r changes block by block; stores those of the bodies, v = Gᵀ r.
  class Running {
   public:
    Running(const FactoredOperator& system, const Vector& r)
        : system_(system), v_(system.G_.transpose() * r) {}
    Vec3 contact(int block) const {
      double u[3];
      joint(block, u);
      return {u[0], u[1], u[2]};
    }
    void joint(int block, double* u) const {
      const int row = system_.first_row(block);
      for (int k = 0; k < system_.rows_of(block); ++k) {
        u[k] = system_.q_[row + k];
        for (SparseMatrix::InnerIterator g(system_.G_, row + k); g; ++g)
          u[k] += g.value() * v_[g.col()];
      }
    }
    void moved(int block, const double* change) {
      const int row = system_.first_row(block);
      for (int k = 0; k < system_.rows_of(block); ++k)
        for (SparseMatrix::InnerIterator g(system_.G_, row + k); g; ++g)
          v_[g.col()] += g.value() * change[k];
    }

   private:
    const FactoredOperator& system_;
    Vector v_;  ///< over the square roots of masses [√J]
  };
  Running running(const Vector& r) const { return {*this, r}; }

  Eigen::MatrixXd joint_diagonal(int block) const {
    const auto rows = G_.middleRows(first_row(block), rows_of(block));
    return rows * SparseMatrix(rows.transpose());
  }
  /// Calls f(block, other) for blocks that share a body.
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

}  // namespace scree
