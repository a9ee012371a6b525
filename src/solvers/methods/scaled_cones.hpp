/// Problem in self-dual cones, for the interior point method:
///
///     x = P r / r₀,   z = P⁻¹ û / |q|_∞,   P = diag(μ, 1, 1)
///
/// A contact without friction is the half-line of its normal, without tangential rows. û is that of
/// [DeSaxceFeng98]. The scaling is our own.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "solvers/operators/matrix_operator.hpp"

namespace scree {

class ScaledCones {
 public:
  struct Cone {
    int row, first, size;  ///< first row in the problem and here; 3 or 1
    int number;            ///< index among the cones of its size
    bool shifted;          ///< by μ|u_t|
  };

  /// `system` must outlive this.
  explicit ScaledCones(const MatrixOperator& system);

  int size() const { return size_; }
  const std::vector<Cone>& cones() const { return cones_; }
  /// Scaled W; its pattern includes the cones' diagonal blocks.
  const Eigen::SparseMatrix<double>& W() const { return W_; }
  const Vector& q() const { return q_; }

  /// r [N s] of x [-].
  Vector impulse(const Vector& x) const;

 private:
  void add_rows();
  void add_cone(int row, double mu, bool shifted);
  void add_row(int row, double factor);
  void scale_operator();

  const MatrixOperator& system_;
  int size_ = 0, round_cones_ = 0, half_lines_ = 0;
  double velocity_ = 1, impulse_ = 1;  ///< |q|_∞ [m/s], r₀ [N s]
  /// Index here of a row of the problem, −1 if left out; and the inverse
  std::vector<int> index_, row_;
  std::vector<double> factor_;  ///< diagonal of P⁻¹
  std::vector<Cone> cones_;
  Eigen::SparseMatrix<double> W_;
  Vector q_;
};

}  // namespace scree
