/// The matrix M of a global problem, factored body by body.
#pragma once

#include <Eigen/SparseLU>
#include <memory>
#include <vector>

#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

/// M has independent blocks: rigid or deformable bodies. Each is scaled, so that the units of
/// masses and moments of inertia do not affect the test for singularity, and factored as a general
/// sparse matrix: gyroscopic terms are not symmetric.
class MassMatrix {
 public:
  /// Throws InputError, beginning with `location`, if M is singular to rounding.
  MassMatrix(const SparseMatrix& M, const std::string& location);

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
