/// Islands of joints: which joints, bodies and contacts belong to each, and loops over them. Our
/// own.
#include "scree/solvers/joint_elimination.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/methods/joint_island.hpp"
#include "solvers/methods/touching_sets.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using Side = JointBlock::Side;

/// List of the joints of each free body; for_each_pair() calls f(joint, joint) for each pair of
/// joints of one body, a joint and itself included, in rising order.
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

JointElimination::JointElimination() : sets_(std::make_unique<TouchingSets>()) {}
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
  // Joints of one set of touching bodies are one island.
  std::vector<std::uint32_t> first_of_set(problem.free_bodies, joints);
  for (std::uint32_t j = 0; j < joints; ++j) {
    if (links_[j].set == TouchingSets::kNone) continue;
    std::uint32_t& first = first_of_set[links_[j].set];
    if (first == joints) first = j;
    const std::uint32_t one = root_of(j), other = root_of(first);
    root[std::max(one, other)] = std::min(one, other);
  }

  islands_.clear();
  std::vector<std::uint32_t> island(joints);
  std::vector<JointIsland::Member> members(joints);
  for (std::uint32_t j = 0; j < joints; ++j) {
    if (root_of(j) == j) {
      island[j] = static_cast<std::uint32_t>(islands_.size());
      islands_.push_back(std::make_unique<JointIsland>());
    }
    island[j] = island[root_of(j)];
    members[j] = islands_[island[j]]->add_joint(problem, j);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  of_bodies.for_each_pair([&](std::uint32_t j, std::uint32_t k) { pairs.push_back({j, k}); });
  // Two joints may share both bodies.
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [j, k] : pairs) islands_[island[j]]->add_pair(problem, members[j], members[k]);

  slots_.assign(problem.free_bodies, {});
  std::vector<std::uint32_t> last_joint(problem.free_bodies, joints);
  for (std::uint32_t j = 0; j < joints; ++j)
    problem.joints[j].for_each_side([&](const Side& side) {
      if (side.body >= problem.free_bodies || last_joint[side.body] == j) return;
      last_joint[side.body] = j;
      JointIsland& of = *islands_[island[j]];
      BodySlot& slot = slots_[side.body];
      if (slot.island == kNowhere) slot = {island[j], of.add_body(side.body)};
      of.add_joint_of_body(problem, slot.of_body, members[j]);
    });
  // Links after those of joints are bodies without joints.
  for (std::size_t k = joints; k < links_.size(); ++k) {
    const BodyIndex body = links_[k].bodies[0];
    const std::uint32_t of = island[first_of_set[links_[k].set]];
    slots_[body] = {of, islands_[of]->add_body(body)};
  }
  for (const auto& of : islands_) of->lay_out(problem);
}

void JointElimination::assign_contacts(const ContactProblem& problem) {
  if (islands_.empty()) return;
  for (const auto& island : islands_) island->clear_contacts();
  for (std::uint32_t b = 0; b < problem.contact_blocks.size(); ++b) {
    const ContactBlock& block = problem.contact_blocks[b];
    if (block.rolling != ContactBlock::kNone) continue;
    for (int lane = 0; lane < kBlock; ++lane) {
      const BodyIndex one = std::min(block.a[lane], block.b[lane]),
                      other = std::max(block.a[lane], block.b[lane]);
      // Only bodies with joints, and those of sets, are in an island; newer bodies have no slot.
      if (one >= problem.free_bodies || one >= slots_.size() || slots_[one].island == kNowhere)
        continue;
      JointIsland& island = *islands_[slots_[one].island];
      if (other >= problem.free_bodies)
        island.add_contact(problem, b, lane, slots_[one].of_body);
      else if (sets_->set_of(one) != TouchingSets::kNone)
        island.add_contact(problem, b, lane, slots_[one].of_body, slots_[other].of_body);
    }
  }
}

void JointElimination::find_links(const ContactProblem& problem) {
  links_now_.clear();
  for (const JointBlock& joint : problem.joints) {
    Link& link = links_now_.emplace_back(Link{{}, joint.rows, joint.kind, TouchingSets::kNone});
    link.bodies.fill(JointBlock::kNobody);
    std::size_t sides = 0;
    // The index of a fixed obstacle depends on the number of bodies: it is left out of the link.
    joint.for_each_side([&](const Side& side) {
      if (side.body < problem.free_bodies) {
        link.bodies[sides] = side.body;
        link.set = sets_->merged_set_of(side.body);
      }
      ++sides;
    });
  }
  for (const TouchingSets::UnjointedMember& guest : sets_->guests()) {
    Link& link = links_now_.emplace_back(Link{{}, 0, JointBlock::Kind::held, guest.set});
    link.bodies.fill(JointBlock::kNobody);
    link.bodies[0] = guest.body;
  }
}

