/// Islands of joints with more driven rows than a dense matrix takes: one sparse elimination of all
/// their rows. Our own.
#include <algorithm>
#include <limits>

#include "solvers/methods/joint_island.hpp"

namespace scree {

void JointIsland::lay_out_together(const ContactProblem& problem) {
  std::vector<SparseElimination::Entry> entries;
  const auto held = static_cast<int>(held_.size());
  held_entries_.assign(driven_.size(), {});
  for_each_entry(problem, [&](int row, int column, double) {
    if (row >= held && column < held)
      held_entries_[static_cast<std::size_t>(row - held)].push_back(entries.size());
    entries.push_back({row, column});
  });
  together_.lay_out(held_.size(), driven_.size(), std::move(entries));
  of_drives_.begin(held_.size());
  of_drives_.make_room();
  u_all_.assign(held_.size() + driven_.size(), 0.0);
  d_all_.assign(held_.size() + driven_.size(), 0.0);
}

void JointIsland::fill_together(const ContactProblem& problem) {
  const auto held = static_cast<int>(held_.size());
  double max_mobility = mobility_of_bodies(problem);
  for_each_entry(problem, [&](int row, int column, double value) {
    if (row == column && row >= held) max_mobility = std::max(max_mobility, value);
  });
  std::size_t k = 0;
  for_each_entry(problem, [&](int row, int column, double value) {
    double& entry = together_.value(k++) = value;
    if (row != column) return;
    if (row < held) {
      entry += shift_[static_cast<std::size_t>(row)];
      return;
    }
    const Row& of = driven_[static_cast<std::size_t>(row - held)];
    entry += shift_of(value, max_mobility) + problem.joints[of.joint].softness[of.row];
  });
  together_.changed();
}

void JointIsland::undo_together() {
  std::ranges::copy(u_f_, u_all_.begin());
  std::copy_n(u_d_.data(), driven_.size(), &u_all_[held_.size()]);
  together_.solve(u_all_, shift_, lower_, upper_, r_, d_all_);
}

void JointIsland::relax_together(ContactProblem& problem) {
  gather(problem);
  undo_together();
  add(problem, held_, std::span(d_all_).first(held_.size()));
  add(problem, driven_, std::span(d_all_).subspan(held_.size()));
}

/// W_dd p − W_df W_ff⁻¹ W_fd p
void JointIsland::respond_sparsely(const ContactProblem& problem, std::span<const RowVelocities> p,
                                   std::span<RowVelocities> u) {
  const std::size_t held = held_.size();
  const auto of = [&](std::size_t row) {
    const Row& at = driven_[row - held];
    return p[at.joint][static_cast<std::size_t>(at.row)];
  };
  std::ranges::fill(u_all_, 0.0);
  const auto& entries = together_.entries();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto row = static_cast<std::size_t>(entries[k].row),
               column = static_cast<std::size_t>(entries[k].column);
    if (row < held) continue;
    u_all_[column] += together_.entry(k) * of(row);
    if (column >= held && row != column) u_all_[row] += together_.entry(k) * of(column);
  }
  for (std::size_t k = 0; k < held; ++k) u_f_[k] = u_all_[k];
  solve(u_f_, d_f_);
  for (std::size_t d = 0; d < driven_.size(); ++d) {
    const Row& at = driven_[d];
    double sum = u_all_[held + d] - problem.joints[at.joint].softness[at.row] * of(held + d);
    for (const std::size_t k : held_entries_[d])
      sum -= together_.entry(k) * d_f_[static_cast<std::size_t>(entries[k].column)];
    u[at.joint][static_cast<std::size_t>(at.row)] = sum;
  }
}

void JointIsland::find_compliances_sparsely(const ContactProblem& problem,
                                            std::span<RowVelocities> W) {
  constexpr double kNoBound = std::numeric_limits<double>::infinity();
  const auto& entries = together_.entries();
  std::size_t diagonal = 0;
  for (std::size_t d = 0; d < driven_.size(); ++d) {
    const int row_of_all = static_cast<int>(held_.size() + d);
    while (entries[diagonal].row != row_of_all || entries[diagonal].column != row_of_all)
      ++diagonal;
    const auto& [joint, row] = driven_[d];
    const JointBlock& block = problem.joints[joint];
    if (!(block.softness[row] > 0) || block.max_impulse[row] < kNoBound) continue;
    std::ranges::fill(work_, 0.0);
    for (const std::size_t k : held_entries_[d])
      work_[position_of(entries[k].column)] = together_.entry(k);
    W_.forward(work_);
    double compliance = together_.entry(diagonal) - block.softness[row];
    for (int position = 0; position < W_.rows(); ++position) {
      const double x = work_[static_cast<std::size_t>(position)];
      compliance -= x * x / W_.pivot(position);
    }
    W[joint][static_cast<std::size_t>(row)] = std::max(0.0, compliance);
  }
}

}  // namespace scree
