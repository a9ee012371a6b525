/// Joints of one island. Our own.
#include "solvers/methods/joint_island.hpp"

#include <algorithm>

#include "solvers/kernels/joint_blocks.hpp"

namespace scree {

using Eigen::Index;
using Eigen::VectorXd;

void JointIsland::lay_out(const ContactProblem& problem) {
  std::vector<SparseElimination::Entry> entries;
  entry.clear();
  diagonal.resize(held.size());
  const auto rows_of = [&](std::uint32_t joint) {
    return static_cast<std::uint32_t>(problem.joints[joint].rows);
  };
  for (const Product& product : held_held)
    for (std::uint32_t i = product.first_of; i < product.first_of + rows_of(product.of); ++i)
      for (std::uint32_t k = product.first_with; k < product.first_with + rows_of(product.with);
           ++k) {
        entry.push_back(i >= k ? entries.size() : kUpper);
        if (i < k) continue;
        if (i == k) diagonal[i] = entries.size();
        entries.push_back({static_cast<int>(i), static_cast<int>(k)});
      }
  W.lay_out(static_cast<int>(held.size()), entries);
  coupling.assign(driven.size(), {});
  for (Product& product : driven_held) {
    product.place = static_cast<std::uint32_t>(coupling[product.first_of].held.size());
    for (std::uint32_t i = 0; i < rows_of(product.of); ++i)
      for (std::uint32_t k = 0; k < rows_of(product.with); ++k)
        coupling[product.first_of + i].held.push_back(static_cast<int>(product.first_with + k));
  }
  for (Coupling& of : coupling) {
    of.value.assign(of.held.size(), 0.0);
    std::vector<int> places;
    for (const int row : of.held) places.push_back(W.place_of(row));
    of.reach = W.reach(places);
    of.half.assign(of.reach.size(), 0.0);
  }
  for (OfBody& of : bodies) {
    std::vector<int> places;
    for (const Row& joint : of.held)
      for (int k = 0; k < static_cast<int>(rows_of(joint.joint)); ++k)
        places.push_back(W.place_of(joint.row + k));
    of.reach = W.reach(places);
  }
  for (Vector* v : {&shift, &u_f, &d_f, &left, &work}) v->assign(held.size(), 0.0);
  const auto rows = static_cast<Index>(driven.size());
  for (VectorXd* v : {&u_d, &q, &least, &most, &r, &change, &start, &q_now}) v->resize(rows);
  bounded.resize(rows);
}

/// A row that moves its bodies less than this, beside other rows, moves them by rounding alone:
/// they are locked along it. It gets a mobility of its own, so that its percussion stays finite; it
/// moves nothing [-].
constexpr double kRounding = 1e-12;

/// The largest of its bodies without their locks [1/kg].
double JointIsland::mobility_of_bodies(const ContactProblem& problem) const {
  double largest_of_all = 0;
  for (const OfBody& of : bodies)
    largest_of_all = std::max(largest_of_all, problem.bodies[of.body].inverse_mass);
  return largest_of_all;
}

void JointIsland::fill(const ContactProblem& problem) {
  const std::size_t* at = entry.data();
  for (const Product& product : held_held)
    for_each_row_pair(problem, product, [&](const Pair& pair) {
      if (*at != kUpper) W.value(*at) = pair.value;
      ++at;
    });
  double most_mobile = mobility_of_bodies(problem);
  for (const std::size_t at_row : diagonal) most_mobile = std::max(most_mobile, W.value(at_row));
  for (std::size_t row = 0; row < held.size(); ++row) {
    double& value = W.value(diagonal[row]);
    shift[row] = value > kRounding * most_mobile ? JointElimination::kShift * value
                 : most_mobile > 0               ? most_mobile
                                                 : 1;
    value += shift[row];
  }
  W.factorise();
}

/// S, W_fd and L⁻¹ W_fd.
void JointIsland::reduce(const ContactProblem& problem) {
  Eigen::MatrixXd& S = bounded.matrix();
  S.setZero();
  for (const Product& product : driven_driven)
    for_each_row_pair(problem, product, [&](const Pair& pair) {
      const Index i = pair.of, k = pair.with;
      S(i, k) = S(k, i) = pair.value;
    });
  // Rows of one coordinate are alike.
  const double most_mobile =
      std::max(mobility_of_bodies(problem), S.rows() > 0 ? S.diagonal().maxCoeff() : 0.0);
  for (Index k = 0; k < S.rows(); ++k)
    S(k, k) = S(k, k) > kRounding * most_mobile ? (1 + JointElimination::kShift) * S(k, k)
              : most_mobile > 0                 ? most_mobile
                                                : 1;
  for (Index k = 0; k < S.rows(); ++k) {
    const Row& of = driven[static_cast<std::size_t>(k)];
    S(k, k) += problem.joints[of.joint].softness[of.row];
  }
  bounded.changed();
  for (const Product& product : driven_held)
    for_each_row_pair(problem, product, [&](const Pair& pair) {
      Coupling& of = coupling[static_cast<std::size_t>(pair.of)];
      of.value[product.place + static_cast<std::size_t>(pair.column)] = pair.value;
    });
  for (std::size_t d = 0; d < driven.size(); ++d) {
    Coupling& of = coupling[d];
    std::ranges::fill(work, 0.0);
    for (std::size_t k = 0; k < of.held.size(); ++k) work[place_of(of.held[k])] = of.value[k];
    W.forward_at(of.reach, work);
    for (std::size_t k = 0; k < of.reach.size(); ++k) {
      double& at = work[static_cast<std::size_t>(of.reach[k])];
      of.half[k] = at;
      at /= W.pivot(of.reach[k]);
    }
    for (std::size_t e = 0; e <= d; ++e) {
      const Coupling& other = coupling[e];
      double sum = 0;
      for (std::size_t k = 0; k < other.reach.size(); ++k)
        sum += other.half[k] * work[static_cast<std::size_t>(other.reach[k])];
      const auto i = static_cast<Index>(d), j = static_cast<Index>(e);
      S(i, j) -= sum;
      S(j, i) = S(i, j);
    }
  }
}

void JointIsland::solve(const Vector& u, Vector& x) {
  for (int k = 0; k < W.rows(); ++k) work[place_of(k)] = u[static_cast<std::size_t>(k)];
  W.forward(work);
  W.backward(work);
  for (int k = 0; k < W.rows(); ++k) x[static_cast<std::size_t>(k)] = work[place_of(k)];
}

void JointIsland::undo(const Vector& u, Vector& d) {
  constexpr double kHardlyAny = 0.5;
  solve(u, d);
  // What is left of u: the shift times W⁻¹ u.
  double of_left = 0, of_all = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    left[k] = shift[k] * d[k];
    of_left += left[k] * left[k];
    of_all += u[k] * u[k];
  }
  if (of_left > kHardlyAny * kHardlyAny * of_all) {
    for (std::size_t k = 0; k < u.size(); ++k) left[k] = u[k] - left[k];
    solve(left, d);
  }
  for (double& x : d) x = -x;
}

