/// Block Gauss–Seidel over the rows of a matrix problem.
#include "solvers/methods/gauss_seidel.hpp"

#include <Eigen/QR>
#include <algorithm>

#include "solvers/operators/factored_operator.hpp"
#include "solvers/operators/regularisation.hpp"

namespace scree {

template <class Operator>
GaussSeidelSweep<Operator>::GaussSeidelSweep(const Operator& system)
    : system_(system), block_(system.blocks()) {
  system.for_each_block([&]<class Law>(const Law&, int block) {
    if constexpr (std::is_same_v<Law, JointRows>) {
      joint_.resize(system.blocks());
      joint_[block] = static_cast<int>(joint_inverse_.size());
      joint_inverse_.push_back(
          system.joint_diagonal(block).completeOrthogonalDecomposition().pseudoInverse());
    } else {
      block_[block] = made_positive(system.diagonal(block));
    }
  });
}

template <class Operator>
void GaussSeidelSweep<Operator>::relax_block(const JointRows&, int block,
                                             typename Operator::Running& velocities,
                                             Vector& r) const {
  BlockRows u(system_.rows_of(block));
  velocities.joint(block, u.data());
  u = -joint_inverse_[joint_[block]] * u.eval();
  r.segment(system_.first_row(block), u.size()) += u;
  velocities.moved(block, u.data());
}

template <class Operator>
void GaussSeidelSweep<Operator>::operator()(Vector& r) const {
  auto velocities = system_.running(r);
  system_.for_each_block(
      [&](const auto& law, int block) { relax_block(law, block, velocities, r); });
}

template class GaussSeidelSweep<MatrixOperator>;
template class GaussSeidelSweep<FactoredOperator>;

void relax(const GaussSeidelSweep<MatrixOperator>& sweep, int sweeps, Vector& r,
           Progress& progress) {
  constexpr int kSweepsPerClockCheck = 64;  // reading the clock costs as much as a block
  const int allowed = std::min(sweeps, progress.iterations_left());
  int done = 0;
  while (done < allowed) {
    sweep(r);
    const bool check = ++done % kSweepsPerClockCheck == 0;
    if (check && (progress.stopped() || progress.out_of_time())) break;
  }
  progress.record(r, done);
}

}  // namespace scree
