/// The matrix M of a global problem, factored body by body.
#pragma once

#include <Eigen/SparseLU>
#include <memory>
#include <vector>

#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

/// M falls into parts that have no entry in common: rigid bodies, or deformable ones. Each is
/// scaled, so that masses and moments of inertia of any units have no say in whether it is
/// singular, and factored as a sparse matrix that need not be symmetric: gyroscopic terms are not.
class MassMatrix {
 public:
  /// Throws InputError, beginning with `place`, if M is singular to rounding.
  MassMatrix(const SparseMatrix& M, const std::string& place);

  /// M⁻¹ b.
  Vector solve(const Vector& b) const;
  /// Hᵀ M⁻¹ H, without entries that are zero.
  SparseMatrix between(const SparseMatrix& H) const;

 private:
  struct Part {
    std::vector<int> rows;
    Vector scale;                                     ///< of rows and columns
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;  ///< of scale · M · scale

    bool singular() const;
    Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;
  };
  std::vector<std::unique_ptr<Part>> parts_;  // factors cannot be moved
};

}  // namespace scree
