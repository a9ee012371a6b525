/// Elimination of joints, island by island. Our own.
#include "scree/solvers/joint_elimination.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/methods/joint_island.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Vector = std::vector<double>;

using Side = JointBlock::Side;

/// Calls f(joints of a body) for each free body that has some, in rising order of joints.
class JointsOfBodies {
 public:
  explicit JointsOfBodies(const ContactProblem& problem) {
    for (std::uint32_t j = 0; j < problem.joints.size(); ++j)
      problem.joints[j].for_each_side([&](const Side& side) {
        if (side.body < problem.free_bodies) ends_.push_back({side.body, j});
      });
    std::ranges::sort(ends_);
    // A gear may have a body twice.
    ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
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

struct JointElimination::Island : JointIsland {
  /// Of the first island alone: of each free body its island and its place among the bodies there.
  struct Place {
    std::uint32_t island = kNowhere, of_body = 0;
  };
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  std::vector<Place> place_of_body;
};

JointElimination::JointElimination() = default;
JointElimination::~JointElimination() = default;
JointElimination::JointElimination(JointElimination&&) noexcept = default;
JointElimination& JointElimination::operator=(JointElimination&&) noexcept = default;

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
  std::vector<std::uint32_t> island(joints), first(joints);
  const auto is_held = [&](std::uint32_t j) {
    return problem.joints[j].kind == JointBlock::Kind::held;
  };
  for (std::uint32_t j = 0; j < joints; ++j) {
    if (root_of(j) == j) {
      island[j] = static_cast<std::uint32_t>(islands_.size());
      islands_.push_back(std::make_unique<Island>());
    }
    island[j] = island[root_of(j)];
    auto& rows = is_held(j) ? islands_[island[j]]->held : islands_[island[j]]->driven;
    first[j] = static_cast<std::uint32_t>(rows.size());
    for (int row = 0; row < problem.joints[j].rows; ++row) rows.push_back({j, row});
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  of_bodies.for_each_pair([&](std::uint32_t j, std::uint32_t k) { pairs.push_back({j, k}); });
  // Two joints may share both bodies.
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [j, k] : pairs) {
    Island& of = *islands_[island[j]];
    const Island::Product product{j, k, first[j], first[k]};
    if (is_held(j) && is_held(k))
      of.held_held.push_back(product);
    else if (!is_held(j) && !is_held(k))
      of.driven_driven.push_back(product);
    else if (is_held(k))
      of.driven_held.push_back(product);
    else
      of.driven_held.push_back({k, j, first[k], first[j]});
  }
  if (islands_.empty()) return;
  auto& places = islands_.front()->place_of_body;
  places.assign(problem.free_bodies, {});
  for (std::uint32_t j = 0; j < joints; ++j)
    problem.joints[j].for_each_side([&](const Side& side) {
      if (side.body >= problem.free_bodies) return;
      Island& of = *islands_[island[j]];
      Island::Place& place = places[side.body];
      if (place.island == Island::kNowhere) {
        place = {island[j], static_cast<std::uint32_t>(of.bodies.size())};
        of.bodies.push_back({side.body, {}, {}, {}});
      }
      auto& body = of.bodies[place.of_body];
      auto& rows = is_held(j) ? body.held : body.driven;
      const JointIsland::Row row{j, static_cast<int>(first[j])};
      if (rows.empty() || rows.back().joint != j) rows.push_back(row);
    });
  for (const auto& of : islands_) of->lay_out(problem);
}

/// Contacts between one of their bodies and what does not move, to the islands.
template <class Islands>
void share_out_contacts(const ContactProblem& problem, Islands& islands) {
  if (islands.empty()) return;
  for (const auto& island : islands) island->clear_contacts();
  const auto& places = islands.front()->place_of_body;
  for (std::uint32_t b = 0; b < problem.full.size(); ++b) {
    const FullBlock& block = problem.full[b];
    if (block.turning != FullBlock::kNone) continue;
    for (int lane = 0; lane < kBlock; ++lane) {
      const BodyIndex one = block.a[lane], other = block.b[lane];
      if ((one < problem.free_bodies) == (other < problem.free_bodies)) continue;
      const BodyIndex body = std::min(one, other);
      // Bodies without joints are on no island.
      if (body >= places.size() || places[body].island >= islands.size()) continue;
      islands[places[body].island]->add_contact(problem, b, lane, places[body].of_body);
    }
  }
}

void JointElimination::prepare(const ContactProblem& problem, ThreadPool& pool) {
  if (problem.joints_stamp != 0 && problem.joints_stamp == stamp_) return;
  stamp_ = problem.joints_stamp;
  links_now_.clear();
  for (const JointBlock& joint : problem.joints) {
    Link& link = links_now_.emplace_back(Link{{}, joint.rows, joint.kind});
    link.bodies.fill(problem.at_rest());
    std::size_t sides = 0;
    joint.for_each_side(
        [&](const Side& side) { link.bodies[sides++] = std::min(side.body, problem.at_rest()); });
  }
  if (links_now_ != links_) {
    std::swap(links_, links_now_);
    find_islands(problem);
  }
  share_out_contacts(problem, islands_);
  pool.for_each_chunk(islands_.size(), [&](std::size_t k) {
    Island& island = *islands_[k];
    if (!island.held.empty()) island.fill(problem);
    if (!island.driven.empty()) island.reduce(problem);
    island.reduce_contacts(problem);
  });
}

double JointElimination::solve(ContactProblem& problem, ThreadPool& pool) {
  pool.for_each_chunk(islands_.size(), [&](std::size_t k) { islands_[k]->relax(problem); });
  double largest = 0;
  for (const auto& island : islands_) largest = std::max(largest, island->largest);
  return largest;
}

void JointElimination::make_attainable(std::span<RowVelocities> u, ThreadPool& pool) const {
  pool.for_each_chunk(islands_.size(), [&](std::size_t i) {
    Island& island = *islands_[i];
    for (std::size_t k = 0; k < island.held.size(); ++k)
      island.u_f[k] = u[island.held[k].joint][static_cast<std::size_t>(island.held[k].row)];
    island.solve(island.u_f, island.d_f);
    for (std::size_t k = 0; k < island.held.size(); ++k)
      u[island.held[k].joint][static_cast<std::size_t>(island.held[k].row)] -=
          island.shift[k] * island.d_f[k];
  });
}

void JointElimination::respond(const ContactProblem& problem, std::span<const RowVelocities> p,
                               std::span<RowVelocities> u) const {
  for (const auto& island : islands_) {
    const auto& driven = island->driven;
    for (std::size_t i = 0; i < driven.size(); ++i) {
      const auto& [joint, row] = driven[i];
      double sum = -problem.joints[joint].softness[row] * p[joint][row];
      for (std::size_t k = 0; k < driven.size(); ++k)
        sum += island->bounded.matrix()(static_cast<Index>(i), static_cast<Index>(k)) *
               p[driven[k].joint][driven[k].row];
      u[joint][row] = sum;
    }
  }
}

void JointElimination::find_compliances(const ContactProblem& problem,
                                        std::span<RowVelocities> W) const {
  for (const auto& island : islands_)
    for (std::size_t i = 0; i < island->driven.size(); ++i) {
      const auto& [joint, row] = island->driven[i];
      const auto k = static_cast<Index>(i);
      W[joint][row] =
          std::max(0.0, island->bounded.matrix()(k, k) - problem.joints[joint].softness[row]);
    }
}

void JointElimination::move(const ContactProblem& problem, std::span<const RowVelocities> u,
                            AlignedVector<Motion>& motion, ThreadPool& pool) {
  pool.for_each_chunk(islands_.size(), [&](std::size_t i) {
    Island& island = *islands_[i];
    for (std::size_t k = 0; k < island.held.size(); ++k)
      island.u_f[k] = u[island.held[k].joint][static_cast<std::size_t>(island.held[k].row)];
    island.undo(island.u_f, island.d_f);
    for (std::size_t k = 0; k < island.held.size(); ++k) {
      const auto& [joint, row] = island.held[k];
      const double push = island.d_f[k];
      problem.joints[joint].for_each_side([&, row = row](const Side& side) {
        if (side.body >= problem.free_bodies) return;
        const BodyRecord& body = problem.bodies[side.body];
        Motion& moved = motion[side.body];
        moved.velocity +=
            push * side.sign * body.inverse_mass * without(side.axis[row], side.locked);
        moved.spin += push * body.inverse_inertia * side.turn[row];
      });
    }
  });
}

}  // namespace scree