void JointElimination::prepare(const ContactProblem& problem, ThreadPool& pool,
                               FunctionRef<void(std::size_t)> then) {
  if (problem.joints_stamp != 0 && problem.joints_stamp == stamp_) return;
  stamp_ = problem.joints_stamp;
  sets_->find(problem, kMaxIslandContacts);
  find_links(problem);
  if (links_now_ != links_) {
    std::swap(links_, links_now_);
    find_islands(problem);
  }
  assign_contacts(problem);
  const kernels::DenseKernels& dense = kernels::kernels_of(pool.instruction_set()).dense;
  pool.for_each_chunk(islands_.size(), [&](std::size_t k) {
    islands_[k]->prepare(problem, dense);
    then(k);
  });
}

double JointElimination::solve(ContactProblem& problem, ThreadPool& pool, double allowed) {
  // Each island's share of the tolerance: squared residuals of islands add up.
  const double of_each = allowed / std::sqrt(static_cast<double>(islands_.size()));
  pool.for_each_chunk(islands_.size(),
                      [&](std::size_t k) { islands_[k]->relax(problem, of_each); });
  double largest = 0;
  for (const auto& island : islands_) largest = std::max(largest, island->largest_residual());
  return largest;
}

void JointElimination::solve_rows(ContactProblem& problem, ThreadPool& pool) {
  pool.for_each_chunk(islands_.size(), [&](std::size_t k) { islands_[k]->relax_rows(problem); });
}

bool JointElimination::has_all(const ContactProblem& problem) const {
  std::size_t contacts = 0;
  for (const auto& island : islands_) contacts += island->contacts();
  return contacts == problem.contacts && problem.rolling.empty();
}

void JointElimination::make_attainable(std::size_t island, std::span<RowVelocities> u) const {
  islands_[island]->make_attainable(u);
}

void JointElimination::respond(const ContactProblem& problem, std::span<const RowVelocities> p,
                               std::span<RowVelocities> u) const {
  for (const auto& island : islands_) island->respond(problem, p, u);
}

void JointElimination::find_compliances(std::size_t island, const ContactProblem& problem,
                                        std::span<RowVelocities> W) const {
  islands_[island]->find_compliances(problem, W);
}

std::span<const std::uint32_t> JointElimination::joints_of(std::size_t island) const {
  return islands_[island]->joints();
}

std::span<const BodyIndex> JointElimination::bodies_of(std::size_t island) const {
  return islands_[island]->free_bodies();
}

JointElimination::BodySlot JointElimination::slot_of(BodyIndex body) const {
  return body < slots_.size() ? slots_[body] : BodySlot{};
}

bool JointElimination::are_connected(BodyIndex one, BodyIndex other) const {
  const std::uint32_t island = slot_of(one).island;
  return island != kNowhere && island == slot_of(other).island;
}

void JointElimination::find_mobility(const ContactProblem& problem, BodyIndex from, BodyIndex to,
                                     Mobility& mobility) const {
  mobility = {};
  if (from == to) {
    const BodyRecord& alone = problem.bodies[from];
    for (std::size_t axis = 0; axis < 6; ++axis)
      mobility[axis][axis] = axis < 3 ? alone.inverse_mass : alone.inverse_inertia;
  }
  if (!are_connected(from, to)) return;
  const BodySlot one = slot_of(from), other = slot_of(to);
  if (from == to)
    islands_[one.island]->add_mobility_by_joints(problem, one.of_body, mobility);
  else
    islands_[one.island]->add_mobility_by_joints(problem, one.of_body, other.of_body, mobility);
}

void JointElimination::move(const ContactProblem& problem, std::span<const RowVelocities> u,
                            AlignedVector<Motion>& motion, ThreadPool& pool) {
  pool.for_each_chunk(islands_.size(),
                      [&](std::size_t k) { islands_[k]->move(problem, u, motion); });
}

}  // namespace scree
