/// Block Gauss–Seidel over the rows of a matrix problem: the non-linear Gauss–Seidel of contact
/// dynamics [Jean99]. In a step, coloured_sweeps.cpp does it in lanes, without a matrix.
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// The rows of one block, six at most.
using BlockRows = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

/// Sweep that solves one block after the other, exactly and by its own law, from the present
/// velocities.
template <class Operator>
class GaussSeidelSweep {
 public:
  explicit GaussSeidelSweep(const Operator& system);
  void operator()(Vector& r) const;

  /// Solves one block of r, from the velocities of r.
  template <class Law>
  void relax_block(const Law& law, int block, typename Operator::Running& velocities,
                   Vector& r) const {
    const SymMat3& W = block_[block];
    const int row = system_.first_row(block);
    const Vec3 before = Operator::at(r, row), velocity = velocities.contact(block);
    Vec3 x = before;
    law.solve(W, velocity - W * before, x);
    Operator::put(r, row, x);
    const Vec3 change = x - before;
    velocities.moved(block, &change.x);
  }
  void relax_block(const JointRows&, int block, typename Operator::Running& velocities,
                   Vector& r) const;

 private:
  const Operator& system_;
  /// Diagonal blocks of contacts, made positive definite
  std::vector<SymMat3> block_;
  std::vector<Eigen::MatrixXd> joint_inverse_;  ///< one per joint, in their order
  std::vector<int> joint_;                      ///< index of a block in joint_inverse_
};

/// Sweeps `sweeps` times from r, or as often as the limits allow; records r at the end.
void relax(const GaussSeidelSweep<MatrixOperator>& sweep, int sweeps, Vector& r,
           Progress& progress);

}  // namespace scree
