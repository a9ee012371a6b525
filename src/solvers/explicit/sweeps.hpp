/// Iterations that go from block to block.
#pragma once

#include "solvers/explicit/progress.hpp"

namespace scree {

/// Solves each block in turn, exactly and by its own law, from the velocities as they are then.
class GaussSeidelSweep {
 public:
  explicit GaussSeidelSweep(const System& system);
  void operator()(Vector& r) const;

  /// One block of r from the velocities that `from` makes; r and from may be the same.
  template <class Law>
  void relax_block(const Law& law, int block, const Vector& from, Vector& r) const {
    const SymMat3& W = block_[block];
    const int row = system_.first_row(block);
    Vec3 x = System::at(from, row);
    const Vec3 q = system_.contact_velocity(block, from) - W * x;
    law.solve(W, q, x);
    System::put(r, row, x);
  }
  void relax_block(const JointRows&, int block, const Vector& from, Vector& r) const;

 private:
  const System& system_;
  std::vector<SymMat3> block_;                  ///< of contacts, made positive definite where they are not
  std::vector<Eigen::MatrixXd> joint_inverse_;  ///< of joints, in their order
  std::vector<int> joint_;                      ///< of a block: its place there
};

/// `sweeps` times from r, checked at the end.
void relax(const GaussSeidelSweep& sweep, int sweeps, Vector& r, Progress& progress);

/// gauss_seidel, psor or jacobi, with the acceleration that is asked for, until `progress` is finished or the iterations are used up.
void run_sweeps(const SolveOptions& options, Vector& r, Progress& progress);

}  // namespace scree
