/// Contacts of an island of joints with what does not move: solved with the island, since sweeps
/// that go back and forth between feet and legs take hundreds. Held rows are eliminated, drives
/// that are at no bound too; what is left is swept, each contact by its own law, with velocities of
/// all the others kept up to date. Our own.
#include <algorithm>

#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/methods/joint_island.hpp"
#include "solvers/operators/regularisation.hpp"

namespace scree {

using Eigen::Index;

void JointIsland::add_contact(const ContactProblem& problem, std::uint32_t block, int lane,
                              std::size_t of_body) {
  const FullContact c = problem.full[block].contact(lane);
  JointBlock rows{.a = c.a, .b = c.b, .rows = 3};
  for (int k = 0; k < 3; ++k) {
    rows.axis[k] = c.axis[k];
    rows.turn_a[k] = c.turn_a[k];
    rows.turn_b[k] = c.turn_b[k];
    rows.bias[k] = c.bias[k];
  }
  rows.locked_a = c.locked_a;
  rows.locked_b = c.locked_b;
  contacts.push_back({block, lane, of_body, 0, rows, {}});
}

void JointIsland::reduce_contacts(const ContactProblem& problem) {
  const std::size_t n = 3 * contacts.size(), drives = driven.size();
  kept_for = 0;
  largest_change = 0;
  halves.clear();
  S_cc.assign(n * n, 0.0);
  S_cd.assign(n * drives, 0.0);
  free_cc.assign(n * n, 0.0);
  for (Vector* v : {&u_c, &v_c, &change_c}) v->assign(n, 0.0);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    Contact& contact = contacts[c];
    const OfBody& of = bodies[contact.of_body];
    contact.first_half = halves.size();
    for (int row = 0; row < 3; ++row) {
      // L⁻¹ W_fc
      std::ranges::fill(work, 0.0);
      for (const Row& joint : of.held) {
        const JointBlock& block = problem.joints[joint.joint];
        for (int k = 0; k < block.rows; ++k)
          work[place_of(joint.row + k)] = delassus(problem, contact.rows, row, block, k);
      }
      W.forward_at(of.reach, work);
      for (const int place : of.reach) {
        double& at = work[static_cast<std::size_t>(place)];
        halves.push_back(at);
        at /= W.pivot(place);
      }
      // Products with the rows of contacts before, and of drives.
      const std::size_t p = 3 * c + static_cast<std::size_t>(row);
      for (std::size_t other = 0; other <= c; ++other) {
        const Contact& with = contacts[other];
        const std::vector<int>& reach = bodies[with.of_body].reach;
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t q_row = 3 * other + k;
          if (q_row > p) break;
          double sum = with.of_body == contact.of_body
                           ? delassus(problem, contact.rows, row, with.rows, static_cast<int>(k))
                           : 0;
          const double* half = &halves[with.first_half + k * reach.size()];
          for (std::size_t i = 0; i < reach.size(); ++i)
            sum -= half[i] * work[static_cast<std::size_t>(reach[i])];
          S_cc[p * n + q_row] = S_cc[q_row * n + p] = sum;
        }
      }
      for (const Row& joint : of.driven) {
        const JointBlock& block = problem.joints[joint.joint];
        for (int k = 0; k < block.rows; ++k)
          S_cd[p * drives + static_cast<std::size_t>(joint.row + k)] =
              delassus(problem, contact.rows, row, block, k);
      }
      for (std::size_t d = 0; d < drives; ++d) {
        const Coupling& of_drive = coupling[d];
        double sum = 0;
        for (std::size_t i = 0; i < of_drive.reach.size(); ++i)
          sum += of_drive.half[i] * work[static_cast<std::size_t>(of_drive.reach[i])];
        S_cd[p * drives + d] -= sum;
      }
    }
  }
}

void JointIsland::gather_contacts(const ContactProblem& problem) {
  // Lᵀ d_f, of which W_cf d_f are products with L⁻¹ W_fc.
  for (int k = 0; k < W.rows(); ++k) work[place_of(k)] = d_f[static_cast<std::size_t>(k)];
  W.multiply_transposed(work);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    Contact& contact = contacts[c];
    const FullBlock& block = problem.full[contact.block];
    const kernels::JointVector u = kernels::relative_velocity(problem.bodies, contact.rows);
    const std::vector<int>& reach = bodies[contact.of_body].reach;
    const double* half = &halves[contact.first_half];
    for (int row = 0; row < 3; ++row) {
      contact.percussion[row] = block.percussion[row][contact.lane];
      double v = u[row];
      for (const int place : reach) v += *half++ * work[static_cast<std::size_t>(place)];
      u_c[3 * c + static_cast<std::size_t>(row)] = v;
    }
  }
  std::ranges::fill(change_c, 0.0);
}

