/// Sets of bodies that joints and contacts connect. Our own.
#include "solvers/methods/touching_sets.hpp"

#include <algorithm>
#include <numeric>

namespace scree {
namespace {

/// Calls f(block number, lane, a, b) for each contact of a list of blocks.
template <class Blocks, class F>
void for_each_contact(const ContactProblem& problem, const Blocks& blocks, F&& f) {
  for (std::uint32_t block = 0; block < blocks.size(); ++block)
    for (int lane = 0; lane < kBlock; ++lane)
      if (holds_contact(blocks[block], static_cast<std::size_t>(lane), problem.at_rest()))
        f(block, lane, blocks[block].a[lane], blocks[block].b[lane]);
}

}  // namespace

void TouchingSets::find(const ContactProblem& problem, std::size_t max_contacts) {
  guests_.clear();
  any_ = any_joint_touches(problem);
  if (!any_) return;
  connect(problem);
  judge(problem, max_contacts);
  find_guests(problem);
}

/// True if a body with a joint touches a free body.
bool TouchingSets::any_joint_touches(const ContactProblem& problem) {
  marks_.assign(problem.free_bodies, 0);
  for (const JointBlock& joint : problem.joints)
    joint.for_each_side([&](const JointBlock::Side& side) {
      if (side.body < problem.free_bodies) marks_[side.body] = kJointed;
    });
  const auto is_jointed = [&](BodyIndex i) { return i < problem.free_bodies && marks_[i] != 0; };
  for (const ContactBlock& block : problem.contact_blocks)
    for (int lane = 0; lane < kBlock; ++lane) {
      const BodyIndex a = block.a[lane], b = block.b[lane];
      if (a < problem.free_bodies && b < problem.free_bodies && (is_jointed(a) || is_jointed(b)))
        return true;
    }
  return false;
}

std::uint32_t TouchingSets::root_of(BodyIndex body) {
  while (set_[body] != body) body = set_[body] = set_[set_[body]];
  return body;
}

void TouchingSets::join(BodyIndex one, BodyIndex other) {
  const std::uint32_t first = root_of(one), second = root_of(other);
  set_[std::max(first, second)] = std::min(first, second);
}

void TouchingSets::connect(const ContactProblem& problem) {
  const BodyIndex free_bodies = problem.free_bodies;
  set_.resize(free_bodies);
  std::iota(set_.begin(), set_.end(), 0U);
  for (const JointBlock& joint : problem.joints) {
    BodyIndex first = free_bodies;
    joint.for_each_side([&](const JointBlock::Side& side) {
      if (side.body >= free_bodies) return;
      if (first < free_bodies) join(first, side.body);
      first = side.body;
    });
  }
  by_joints_.resize(free_bodies);
  for (BodyIndex i = 0; i < free_bodies; ++i) by_joints_[i] = root_of(i);
  const auto join_pair = [&](std::uint32_t, int, BodyIndex a, BodyIndex b) {
    if (a < free_bodies && b < free_bodies) join(a, b);
  };
  for_each_contact(problem, problem.blocks, join_pair);
  for_each_contact(problem, problem.contact_blocks, join_pair);
  for (BodyIndex i = 0; i < free_bodies; ++i) set_[i] = root_of(i);
}

void TouchingSets::judge(const ContactProblem& problem, std::size_t max_contacts) {
  const BodyIndex free_bodies = problem.free_bodies;
  counts_.assign(free_bodies, {});
  const auto count_of = [&](BodyIndex a, BodyIndex b) -> Count& {
    return counts_[set_[std::min(a, b)]];
  };
  for_each_contact(problem, problem.blocks, [&](std::uint32_t, int, BodyIndex a, BodyIndex b) {
    count_of(a, b).has_others = true;
  });
  for_each_contact(
      problem, problem.contact_blocks, [&](std::uint32_t block, int, BodyIndex a, BodyIndex b) {
        Count& count = count_of(a, b);
        ++count.contacts;
        count.has_pair = count.has_pair || (a < free_bodies && b < free_bodies);
        count.has_others =
            count.has_others || problem.contact_blocks[block].rolling != ContactBlock::kNone;
      });
  for (BodyIndex i = 0; i < free_bodies; ++i) {
    Count& count = counts_[set_[i]];
    count.has_joint = count.has_joint || marks_[i] != 0;
    if (count.first == kNone) count.first = by_joints_[i];
    count.merges = count.merges || count.first != by_joints_[i];
  }
  for (BodyIndex i = 0; i < free_bodies; ++i) {
    const Count& count = counts_[set_[i]];
    const bool is_one =
        count.has_joint && count.has_pair && !count.has_others && count.contacts <= max_contacts;
    if (is_one) marks_[i] |= kOfSet;
  }
  for (BodyIndex i = 0; i < free_bodies; ++i)
    if ((marks_[i] & kOfSet) == 0) set_[i] = kNone;
}

void TouchingSets::find_guests(const ContactProblem& problem) {
  for_each_contact(
      problem, problem.contact_blocks,
      [&](std::uint32_t block, int lane, BodyIndex a, BodyIndex b) {
        const std::size_t slot = std::size_t{kBlock} * block + static_cast<std::size_t>(lane);
        const std::uint64_t key = problem.contact_keys.empty() ? slot : problem.contact_keys[slot];
        for (const BodyIndex i : {a, b})
          if (i < problem.free_bodies && marks_[i] == kOfSet) guests_.push_back({key, i, set_[i]});
      });
  std::ranges::sort(guests_, {}, &UnjointedMember::body);
  std::size_t count = 0;
  for (const UnjointedMember& guest : guests_) {
    if (count > 0 && guests_[count - 1].body == guest.body)
      guests_[count - 1].key += guest.key;
    else
      guests_[count++] = guest;
  }
  guests_.resize(count);
  std::ranges::sort(guests_, {}, &UnjointedMember::key);
}

}  // namespace scree
