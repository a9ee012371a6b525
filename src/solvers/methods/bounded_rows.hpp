/// Rows with bounds on their impulses: a linear complementarity problem with bounds. Our own.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/kernels/kernels.hpp"
#include "solvers/methods/bound_pivots.hpp"

namespace scree {

/// Problem w = S r + q with lower ≤ r ≤ upper: w = 0 between the bounds, w ≥ 0 where r = lower, w ≤
/// 0 where r = upper. S is symmetric and positive definite.
class BoundedRows {
 public:
  void resize(Eigen::Index rows);
  /// S; call changed() after writing.
  Eigen::MatrixXd& matrix() { return S_; }
  const Eigen::MatrixXd& matrix() const { return S_; }
  void changed() { factorised_ = false; }

  /// Solves by find_bounds(); `r` is the start on entry. False if the pivots did not end; r keeps
  /// its bounds all the same. Allocates only if the pivots cycle.
  bool solve(const Eigen::VectorXd& q, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
             Eigen::VectorXd& r);

  /// Subtracts Bᵀ S⁻¹ B from the symmetric Y, over the rows that were at no bound in the last
  /// solve. B has a row of `columns` numbers for each row of S; Y is columns × columns.
  void take_free(std::span<const double> B, std::size_t columns, std::span<double> Y,
                 const kernels::DenseKernels& dense);
  /// Count of factorisations, above 0: it changes with the matrix, and with the rows at a bound.
  std::uint64_t factorisations() const { return factorisations_; }

 private:
  /// Sets r to the bounds at_ of rows, with w = 0 in the others.
  void find_solution(const Eigen::VectorXd& q, const Eigen::VectorXd& lower,
                     const Eigen::VectorXd& upper, Eigen::VectorXd& r);
  /// Factorises S = LDLᵀ over the rows between their bounds, the largest pivot first.
  void factorise();
  /// Applies the inverse of that matrix to x_, in the order of pivots.
  void eliminate();

  Eigen::MatrixXd S_;
  std::vector<AtBound> at_, next_, factorised_at_;
  bool factorised_ = false;
  std::uint64_t factorisations_ = 0;
  std::vector<Eigen::Index> between_;  ///< rows between their bounds, in the order of pivots
  Eigen::Index count_ = 0;             ///< number of these rows
  Eigen::MatrixXd L_;                  ///< L of these rows, with the pivots on its diagonal
  Eigen::VectorXd w_, x_;
};

}  // namespace scree
