/// Elimination of joints, island by island. Our own.
#include "scree/solvers/joint_elimination.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/methods/bounded_rows.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kUpper = -1;

/// How a body enters the rows of a joint.
struct Side {
  double sign;
  const Vec3* turn;
};
Side side_of(const JointBlock& joint, BodyIndex body) {
  return joint.a == body ? Side{-1, joint.turn_a} : Side{1, joint.turn_b};
}

/// Of a row of one joint and a row of another, over the free bodies that both have [1/kg].
double delassus(const ContactProblem& problem, const JointBlock& j, int row, const JointBlock& k,
                int other) {
  double W = 0;
  for (const BodyIndex body : {j.a, j.b}) {
    if (body >= problem.free_bodies || (body != k.a && body != k.b)) continue;
    const BodyRecord& record = problem.bodies[body];
    const Side at_j = side_of(j, body), at_k = side_of(k, body);
    W += record.inverse_mass * at_j.sign * at_k.sign * dot(j.axis[row], k.axis[other]) +
         record.inverse_inertia * dot(at_j.turn[row], at_k.turn[other]);
  }
  return W;
}

/// Calls f(joints of a body) for each free body that has some, in rising order of joints.
class JointsOfBodies {
 public:
  explicit JointsOfBodies(const ContactProblem& problem) {
    for (std::uint32_t j = 0; j < problem.joints.size(); ++j)
      for (const BodyIndex body : {problem.joints[j].a, problem.joints[j].b})
        if (body < problem.free_bodies) ends_.push_back({body, j});
    std::ranges::sort(ends_);
  }
  template <class F>
  void for_each_pair(F&& f) const {
    for (std::size_t first = 0; first < ends_.size();) {
      std::size_t end = first + 1;
      while (end < ends_.size() && ends_[end].first == ends_[first].first) ++end;
      for (std::size_t k = first; k < end; ++k)
        for (std::size_t i = first; i <= k; ++i) f(ends_[k].second, ends_[i].second);
      first = end;
    }
  }

 private:
  std::vector<std::pair<BodyIndex, std::uint32_t>> ends_;
};

}  // namespace

void JointElimination::find_islands(const ContactProblem& problem) {
  const auto joints = static_cast<std::uint32_t>(problem.joints.size());
  const JointsOfBodies of_bodies(problem);
  std::vector<std::uint32_t> root(joints);
  std::iota(root.begin(), root.end(), 0U);
  const auto root_of = [&](std::uint32_t j) {
    while (root[j] != j) j = root[j] = root[root[j]];
    return j;
  };
  of_bodies.for_each_pair([&](std::uint32_t j, std::uint32_t k) {
    const std::uint32_t one = root_of(j), other = root_of(k);
    root[std::max(one, other)] = std::min(one, other);
  });

  islands_.clear();
  std::vector<std::uint32_t> island(joints);
  for (std::uint32_t j = 0; j < joints; ++j) {
    if (root_of(j) == j) {
      island[j] = static_cast<std::uint32_t>(islands_.size());
      islands_.emplace_back();
    }
    island[j] = island[root_of(j)];
    const JointBlock& joint = problem.joints[j];
    auto& rows = joint.kind == JointBlock::Kind::held ? islands_[island[j]].held
                                                      : islands_[island[j]].driven;
    for (int row = 0; row < joint.rows; ++row) rows.push_back({j, row});
  }
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> pairs(islands_.size());
  of_bodies.for_each_pair([&](std::uint32_t j, std::uint32_t k) {
    if (problem.joints[j].kind == JointBlock::Kind::held &&
        problem.joints[k].kind == JointBlock::Kind::held)
      pairs[island[j]].push_back({j, k});
  });
  for (std::size_t i = 0; i < islands_.size(); ++i) {
    // Two joints may share both bodies.
    std::ranges::sort(pairs[i]);
    pairs[i].erase(std::unique(pairs[i].begin(), pairs[i].end()), pairs[i].end());
    for (const auto& [of, with] : pairs[i]) islands_[i].products.push_back({of, with, 0});
    lay_out(problem, islands_[i]);
  }
}

