/// Rows with bounds on their impulses: a linear complementarity problem with bounds. Our own.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/kernels/kernels.hpp"
#include "solvers/methods/bound_pivots.hpp"

namespace scree {

/// Rows along few coordinates. A motor, a damper and dry friction along one coordinate are rows
/// with one and the same response:
///
///     w_k = (S R)_c + d_k r_k + q_k,   c the coordinate of row k,   R_c = Σ r_k of its rows
///
/// with lower ≤ r ≤ upper: w = 0 between the bounds, w ≥ 0 where r = lower, w ≤ 0 where r = upper.
/// S is symmetric and positive definite. d ≥ 0, and d > 0 where rows share a coordinate. The rows
/// of a coordinate that are between their bounds act in parallel, as one row with 1/d = Σ 1/d_k:
/// only the coordinates are eliminated.
class BoundedRows {
 public:
  /// `coordinates` has that of each row: numbers from 0 on, in rising order.
  void lay_out(std::span<const Eigen::Index> coordinates);
  Eigen::Index coordinates() const { return S_.rows(); }
  Eigen::Index coordinate_of(Eigen::Index row) const { return coordinate_[row]; }
  /// S and d; call changed() after writing.
  Eigen::MatrixXd& matrix() { return S_; }
  const Eigen::MatrixXd& matrix() const { return S_; }
  Eigen::VectorXd& softness() { return d_; }
  const Eigen::VectorXd& softness() const { return d_; }
  void changed() { factorised_ = false; }
  /// Sets R to the sums of r by coordinate.
  void add_up(const Eigen::VectorXd& r, Eigen::VectorXd& R) const;

  /// Solves by find_bounds(); `r` is the start on entry. False if the pivots did not end; r keeps
  /// its bounds all the same. Allocates only if the pivots cycle.
  bool solve(const Eigen::VectorXd& q, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
             Eigen::VectorXd& r);

  /// Subtracts from the symmetric Y what the rows that were at no bound in the last solve take from
  /// it: Bᵀ (S + d)⁻¹ B. B has a row of `columns` numbers for each coordinate; Y is columns ×
  /// columns.
  void take_free(std::span<const double> B, std::size_t columns, std::span<double> Y,
                 const kernels::DenseKernels& dense);
  /// Count of factorisations, above 0: it changes with the matrix, and with the rows at a bound.
  std::uint64_t factorisations() const { return factorisations_; }

 private:
  /// Sets r to the bounds at_ of rows, with w = 0 in the others.
  void find_solution(const Eigen::VectorXd& q, const Eigen::VectorXd& lower,
                     const Eigen::VectorXd& upper, Eigen::VectorXd& r);
  bool is_between(Eigen::Index row) const {
    return at_[static_cast<std::size_t>(row)] == AtBound::between;
  }
  /// Calls f(row) for the rows of a coordinate between their bounds, except its hardest.
  template <class F>
  void for_each_other(Eigen::Index coordinate, F&& f) const {
    const auto c = static_cast<std::size_t>(coordinate);
    for (Eigen::Index k = first_[c]; k < first_[c + 1]; ++k)
      if (is_between(k) && k != parallel_[c].hardest) f(k);
  }
  /// Finds the rows that act in parallel, and the coordinates that have some.
  void find_parallel();
  /// Factorises S + d = LDLᵀ over the coordinates with rows between their bounds, the largest pivot
  /// first.
  void factorise();
  /// Applies the inverse of that matrix to x_, in the order of pivots.
  void eliminate();

  Eigen::MatrixXd S_;
  Eigen::VectorXd d_;
  Eigen::VectorX<Eigen::Index> coordinate_;  ///< of each row
  std::vector<Eigen::Index> first_;          ///< row of each coordinate, then the number of rows
  std::vector<AtBound> at_, next_, factorised_at_;
  bool factorised_ = false;
  std::uint64_t factorisations_ = 0;
  /// Rows of a coordinate between their bounds.
  struct Parallel {
    Eigen::Index hardest;  ///< the row with the smallest d; −1: none
    double share;          ///< Σ d of the hardest over d_k [-]
    double lead;           ///< Σ (q of the hardest − q_k) / d_k over the others [N s]
  };
  std::vector<Parallel> parallel_;     ///< one per coordinate
  std::vector<Eigen::Index> between_;  ///< coordinates that have such rows, in the order of pivots
  Eigen::Index count_ = 0;             ///< number of these
  Eigen::MatrixXd L_;                  ///< L of these, with the pivots on its diagonal
  Eigen::VectorXd w_, x_, R_, answer_;
};

}  // namespace scree
