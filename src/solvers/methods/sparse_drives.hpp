/// Rows of an island that are held and rows with bounds, eliminated together: where those with
/// bounds are too many for a dense matrix of their own. Our own.
///
/// Rows at a bound are taken out of the sparse LDLᵀ by a one on their diagonal and nothing beside
/// it; each set of them is a factorisation, whose cost grows as the pattern of L, in a chain as its
/// length.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "solvers/methods/bound_pivots.hpp"
#include "solvers/methods/sparse_elimination.hpp"

namespace scree {

class SparseDrives {
 public:
  /// Rows that are held come first. Entries as SparseElimination::lay_out() has them.
  void lay_out(std::size_t held, std::size_t driven, std::vector<SparseElimination::Entry> entries);
  /// Of the k-th entry: W, with shifts and softness on its diagonal. Then changed() is to be
  /// called.
  double& value(std::size_t k) { return values_[k]; }
  void changed() { factorised_ = false; }
  const std::vector<SparseElimination::Entry>& entries() const { return entries_; }
  double entry(std::size_t k) const { return values_[k]; }

  /// Changes `d` of impulses that undo u, with impulses r of driven rows within their bounds;
  /// r is the start on entry. `shift` is the part of each held row's diagonal that is none of W:
  /// what no impulses bring about is left out. False if pivots came to no end; bounds hold then.
  bool solve(std::span<const double> u, std::span<const double> shift, const Eigen::VectorXd& least,
             const Eigen::VectorXd& most, Eigen::VectorXd& r, std::span<double> d);

 private:
  bool is_fixed(int row) const {
    return row >= held_ && at_[static_cast<std::size_t>(row - held_)] != AtBound::between;
  }
  void factorise();
  /// `d`, w_ and r of rows at no bound, with r of those at one kept.
  void balance(std::span<const double> u, std::span<const double> shift, Eigen::VectorXd& r,
               std::span<double> d);
  /// d of rows at no bound, with d of those at one kept.
  void eliminate(std::span<double> d);

  int held_ = 0;
  std::vector<SparseElimination::Entry> entries_;
  std::vector<double> values_;
  SparseElimination W_;
  std::vector<AtBound> at_, next_, factorised_at_;
  bool factorised_ = false;
  std::vector<double> work_, right_;
  Eigen::VectorXd start_, w_;
};

}  // namespace scree
