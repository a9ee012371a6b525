/// Contacts of an island of joints with what does not move: solved with the island, since sweeps
/// that go back and forth between feet and legs take hundreds. Held rows are eliminated, drives
/// that are at no bound too; what is left is swept, each contact by its own law, with velocities of
/// all the others kept up to date. Our own.
#include <algorithm>
#include <utility>

#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/methods/joint_island.hpp"
#include "solvers/operators/regularisation.hpp"

namespace scree {

using Eigen::Index;

void JointIsland::add_contact(const ContactProblem& problem, std::uint32_t block, int lane,
                              std::size_t of_body) {
  const std::size_t slot = std::size_t{kBlock} * block + static_cast<std::size_t>(lane);
  const std::uint64_t key = problem.full_keys.empty() ? slot : problem.full_keys[slot];
  candidates_.push_back({block, lane, of_body, key, problem.full[block].percussion[0][lane]});
}

void JointIsland::choose_contacts(const ContactProblem& problem) {
  const auto by_key = [](const Candidate& one, const Candidate& other) {
    return std::pair(one.of_body, one.key) < std::pair(other.of_body, other.key);
  };
  const auto bore_more = [&](const Candidate& one, const Candidate& other) {
    return one.bore > other.bore || (one.bore == other.bore && by_key(one, other));
  };
  if (candidates_.size() > kMostContacts) {
    std::ranges::nth_element(candidates_, candidates_.begin() + kMostContacts, bore_more);
    candidates_.resize(kMostContacts);
  }
  std::ranges::sort(candidates_, by_key);
  contacts_.clear();
  for (const Candidate& chosen : candidates_) {
    const FullContact c = problem.full[chosen.block].contact(chosen.lane);
    JointBlock rows{.a = c.a, .b = c.b, .rows = 3};
    for (int k = 0; k < 3; ++k) {
      rows.axis[k] = c.axis[k];
      rows.turn_a[k] = c.turn_a[k];
      rows.turn_b[k] = c.turn_b[k];
      rows.bias[k] = c.bias[k];
    }
    rows.locked_a = c.locked_a;
    rows.locked_b = c.locked_b;
    contacts_.push_back({chosen.block, chosen.lane, chosen.of_body, 0, rows, {}});
  }
}

void JointIsland::reduce_contacts(const ContactProblem& problem) {
  const std::size_t n = 3 * contacts_.size();
  kept_for_ = 0;
  largest_change_ = 0;
  halves_.clear();
  S_cc_.assign(n * n, 0.0);
  S_cd_.assign(n * driven_.size(), 0.0);
  free_cc_.assign(n * n, 0.0);
  for (Vector* v : {&u_c_, &v_c_, &change_c_}) v->assign(n, 0.0);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    lay_out_reach(problem, bodies_[contacts_[c].of_body]);
    contacts_[c].first_half = halves_.size();
    for (int row = 0; row < 3; ++row) reduce_row(problem, c, row);
  }
}

/// L⁻¹ W_fc of one row of a contact, and its products with rows of contacts before and of drives.
void JointIsland::reduce_row(const ContactProblem& problem, std::size_t contact, int row) {
  const Contact& c = contacts_[contact];
  const OfBody& of = bodies_[c.of_body];
  const std::size_t n = 3 * contacts_.size(), drives = driven_.size(),
                    p = 3 * contact + static_cast<std::size_t>(row);
  std::ranges::fill(work_, 0.0);
  for (const Member& joint : of.held) {
    const JointBlock& block = problem.joints[joint.joint];
    for (int k = 0; k < block.rows; ++k)
      work_[place_of(static_cast<int>(joint.first) + k)] = delassus(problem, c.rows, row, block, k);
  }
  W_.forward_at(of.reach, work_);
  for (const int place : of.reach) {
    double& at = work_[static_cast<std::size_t>(place)];
    halves_.push_back(at);
    at /= W_.pivot(place);
  }
  for (std::size_t other = 0; other <= contact; ++other) {
    const Contact& with = contacts_[other];
    const std::vector<int>& reach = bodies_[with.of_body].reach;
    for (std::size_t k = 0; k < 3 && 3 * other + k <= p; ++k) {
      const std::size_t q_row = 3 * other + k;
      double sum = with.of_body == c.of_body
                       ? delassus(problem, c.rows, row, with.rows, static_cast<int>(k))
                       : 0;
      const double* half = &halves_[with.first_half + k * reach.size()];
      for (std::size_t i = 0; i < reach.size(); ++i)
        sum -= half[i] * work_[static_cast<std::size_t>(reach[i])];
      S_cc_[p * n + q_row] = S_cc_[q_row * n + p] = sum;
    }
  }
  for (const Member& joint : of.driven) {
    const JointBlock& block = problem.joints[joint.joint];
    for (int k = 0; k < block.rows; ++k)
      S_cd_[p * drives + joint.first + static_cast<std::size_t>(k)] =
          delassus(problem, c.rows, row, block, k);
  }
  for (std::size_t d = 0; d < drives; ++d) {
    const Coupling& of_drive = coupling_[d];
    double sum = 0;
    for (std::size_t i = 0; i < of_drive.reach.size(); ++i)
      sum += of_drive.half[i] * work_[static_cast<std::size_t>(of_drive.reach[i])];
    S_cd_[p * drives + d] -= sum;
  }
}