void JointElimination::lay_out(const ContactProblem& problem, Island& island) {
  const auto rows = static_cast<int>(island.held.size());
  std::vector<std::pair<std::uint32_t, int>> first;  // of each joint
  for (int k = 0; k < rows; ++k)
    if (island.held[k].row == 0) first.push_back({island.held[k].joint, k});
  const auto first_of = [&](std::uint32_t joint) {
    return std::ranges::lower_bound(first, joint, {}, [](const auto& f) { return f.first; })
        ->second;
  };
  std::vector<Eigen::Triplet<double>> entries;
  island.places.clear();
  for (Product& product : island.products) {
    product.first = static_cast<std::uint32_t>(island.places.size());
    const int of = first_of(product.of), with = first_of(product.with);
    for (int i = 0; i < problem.joints[product.of].rows; ++i)
      for (int k = 0; k < problem.joints[product.with].rows; ++k) {
        const bool lower = of + i >= with + k;
        island.places.push_back(lower ? static_cast<int>(entries.size()) : kUpper);
        if (lower) entries.emplace_back(of + i, with + k, static_cast<double>(entries.size()));
      }
  }
  island.W.resize(rows, rows);
  island.W.setFromTriplets(entries.begin(), entries.end());
  // Where each entry has come to lie.
  std::vector<int> place(entries.size());
  for (Index k = 0; k < island.W.nonZeros(); ++k)
    place[static_cast<std::size_t>(island.W.valuePtr()[k])] = static_cast<int>(k);
  for (int& p : island.places)
    if (p != kUpper) p = place[p];
  island.ldlt.analyzePattern(island.W);
  island.last_values.clear();
}

void JointElimination::fill(const ContactProblem& problem, Island& island) const {
  double* values = island.W.valuePtr();
  for (const Product& product : island.products) {
    const JointBlock &of = problem.joints[product.of], &with = problem.joints[product.with];
    const int* place = &island.places[product.first];
    for (int i = 0; i < of.rows; ++i)
      for (int k = 0; k < with.rows; ++k, ++place)
        if (*place != kUpper) values[*place] = delassus(problem, of, i, with, k);
  }
}

void JointElimination::reduce(const ContactProblem& problem, Island& island) const {
  const auto held = static_cast<Index>(island.held.size()),
             driven = static_cast<Index>(island.driven.size());
  const auto product = [&](const Row& i, const Row& k) {
    return delassus(problem, problem.joints[i.joint], i.row, problem.joints[k.joint], k.row);
  };
  island.W_fd.resize(held, driven);
  island.S.resize(driven, driven);
  for (Index k = 0; k < driven; ++k) {
    const Row& of = island.driven[k];
    for (Index i = 0; i < held; ++i) island.W_fd(i, k) = product(island.held[i], of);
    for (Index i = 0; i < driven; ++i) island.S(i, k) = product(island.driven[i], of);
  }
  // Rows of one coordinate are alike.
  for (Index k = 0; k < driven; ++k) island.S(k, k) *= 1 + kShift;
  for (Index k = 0; k < driven; ++k)
    island.S(k, k) += problem.joints[island.driven[k].joint].softness[island.driven[k].row];
  if (held == 0) return;
  island.held_by_driven = island.ldlt.solve(island.W_fd);
  island.S -= island.W_fd.transpose() * island.held_by_driven;
}

void JointElimination::prepare(const ContactProblem& problem, ThreadPool& pool) {
  std::vector<Link> links;
  links.reserve(problem.joints.size());
  for (const JointBlock& joint : problem.joints)
    links.push_back({std::min(joint.a, problem.at_rest()), std::min(joint.b, problem.at_rest()),
                     joint.rows, joint.kind});
  if (links != links_) {
    links_ = std::move(links);
    find_islands(problem);
  }
  pool.for_each_chunk(islands_.size(), [&](std::size_t k) {
    Island& island = islands_[k];
    fill(problem, island);
    const std::span<const double> values(island.W.valuePtr(),
                                         static_cast<std::size_t>(island.W.nonZeros()));
    const bool changed = !std::ranges::equal(values, island.last_values);
    if (changed && !island.held.empty()) {
      island.last_values.assign(values.begin(), values.end());
      Sparse shifted = island.W;
      island.shift = kShift * island.W.diagonal();
      for (Index row = 0; row < island.shift.size(); ++row)
        shifted.coeffRef(row, row) += island.shift[row];
      island.ldlt.factorize(shifted);
    }
    if (!island.driven.empty()) reduce(problem, island);
  });
}

/// −W⁻¹ u, but for the part of u that no percussions bring about.
VectorXd JointElimination::undone(const Island& island, const VectorXd& u) {
  VectorXd d = -island.ldlt.solve(u);
  // What is left of u: the shift times d.
  const VectorXd left = -island.shift.cwiseProduct(d);
  constexpr double kHardlyAny = 0.5;
  if (left.squaredNorm() > kHardlyAny * kHardlyAny * u.squaredNorm())
    d = -island.ldlt.solve(u - left);
  return d;
}

