/// Islands of bodies that contacts connect, and their contacts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sim/impacts/impact_contacts.hpp"

namespace scree {

inline constexpr std::uint32_t kNoIsland = 0xffffffff;

/// Finds the island of each body, phases.island. Islands consist of bodies on which contacts `act`,
/// by their indices, or that have joints. Contacts or joints connect them, whether these act or
/// not.
template <class Acts>
void find_islands(StepContext& c, Acts&& acts) {
  const ContactProblem& problem = c.scratch.problem;
  auto& island = c.scratch.phases.island;
  const ImpactContacts contacts(c.scratch.problem);
  island.assign(problem.free_bodies, kNoIsland);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!contacts.holds(k) || !acts(k)) continue;
    for (const BodyIndex i : {contacts.a(k), contacts.b(k)})
      if (i < problem.free_bodies) island[i] = i;
  }
  const auto for_each_free_side = [&](const JointBlock& joint, auto&& f) {
    joint.for_each_side([&](const JointBlock::Side& side) {
      if (side.body < problem.free_bodies) f(side.body);
    });
  };
  for (const JointBlock& joint : problem.joints)
    for_each_free_side(joint, [&](BodyIndex i) { island[i] = i; });
  const auto root = [&](BodyIndex i) {
    while (island[i] != i) i = island[i] = island[island[i]];
    return i;
  };
  const auto moves = [&](BodyIndex i) { return i < problem.free_bodies && island[i] != kNoIsland; };
  const auto join = [&](BodyIndex a, BodyIndex b) {
    const BodyIndex one = root(a), two = root(b);
    island[std::max(one, two)] = std::min(one, two);
  };
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (contacts.holds(k) && moves(contacts.a(k)) && moves(contacts.b(k)))
      join(contacts.a(k), contacts.b(k));
  for (const JointBlock& joint : problem.joints) {
    BodyIndex last = problem.free_bodies;
    for_each_free_side(joint, [&](BodyIndex i) {
      if (last < problem.free_bodies) join(last, i);
      last = i;
    });
  }
  for (BodyIndex i = 0; i < problem.free_bodies; ++i)
    if (moves(i)) island[i] = root(i);
}

/// Calls f(island, indices of contacts of its bodies) for each island of find_islands.
template <class F>
void for_each_island(StepContext& c, F&& f) {
  ImpactPhases& phases = c.scratch.phases;
  const ImpactContacts contacts(c.scratch.problem);
  const auto island_of = [&](BodyIndex i) {
    return i < phases.island.size() ? phases.island[i] : kNoIsland;
  };
  auto& order = phases.order;
  order.clear();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!contacts.holds(k)) continue;
    const std::uint32_t island = std::min(island_of(contacts.a(k)), island_of(contacts.b(k)));
    if (island != kNoIsland) order.push_back({island, static_cast<std::uint32_t>(k)});
  }
  radix_sort(order, phases.buffer);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const std::uint64_t island = order[begin].key;
    while (end < order.size() && order[end].key == island) ++end;
    f(island, std::span<const SortItem>(order).subspan(begin, end - begin));
  }
}

}  // namespace scree
