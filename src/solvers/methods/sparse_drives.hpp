/// Held rows and driven rows of an island, eliminated together: for islands with too many driven
/// rows for a dense matrix. Our own.
///
/// Rows at a bound are removed from the sparse LDLᵀ: a one on their diagonal, zeros elsewhere. Each
/// set of such rows needs a factorisation. Its cost grows with the pattern of L; in a chain, with
/// the length.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "solvers/methods/bound_pivots.hpp"
#include "solvers/methods/sparse_elimination.hpp"

namespace scree {

class SparseDrives {
 public:
  /// Lays out held rows, then driven rows; entries as in SparseElimination::lay_out().
  void lay_out(std::size_t held, std::size_t driven, std::vector<SparseElimination::Entry> entries);
  /// The k-th entry of W, with shifts and softness on its diagonal; call changed() after writing.
  double& value(std::size_t k) { return values_[k]; }
  void changed() { factorised_ = false; }
  const std::vector<SparseElimination::Entry>& entries() const { return entries_; }
  double entry(std::size_t k) const { return values_[k]; }

  /// Finds changes `d` of impulses that undo u, with impulses r of driven rows within their bounds;
  /// r is the start on entry. `shift` is the term that was added to each held row's diagonal: the
  /// fraction of u that no impulses can cause is left out. False if pivots did not end; bounds hold
  /// all the same.
  bool solve(std::span<const double> u, std::span<const double> shift, const Eigen::VectorXd& lower,
             const Eigen::VectorXd& upper, Eigen::VectorXd& r, std::span<double> d);

 private:
  bool is_fixed(int row) const {
    return row >= held_ && at_[static_cast<std::size_t>(row - held_)] != AtBound::between;
  }
  void factorise();
  /// Computes `d`, w_ and r of rows at no bound; r of rows at a bound stays.
  void balance(std::span<const double> u, std::span<const double> shift, Eigen::VectorXd& r,
               std::span<double> d);
  /// Computes d of rows at no bound; d of rows at a bound stays.
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