/// Velocities of the rows, and the largest residual; percussions and bounds of those with bounds.
void JointIsland::gather(const ContactProblem& problem) {
  largest = 0;
  const auto gather_rows = [&](const std::vector<Row>& rows, auto& u) {
    for (std::size_t k = 0; k < rows.size();) {
      const JointBlock& joint = problem.joints[rows[k].joint];
      const kernels::JointVector of_joint = kernels::relative_velocity(problem.bodies, joint);
      largest = std::max(largest, kernels::residual(joint, problem.bodies, of_joint));
      for (int row = 0; row < joint.rows; ++row, ++k) u[static_cast<Index>(k)] = of_joint[row];
    }
  };
  Eigen::Map<VectorXd> of_held(u_f.data(), static_cast<Index>(u_f.size()));
  gather_rows(held, of_held);
  gather_rows(driven, u_d);
  for (std::size_t k = 0; k < driven.size(); ++k) {
    const auto& [joint, row] = driven[k];
    const auto i = static_cast<Index>(k);
    least[i] = problem.joints[joint].least[row];
    most[i] = problem.joints[joint].most[row];
    r[i] = problem.joints[joint].percussion[row];
  }
}

/// A change of percussions to joints and bodies.
void JointIsland::add(ContactProblem& problem, const std::vector<Row>& rows,
                      const auto& change_of_rows) {
  for (std::size_t k = 0; k < rows.size();) {
    JointBlock& joint = problem.joints[rows[k].joint];
    kernels::JointVector d(joint.rows);
    for (int row = 0; row < joint.rows; ++row, ++k) {
      d[row] = change_of_rows(k);
      joint.percussion[row] += d[row];
    }
    kernels::add_percussion(problem.bodies, problem.free_bodies, joint, d);
  }
}

void JointIsland::relax(ContactProblem& problem) {
  gather(problem);
  if (!held.empty()) undo(u_f, d_f);
  if (!contacts.empty()) gather_contacts(problem);
  if (!driven.empty() || !contacts.empty()) {
    // What is left for the driven rows once the held ones are undone.
    q = u_d;
    q.noalias() -= bounded.matrix() * r;
    for (std::size_t d = 0; d < driven.size(); ++d)
      for (std::size_t k = 0; k < coupling[d].held.size(); ++k)
        q[static_cast<Index>(d)] +=
            coupling[d].value[k] * d_f[static_cast<std::size_t>(coupling[d].held[k])];
    start = r;
    relax_driven(problem);
    change = r - start;
    // And what that asks of the held ones, −W_ff⁻¹ (W_fd Δr_d + W_fc Δr_c).
    std::ranges::fill(work, 0.0);
    for (std::size_t d = 0; d < driven.size(); ++d)
      for (std::size_t k = 0; k < coupling[d].reach.size(); ++k)
        work[static_cast<std::size_t>(coupling[d].reach[k])] +=
            coupling[d].half[k] * change[static_cast<Index>(d)];
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const std::vector<int>& reach = bodies[contacts[c].of_body].reach;
      const double* half = &halves[contacts[c].first_half];
      for (std::size_t row = 0; row < 3; ++row)
        for (const int place : reach)
          work[static_cast<std::size_t>(place)] += *half++ * change_c[3 * c + row];
    }
    W.backward(work);
    for (int k = 0; k < W.rows(); ++k) d_f[static_cast<std::size_t>(k)] -= work[place_of(k)];
  }
  add(problem, held, [&](std::size_t k) { return d_f[k]; });
  add(problem, driven, [&](std::size_t k) { return change[static_cast<Index>(k)]; });
  add_contacts(problem);
}

}  // namespace scree