void JointElimination::relax(ContactProblem& problem, Island& island) const {
  const auto held = static_cast<Index>(island.held.size()),
             driven = static_cast<Index>(island.driven.size());
  VectorXd u_f(held), u_d(driven), least(driven), most(driven), r(driven);
  island.largest = 0;
  const auto gather = [&](const std::vector<Row>& rows, VectorXd& u) {
    for (std::size_t k = 0; k < rows.size();) {
      const JointBlock& joint = problem.joints[rows[k].joint];
      const kernels::JointVector of_joint = kernels::relative_velocity(problem.bodies, joint);
      island.largest = std::max(island.largest, kernels::certify(joint, problem.bodies));
      for (int row = 0; row < joint.rows; ++row, ++k) u[static_cast<Index>(k)] = of_joint[row];
    }
  };
  gather(island.held, u_f);
  gather(island.driven, u_d);

  VectorXd change_f, change_d;
  if (driven > 0) {
    for (Index k = 0; k < driven; ++k) {
      const JointBlock& joint = problem.joints[island.driven[k].joint];
      const int row = island.driven[k].row;
      least[k] = joint.least[row];
      most[k] = joint.most[row];
      r[k] = joint.percussion[row];
    }
    const VectorXd before = r;
    VectorXd q = u_d - island.S * r;
    if (held > 0) q += island.W_fd.transpose() * undone(island, u_f);
    solve_bounded(island.S, q, least, most, r);
    change_d = r - before;
  }
  if (held > 0) {
    change_f = undone(island, u_f);
    if (driven > 0) change_f -= island.held_by_driven * change_d;
  }

  const auto add = [&](const std::vector<Row>& rows, const VectorXd& change) {
    for (std::size_t k = 0; k < rows.size();) {
      JointBlock& joint = problem.joints[rows[k].joint];
      kernels::JointVector d(joint.rows);
      for (int row = 0; row < joint.rows; ++row, ++k) {
        d[row] = change[static_cast<Index>(k)];
        joint.percussion[row] += d[row];
      }
      kernels::add_percussion(problem.bodies, problem.free_bodies, joint, d);
    }
  };
  add(island.held, change_f);
  add(island.driven, change_d);
}

double JointElimination::solve(ContactProblem& problem, ThreadPool& pool) {
  pool.for_each_chunk(islands_.size(), [&](std::size_t k) { relax(problem, islands_[k]); });
  double largest = 0;
  for (const Island& island : islands_) largest = std::max(largest, island.largest);
  return largest;
}

void JointElimination::make_attainable(std::span<RowVelocities> u, ThreadPool& pool) const {
  pool.for_each_chunk(islands_.size(), [&](std::size_t i) {
    const Island& island = islands_[i];
    if (island.held.empty()) return;
    VectorXd of_rows(static_cast<Index>(island.held.size()));
    for (std::size_t k = 0; k < island.held.size(); ++k)
      of_rows[static_cast<Index>(k)] = u[island.held[k].joint][island.held[k].row];
    const VectorXd left = island.shift.cwiseProduct(island.ldlt.solve(of_rows));
    for (std::size_t k = 0; k < island.held.size(); ++k)
      u[island.held[k].joint][island.held[k].row] -= left[static_cast<Index>(k)];
  });
}

void JointElimination::respond(const ContactProblem& problem, std::span<const RowVelocities> p,
                               std::span<RowVelocities> u) const {
  for (const Island& island : islands_)
    for (std::size_t i = 0; i < island.driven.size(); ++i) {
      const auto& [joint, row] = island.driven[i];
      double sum = -problem.joints[joint].softness[row] * p[joint][row];
      for (std::size_t k = 0; k < island.driven.size(); ++k) {
        const Row& other = island.driven[k];
        sum += island.S(static_cast<Index>(i), static_cast<Index>(k)) * p[other.joint][other.row];
      }
      u[joint][row] = sum;
    }
}

void JointElimination::find_compliances(const ContactProblem& problem,
                                        std::span<RowVelocities> W) const {
  for (const Island& island : islands_)
    for (std::size_t i = 0; i < island.driven.size(); ++i) {
      const auto& [joint, row] = island.driven[i];
      const auto k = static_cast<Index>(i);
      W[joint][row] = std::max(0.0, island.S(k, k) - problem.joints[joint].softness[row]);
    }
}

void JointElimination::move(const ContactProblem& problem, std::span<const RowVelocities> u,
                            AlignedVector<Motion>& motion, ThreadPool& pool) {
  pool.for_each_chunk(islands_.size(), [&](std::size_t i) {
    const Island& island = islands_[i];
    if (island.held.empty()) return;
    VectorXd of_rows(static_cast<Index>(island.held.size()));
    for (std::size_t k = 0; k < island.held.size(); ++k)
      of_rows[static_cast<Index>(k)] = u[island.held[k].joint][island.held[k].row];
    const VectorXd p = undone(island, of_rows);
    for (std::size_t k = 0; k < island.held.size(); ++k) {
      const auto& [joint_index, row] = island.held[k];
      const JointBlock& joint = problem.joints[joint_index];
      for (const BodyIndex body : {joint.a, joint.b}) {
        if (body >= problem.free_bodies) continue;
        const Side side = side_of(joint, body);
        const BodyRecord& record = problem.bodies[body];
        const double push = p[static_cast<Index>(k)];
        motion[body].velocity += push * side.sign * record.inverse_mass * joint.axis[row];
        motion[body].spin += push * record.inverse_inertia * side.turn[row];
      }
    }
  });
}

}  // namespace scree
