/// Sparse LDLᵀ of the symmetric part of W with a shift.
#pragma once

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>

#include "solvers/operators/matrix_operator.hpp"

namespace scree {

/// Solver of (S + ρ) x = b with S the symmetric part of W. It analyses the pattern once, and orders
/// blocks so that the factors stay sparse.
class SymmetricElimination {
 public:
  explicit SymmetricElimination(const MatrixOperator& system);

  /// False where S + ρ is not positive definite.
  bool factorize(double rho);
  Vector solve(const Vector& b) const;
  Vector multiply(const Vector& x) const;
  /// Largest entry of W − S over that of W [-].
  double asymmetry() const { return asymmetry_; }

 private:
  using Columns = Eigen::SparseMatrix<double>;
  std::vector<int> order_;     ///< position of a row in the elimination
  Columns S_;                  ///< upper triangle, in that order
  std::vector<int> diagonal_;  ///< indices of its diagonal entries
  Columns shifted_;
  double asymmetry_ = 0;
  Eigen::SimplicialLDLT<Columns, Eigen::Upper, Eigen::NaturalOrdering<int>> ldlt_;
  bool analysed_ = false;
};

}  // namespace scree