void JointIsland::keep_drives() {
  const std::size_t n = 3 * contacts.size(), drives = driven.size();
  kept_for = bounded.factorisations();
  free_cc = S_cc;
  if (drives == 0) return;
  for (std::size_t p = 0; p < n; ++p) {
    bounded.solve_free(&S_cd[p * drives], q_now.data());
    for (std::size_t k = p; k < n; ++k) {
      double sum = 0;
      for (std::size_t d = 0; d < drives; ++d) sum += S_cd[k * drives + d] * q_now.data()[d];
      free_cc[p * n + k] -= sum;
      free_cc[k * n + p] = free_cc[p * n + k];
    }
  }
}

double JointIsland::sweep_contacts(const ContactProblem& problem) {
  const std::size_t n = 3 * contacts.size();
  double largest_of_all = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const std::size_t p = 3 * c;
    const auto at = [&](std::size_t i, std::size_t k) { return free_cc[(p + i) * n + p + k]; };
    const SymMat3 own = made_positive({at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)});
    Vec3& r_c = contacts[c].percussion;
    const Vec3 before = r_c, u{v_c[p], v_c[p + 1], v_c[p + 2]};
    Vec3 x = before;
    std::visit([&](const auto& law) { law.solve(own, u - own * before, x); },
               problem.laws[problem.full[contacts[c].block].law]);
    const Vec3 d = x - before;
    if (d == Vec3{} || !is_finite(d)) continue;
    r_c = x;
    for (std::size_t i = 0; i < 3; ++i) {
      const double of_row = d[static_cast<int>(i)];
      change_c[p + i] += of_row;
      const double* column = &free_cc[(p + i) * n];
      for (std::size_t k = 0; k < n; ++k) v_c[k] += of_row * column[k];
    }
    largest_of_all = std::max(largest_of_all, own.trace() * norm(d));
  }
  return largest_of_all;
}

void JointIsland::relax_driven(const ContactProblem& problem) {
  constexpr int kMostSets = 8, kMostSweeps = 50;
  constexpr double kLittle = 1e-8;  // of the largest change that a sweep has made in this step
  const std::size_t n = 3 * contacts.size(), drives = driven.size();
  for (int set = 0; set < kMostSets; ++set) {
    // Drives, with contacts as they are.
    q_now = q;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t d = 0; d < drives; ++d)
        q_now[static_cast<Index>(d)] += S_cd[p * drives + d] * change_c[p];
    if (drives > 0) bounded.solve(q_now, least, most, r);
    if (n == 0 || (set > 0 && kept_for == bounded.factorisations())) return;
    // Contacts, with drives that are at no bound following them.
    if (kept_for == 0 || kept_for != bounded.factorisations()) keep_drives();
    for (std::size_t p = 0; p < n; ++p) {
      double v = u_c[p];
      for (std::size_t d = 0; d < drives; ++d)
        v += S_cd[p * drives + d] * (r[static_cast<Index>(d)] - start[static_cast<Index>(d)]);
      for (std::size_t k = 0; k < n; ++k) v += S_cc[p * n + k] * change_c[k];
      v_c[p] = v;
    }
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      const double swept = sweep_contacts(problem);
      largest_change = std::max(largest_change, swept);
      if (swept <= kLittle * largest_change) break;
    }
    if (drives == 0) return;
  }
}

void JointIsland::add_contacts(ContactProblem& problem) const {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Contact& contact = contacts[c];
    FullBlock& block = problem.full[contact.block];
    kernels::JointVector d(3);
    for (int row = 0; row < 3; ++row) {
      block.percussion[row][contact.lane] = contact.percussion[row];
      d[row] = change_c[3 * c + static_cast<std::size_t>(row)];
    }
    kernels::add_percussion(problem.bodies, problem.free_bodies, contact.rows, d);
  }
}

}  // namespace scree
