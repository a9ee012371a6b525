/// Memories of pairs from the finished step.
#include "sim/contacts/store.hpp"

#include <algorithm>
#include <utility>

#include "scree/core/decimal.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/joints/joints.hpp"
#include "sim/neighbours/look_ahead.hpp"
#include "sim/sleep/sleep.hpp"
#include "solvers/kernels/rolling_blocks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

void forget(Neighbours& neighbours, Neighbours::Places slots) {
  for (auto [slot, end] = slots; slot < end; ++slot) {
    neighbours.impulse[slot] = {};
    if (!neighbours.angular_impulse.empty()) neighbours.angular_impulse[slot] = {};
    if (!neighbours.feature.empty()) neighbours.feature[slot] = Neighbours::kNoFeature;
  }
}

void keep_spheres(const Scratch& s, Neighbours& neighbours, std::size_t pair, std::uint32_t slot) {
  const SphereContactBlock& block = s.problem.blocks[slot / kBlock];
  const std::uint32_t lane = slot % kBlock;
  const std::size_t memory_slot = neighbours.places(pair).begin;
  neighbours.impulse[memory_slot] =
      Vec3{block.impulse[0][lane], block.impulse[1][lane], block.impulse[2][lane]} -
      s.phases.impulse_of_impact(slot);
  if (!neighbours.angular_impulse.empty()) neighbours.angular_impulse[memory_slot] = {};
  if (!neighbours.feature.empty()) neighbours.feature[memory_slot] = 0;
}

/// Impulse in the inertial frame, without that of an impact. Reads only the axes and the impulse of
/// its block.
Vec3 impulse_of(const Scratch& s, std::uint32_t block, std::uint32_t lane) {
  const ContactBlock& of = s.problem.contact_blocks[block];
  const std::size_t spheres = kBlock * s.problem.blocks.size();
  const auto vector = [lane](const double(&v)[3][kBlock]) {
    return Vec3{v[0][lane], v[1][lane], v[2][lane]};
  };
  const Vec3 r = vector(of.impulse) - s.phases.impulse_of_impact(spheres + block * kBlock + lane);
  return r.x * vector(of.axis[0]) + r.y * vector(of.axis[1]) + r.z * vector(of.axis[2]);
}

/// Memories of the pairs of the list.
struct Memory {
  AlignedVector<std::uint32_t> first_place, feature;
  AlignedVector<Vec3> impulse, angular_impulse;
};
Memory taken_out(Neighbours& list) {
  return {list.first_place, std::exchange(list.feature, {}), std::exchange(list.impulse, {}),
          std::exchange(list.angular_impulse, {})};
}

/// Counts the slots of pairs: one for each point of this step, without a ball about the centre of a
/// fast body beyond the maximum; sleeping pairs keep those `before`.
void count_slots(StepContext& c, const Memory& before) {
  const Scratch& s = c.scratch;
  Neighbours& list = c.state.neighbours;
  const std::size_t pairs = list.pairs.size();
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::uint32_t slot = s.slot[p];
    if (slot != Scratch::kNoContact)
      list.first_place[p] = slot & Scratch::kFull ? 0 : 1;
    else
      list.first_place[p] = c.model.step.sleep && sleeps(c, list.pairs[p])
                                ? before.first_place[p + 1] - before.first_place[p]
                                : 0;
  }
  for (const SortItem& item : s.order) {
    const Scratch::FullPair& pair = s.full_pair(item);
    list.first_place[pair.pair] =
        std::min(pair.count, max_manifold_points(c.model, c.state.bodies, list.pairs[pair.pair]));
  }
  list.first_place[pairs] = 0;
  std::uint32_t slots = 0;
  for (std::uint32_t& first : list.first_place) slots += std::exchange(first, slots);
}