void JointIsland::gather_contacts(const ContactProblem& problem) {
  // Lᵀ d_f, of which W_cf d_f are products with L⁻¹ W_fc.
  for (int k = 0; k < W_.rows(); ++k) work_[place_of(k)] = d_f_[static_cast<std::size_t>(k)];
  W_.multiply_transposed(work_);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Contact& contact = contacts_[c];
    const FullBlock& block = problem.full[contact.block];
    const kernels::JointVector u = kernels::relative_velocity(problem.bodies, contact.rows);
    const std::vector<int>& reach = bodies_[contact.of_body].reach;
    const double* half = &halves_[contact.first_half];
    for (int row = 0; row < 3; ++row) {
      contact.percussion[row] = block.percussion[row][contact.lane];
      double v = u[row];
      for (const int place : reach) v += *half++ * work_[static_cast<std::size_t>(place)];
      u_c_[3 * c + static_cast<std::size_t>(row)] = v;
    }
  }
  std::ranges::fill(change_c_, 0.0);
}

void JointIsland::keep_drives() {
  const std::size_t n = 3 * contacts_.size(), drives = driven_.size();
  kept_for_ = bounded_.factorisations();
  free_cc_ = S_cc_;
  if (drives == 0) return;
  for (std::size_t p = 0; p < n; ++p) {
    bounded_.solve_free(&S_cd_[p * drives], q_now_.data());
    for (std::size_t k = p; k < n; ++k) {
      double sum = 0;
      for (std::size_t d = 0; d < drives; ++d) sum += S_cd_[k * drives + d] * q_now_.data()[d];
      free_cc_[p * n + k] -= sum;
      free_cc_[k * n + p] = free_cc_[p * n + k];
    }
  }
}

double JointIsland::sweep_contacts(const ContactProblem& problem) {
  const std::size_t n = 3 * contacts_.size();
  double largest_of_all = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const std::size_t p = 3 * c;
    const auto at = [&](std::size_t i, std::size_t k) { return free_cc_[(p + i) * n + p + k]; };
    const SymMat3 own = made_positive({at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)});
    Vec3& r_c = contacts_[c].percussion;
    const Vec3 before = r_c, u{v_c_[p], v_c_[p + 1], v_c_[p + 2]};
    Vec3 x = before;
    std::visit([&](const auto& law) { law.solve(own, u - own * before, x); },
               problem.laws[problem.full[contacts_[c].block].law]);
    const Vec3 d = x - before;
    if (d == Vec3{} || !is_finite(d)) continue;
    r_c = x;
    for (std::size_t i = 0; i < 3; ++i) {
      const double of_row = d[static_cast<int>(i)];
      change_c_[p + i] += of_row;
      const double* column = &free_cc_[(p + i) * n];
      for (std::size_t k = 0; k < n; ++k) v_c_[k] += of_row * column[k];
    }
    largest_of_all = std::max(largest_of_all, own.trace() * norm(d));
  }
  return largest_of_all;
}

void JointIsland::relax_driven(const ContactProblem& problem) {
  constexpr int kMostSets = 8, kMostSweeps = 50;
  constexpr double kLittle = 1e-8;  // of the largest change that a sweep has made in this step
  const std::size_t n = 3 * contacts_.size(), drives = driven_.size();
  for (int set = 0; set < kMostSets; ++set) {
    // Drives, with contacts as they are.
    q_now_ = q_;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t d = 0; d < drives; ++d)
        q_now_[static_cast<Index>(d)] += S_cd_[p * drives + d] * change_c_[p];
    if (drives > 0) bounded_.solve(q_now_, least_, most_, r_);
    if (n == 0 || (set > 0 && kept_for_ == bounded_.factorisations())) return;
    // Contacts, with drives that are at no bound following them.
    if (kept_for_ == 0 || kept_for_ != bounded_.factorisations()) keep_drives();
    for (std::size_t p = 0; p < n; ++p) {
      double v = u_c_[p];
      for (std::size_t d = 0; d < drives; ++d)
        v += S_cd_[p * drives + d] * (r_[static_cast<Index>(d)] - start_[static_cast<Index>(d)]);
      for (std::size_t k = 0; k < n; ++k) v += S_cc_[p * n + k] * change_c_[k];
      v_c_[p] = v;
    }
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      const double swept = sweep_contacts(problem);
      largest_change_ = std::max(largest_change_, swept);
      if (swept <= kLittle * largest_change_) break;
    }
    if (drives == 0) return;
  }
}

void JointIsland::add_contacts(ContactProblem& problem) const {
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    FullBlock& block = problem.full[contact.block];
    kernels::JointVector d(3);
    for (int row = 0; row < 3; ++row) {
      block.percussion[row][contact.lane] = contact.percussion[row];
      d[row] = change_c_[3 * c + static_cast<std::size_t>(row)];
    }
    kernels::add_percussion(problem.bodies, problem.free_bodies, contact.rows, d);
  }
}

}  // namespace scree
