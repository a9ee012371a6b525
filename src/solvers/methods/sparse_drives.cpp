/// Sparse elimination of all rows of an island, and pivots on its bounds. Our own.
#include "solvers/methods/sparse_drives.hpp"

#include <algorithm>
#include <utility>

#include "solvers/step_settings.hpp"

namespace scree {

void SparseDrives::lay_out(std::size_t held, std::size_t driven,
                           std::vector<SparseElimination::Entry> entries) {
  held_ = static_cast<int>(held);
  entries_ = std::move(entries);
  values_.assign(entries_.size(), 0.0);
  W_.lay_out(static_cast<int>(held + driven), entries_);
  for (auto* at : {&at_, &next_, &factorised_at_}) at->assign(driven, AtBound::between);
  work_.assign(held + driven, 0.0);
  right_.assign(held + driven, 0.0);
  w_.resize(static_cast<Eigen::Index>(driven));
  factorised_ = false;
}

void SparseDrives::factorise() {
  if (factorised_ && factorised_at_ == at_) return;
  factorised_ = true;
  factorised_at_ = at_;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [row, column] = entries_[k];
    const bool fixed = is_fixed(row) || is_fixed(column);
    W_.value(k) = !fixed ? values_[k] : row == column ? 1 : 0;
  }
  W_.factorise();
}

/// On entry, right_ is −u of rows at no bound, and d of rows at a bound.
void SparseDrives::eliminate(std::span<double> d) {
  std::ranges::copy(right_, d.begin());
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [row, column] = entries_[k];
    const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
    if (is_fixed(row) == is_fixed(column)) continue;
    if (is_fixed(row))
      d[c] -= values_[k] * right_[r];
    else
      d[r] -= values_[k] * right_[c];
  }
  for (int k = 0; k < W_.rows(); ++k)
    work_[static_cast<std::size_t>(W_.position_of(k))] = d[static_cast<std::size_t>(k)];
  W_.forward(work_);
  W_.backward(work_);
  for (int k = 0; k < W_.rows(); ++k)
    d[static_cast<std::size_t>(k)] = work_[static_cast<std::size_t>(W_.position_of(k))];
}

void SparseDrives::balance(std::span<const double> u, std::span<const double> shift,
                           Eigen::VectorXd& r, std::span<double> d) {
  const auto held = static_cast<std::size_t>(held_);
  for (std::size_t k = 0; k < right_.size(); ++k) right_[k] = -u[k];
  for (Eigen::Index k = 0; k < r.size(); ++k)
    if (at_[static_cast<std::size_t>(k)] != AtBound::between)
      right_[held + static_cast<std::size_t>(k)] = r[k] - start_[k];
  factorise();
  eliminate(d);
  double of_left = 0, of_all = 0;
  for (std::size_t k = 0; k < held; ++k) {
    of_left += shift[k] * d[k] * shift[k] * d[k];
    of_all += u[k] * u[k];
  }
  if (of_left > kUnattainableFraction * kUnattainableFraction * of_all) {
    // The remainder −s d of u, which no impulses can cause, is left out.
    for (std::size_t k = 0; k < held; ++k) right_[k] -= shift[k] * d[k];
    eliminate(d);
  }
  for (Eigen::Index k = 0; k < r.size(); ++k) {
    const std::size_t row = held + static_cast<std::size_t>(k);
    if (at_[static_cast<std::size_t>(k)] == AtBound::between) r[k] = start_[k] + d[row];
    w_[k] = u[row];
  }
  const auto add = [&](int row, int column, double value) {
    if (row >= held_) w_[row - held_] += value * d[static_cast<std::size_t>(column)];
  };
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [row, column] = entries_[k];
    add(row, column, values_[k]);
    if (row != column) add(column, row, values_[k]);
  }
}

bool SparseDrives::solve(std::span<const double> u, std::span<const double> shift,
                         const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
                         Eigen::VectorXd& r, std::span<double> d) {
  start_ = r;
  const auto find = [&] {
    for (Eigen::Index k = 0; k < r.size(); ++k) {
      const AtBound at = at_[static_cast<std::size_t>(k)];
      if (at != AtBound::between) r[k] = at == AtBound::lower ? lower[k] : upper[k];
    }
    balance(u, shift, r, d);
  };
  const auto answer = [&] {
    std::ranges::fill(at_, AtBound::lower);  // all impulses are fixed
    balance(u, shift, r, d);
  };
  const bool found = find_bounds(at_, next_, lower, upper, r, w_, find, answer);
  for (Eigen::Index k = 0; k < r.size(); ++k)
    d[static_cast<std::size_t>(held_ + k)] = r[k] - start_[k];
  return found;
}

}  // namespace scree