/// Makes empty slots for the points of this step, and keeps those of sleeping pairs.
void make_slots(StepContext& c) {
  const Scratch& s = c.scratch;
  Neighbours& list = c.state.neighbours;
  const bool sleep = c.model.step.sleep;
  const Memory before = sleep ? taken_out(list) : Memory{};
  count_slots(c, before);
  const std::size_t slots = list.first_place.back();
  resize_anew(list.feature, slots);
  // PositionCorrection uses this array as its buffer.
  const std::size_t workspace = PositionCorrection::workspace_vectors(s.problem);
  if (std::max(slots, workspace) > list.impulse.capacity())
    AlignedVector<Vec3>().swap(list.impulse);
  reserve_tightly(list.impulse, std::max(slots, workspace));
  list.impulse.resize(slots);
  if (s.any_rolling) resize_anew(list.angular_impulse, slots);
  if (!sleep) return;
  for (std::size_t p = 0; p < list.pairs.size(); ++p) {
    if (s.slot[p] != Scratch::kNoContact) continue;
    std::size_t from = before.first_place[p];
    for (auto [to, end] = list.places(p); to < end; ++to, ++from) {
      list.feature[to] = before.feature[from];
      list.impulse[to] = before.impulse[from];
      if (s.any_rolling) list.angular_impulse[to] = before.angular_impulse[from];
    }
  }
}

/// Stores the points of a stack's pairs that have a slot, and drops further memories of the pairs.
void keep_stack(const Scratch& s, Neighbours& neighbours, const Scratch::Stack& stack,
                const LookAhead& look_ahead) {
  for (std::uint32_t lane = 0; lane < stack.lanes; ++lane) {
    look_ahead.from_kept(stack.first + lane);
    const Scratch::FullPair& pair = s.full_pair(s.order[stack.first + lane]);
    auto [kept, end] = neighbours.places(pair.pair);
    const std::uint32_t last =
        stack.block + std::min(pair.count, static_cast<std::uint32_t>(end - kept));
    for (std::uint32_t block = stack.block; block < last; ++block, ++kept) {
      if (!neighbours.feature.empty())
        neighbours.feature[kept] = s.full_point(block * kBlock + lane).feature;
      if (!neighbours.angular_impulse.empty())
        neighbours.angular_impulse[kept] = kernels::angular_impulse(
            s.problem, s.problem.contact_blocks[block], static_cast<int>(lane));
      neighbours.impulse[kept] = impulse_of(s, block, lane);
    }
    forget(neighbours, {kept, end});
  }
}

}  // namespace

void keep_impulses(StepContext& c) {
  const Scratch& s = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  const bool anew = !neighbours.first_place.empty() && !s.forces.any;
  if (anew) make_slots(c);
  c.pool.for_each_range(
      s.slot.size(), kStoredPairsPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
          const std::uint32_t slot = s.slot[p];
          if (Scratch::is_force(slot)) {
            // The pair has no contact, and PositionCorrection has used its slots as a buffer.
            for (auto [memory_slot, last] = neighbours.places(p); memory_slot < last; ++memory_slot)
              neighbours.impulse[memory_slot] = {};
          } else if (slot == Scratch::kNoContact) {
            if (!anew && !sleeps(c, neighbours.pairs[p])) forget(neighbours, neighbours.places(p));
          } else if (!(slot & Scratch::kFull)) {
            keep_spheres(s, neighbours, p, slot);
          }
        }
      });
  // Reads blocks in storage order: each once.
  const LookAhead look_ahead(c);
  c.pool.for_each_range(s.stacks.size(), kStoredStacksPerTask,
                        [&](std::size_t begin, std::size_t end) {
                          for (std::size_t k = begin; k < end; ++k)
                            keep_stack(s, neighbours, s.stacks[k], look_ahead);
                        });
}

void store(StepContext& c) {
  // Pairs of soft spheres have neither impulses nor features.
  if (c.scratch.forces.any_rigid || !c.scratch.all_spheres) keep_impulses(c);
  keep_joints(c);
  ++c.state.step;
  // Computed from the step number: a sum would drift.
  c.state.time = decimal_multiple(c.state.step, c.model.step.h);
  c.report.step = c.state.step;
  c.report.time = c.state.time;
}

}  // namespace scree
