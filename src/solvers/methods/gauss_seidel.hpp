/// Block Gauss–Seidel over the rows of a problem: the non-linear Gauss–Seidel of contact dynamics
/// [Jean99]. Over bodies it is in lanes, colour by colour: see coloured_sweeps.cpp.
#pragma once

#include "solvers/progress.hpp"

namespace scree {

/// The rows of one block, six at most.
using BlockRows = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

/// Solves each block in turn, exactly and by its own law, from the velocities as they are then.
template <class Operator>
class GaussSeidelSweep {
 public:
  explicit GaussSeidelSweep(const Operator& system);
  void operator()(Vector& r) const;

  /// One block of r, from the velocities that r makes.
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
  /// Of contacts, made positive definite where they are not.
  std::vector<SymMat3> block_;
  std::vector<Eigen::MatrixXd> joint_inverse_;  ///< of joints, in their order
  std::vector<int> joint_;                      ///< of a block: its place there
};

/// `sweeps` times from r, or as often as the limits allow; booked at the end.
void relax(const GaussSeidelSweep<MatrixOperator>& sweep, int sweeps, Vector& r,
           Progress& progress);

}  // namespace scree
