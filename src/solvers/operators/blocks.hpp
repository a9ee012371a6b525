/// Laws, q and diagonal blocks of a problem: the common base of all operators, for any storage of
/// W.
#pragma once

#include <vector>

#include "scree/solvers/friction_contact_problem.hpp"
#include "scree/solvers/residual_scale.hpp"

namespace scree {

class Blocks {
 public:
  int rows() const { return static_cast<int>(q_.size()); }
  int blocks() const { return static_cast<int>(first_row_.size()) - 1; }
  int first_row(int block) const { return first_row_[block]; }
  int rows_of(int block) const { return first_row_[block + 1] - first_row_[block]; }
  const Vector& q() const { return q_; }

  /// Scale of residuals, see FrictionContactProblem; for an island a fraction of the whole's, such
  /// that the whole converges if its islands do [m/s].
  double speed() const { return speed_; }

  /// Diagonal block of a contact, its symmetric part; for a joint, three times the mean of its
  /// diagonal [1/kg].
  const SymMat3& diagonal(int block) const { return diagonal_[block]; }
  /// Largest mean of a diagonal block's trace [1/kg].
  double largest_diagonal() const { return largest_diagonal_; }

  /// Calls f(laws, first block) for every run of laws of a kind.
  template <class F>
  void for_each_run(F&& f) const {
    int block = 0;
    for (const LawRun& run : laws_)
      std::visit(
          [&](const auto& laws) {
            f(laws, block);
            block += static_cast<int>(laws.size());
          },
          run);
  }
  /// Calls f(law, block).
  template <class F>
  void for_each_block(F&& f) const {
    for_each_run([&](const auto& laws, int block) {
      for (const auto& law : laws) f(law, block++);
    });
  }

  /// Residual of a block's own law [m/s].
  template <class Law>
  double block_residual(const Law& law, int block, const Vector& u, const Vector& r) const {
    const int row = first_row_[block];
    return contact_residual(law, diagonal_[block], at(u, row), at(r, row));
  }
  double block_residual(const JointRows&, int block, const Vector& u, const Vector&) const {
    return u.segment(first_row_[block], rows_of(block)).norm();
  }
  /// E_s, see ResidualScale [-].
  double residual(const Vector& u, const Vector& r) const;

  std::vector<int> block_of_rows() const;

  static Vec3 at(const Vector& v, int row) { return {v[row], v[row + 1], v[row + 2]}; }
  static void put(Vector& v, int row, const Vec3& x) {
    v[row] = x.x;
    v[row + 1] = x.y;
    v[row + 2] = x.z;
  }

 protected:
  Blocks() = default;
  template <class Problem>
  explicit Blocks(const Problem& problem)
      : q_(problem.q),
        speed_(problem.speed > 0 ? problem.speed : undone_speed(problem)),
        laws_(problem.laws) {
    first_row_.push_back(0);
    for_each_block([&](const auto& law, int) {
      first_row_.push_back(first_row_.back() + scree::rows_of(law));
    });
  }

  std::vector<int> first_row_;
  Vector q_;
  double speed_ = 0, largest_diagonal_ = 0;
  std::vector<SymMat3> diagonal_;
  std::vector<LawRun> laws_;
};

}  // namespace scree
