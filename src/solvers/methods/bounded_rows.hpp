/// Rows with bounds on their impulses: a linear complementarity problem with bounds. Our own.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/kernels/kernels.hpp"
#include "solvers/methods/bound_pivots.hpp"

namespace scree {

/// w = S r + q with least ≤ r ≤ most, w = 0 in between, w ≥ 0 where r = least, w ≤ 0 where r =
/// most. S is symmetric and positive definite.
class BoundedRows {
 public:
  /// Makes room for so many rows.
  void resize(Eigen::Index rows);
  /// The matrix, to be filled; then changed() is to be called.
  Eigen::MatrixXd& matrix() { return S_; }
  const Eigen::MatrixXd& matrix() const { return S_; }
  void changed() { factorised_ = false; }

  /// As find_bounds() has it. `r` is the start on entry. False if it came to no end; r then keeps
  /// its bounds. Allocates nothing but where pivots go round in circles.
  bool solve(const Eigen::VectorXd& q, const Eigen::VectorXd& least, const Eigen::VectorXd& most,
             Eigen::VectorXd& r);

  /// Y − Bᵀ S⁻¹ B, Y symmetric, over the rows that were at no bound in the last solve. B has a row
  /// of `columns` numbers for each row of S; Y is columns × columns.
  void take_free(std::span<const double> B, std::size_t columns, std::span<double> Y,
                 const kernels::DenseKernels& dense);
  /// Another number for other such rows, or another matrix; above 0.
  std::uint64_t factorisations() const { return factorisations_; }

 private:
  /// r with rows at their bounds as at_ says, and w = 0 for the others.
  void find_solution(const Eigen::VectorXd& q, const Eigen::VectorXd& least,
                     const Eigen::VectorXd& most, Eigen::VectorXd& r);
  /// LDLᵀ of S over the rows in between, the largest pivot first.
  void factorise();
  /// x_ = that matrix⁻¹ x_, over these rows in their order.
  void eliminate();

  Eigen::MatrixXd S_;
  std::vector<AtBound> at_, next_, factorised_at_;
  bool factorised_ = false;
  std::uint64_t factorisations_ = 0;
  std::vector<Eigen::Index> between_;  ///< rows, in the order of their pivots
  Eigen::Index count_ = 0;             ///< of them
  Eigen::MatrixXd L_;                  ///< of those, with the pivots on its diagonal
  Eigen::VectorXd w_, x_;
};

}  // namespace scree
