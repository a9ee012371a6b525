/// What pairs remember of the step that is done.
#include <algorithm>

#include "scree/core/decimal.hpp"
#include "sim/stages/look_ahead.hpp"
#include "solvers/kernels/turning_blocks.hpp"

namespace scree {
namespace {

void forget(Neighbours& neighbours, Neighbours::Places places) {
  for (auto [place, end] = places; place < end; ++place) {
    neighbours.percussion[place] = {};
    if (!neighbours.angular_percussion.empty()) neighbours.angular_percussion[place] = {};
    if (!neighbours.feature.empty()) neighbours.feature[place] = Neighbours::kNoFeature;
  }
}

void keep_spheres(const Scratch& s, Neighbours& neighbours, std::size_t pair, std::uint32_t slot) {
  const DiagonalBlock& block = s.problem.blocks[slot / kBlock];
  const std::uint32_t lane = slot % kBlock;
  const std::size_t place = neighbours.places(pair).begin;
  neighbours.percussion[place] =
      Vec3{block.percussion[0][lane], block.percussion[1][lane], block.percussion[2][lane]} -
      s.phases.percussion_of_impact(slot);
  if (!neighbours.angular_percussion.empty()) neighbours.angular_percussion[place] = {};
  if (!neighbours.feature.empty()) neighbours.feature[place] = 0;
}

/// In the inertial frame, less that of an impact. Of its block the axes and the percussion alone
/// are looked at.
Vec3 percussion_of(const Scratch& s, std::uint32_t block, std::uint32_t lane) {
  const FullBlock& of = s.problem.full[block];
  const std::size_t spheres = kBlock * s.problem.blocks.size();
  const auto vector = [lane](const double(&v)[3][kBlock]) {
    return Vec3{v[0][lane], v[1][lane], v[2][lane]};
  };
  const Vec3 r =
      vector(of.percussion) - s.phases.percussion_of_impact(spheres + block * kBlock + lane);
  return r.x * vector(of.axis[0]) + r.y * vector(of.axis[1]) + r.z * vector(of.axis[2]);
}

/// Of the points of the pairs of a stack, those that have a place; what the pairs remembered beyond
/// them is forgotten.
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
      if (!neighbours.angular_percussion.empty())
        neighbours.angular_percussion[kept] =
            kernels::angular_percussion(s.problem, s.problem.full[block], static_cast<int>(lane));
      neighbours.percussion[kept] = percussion_of(s, block, lane);
    }
    forget(neighbours, {kept, end});
  }
}

}  // namespace

void keep_percussions(StepContext& c) {
  const Scratch& s = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  c.pool.for_each_range(s.slot.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const std::uint32_t slot = s.slot[p];
      if (Scratch::is_force(slot)) {
        // It has none, and PositionCorrection has borrowed its place.
        for (auto [place, last] = neighbours.places(p); place < last; ++place)
          neighbours.percussion[place] = {};
      } else if (slot == Scratch::kNoContact) {
        if (!sleeps(c, neighbours.pairs[p])) forget(neighbours, neighbours.places(p));
      } else if (!(slot & Scratch::kFull)) {
        keep_spheres(s, neighbours, p, slot);
      }
    }
  });
  // As the blocks lie: each is read once.
  const LookAhead look_ahead(c);
  c.pool.for_each_range(s.stacks.size(), 128, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) keep_stack(s, neighbours, s.stacks[k], look_ahead);
  });
}

void store(StepContext& c) {
  // Of soft spheres no pair has a percussion, nor a point to tell from others.
  if (c.scratch.forces.any_rigid || !c.scratch.all_spheres) keep_percussions(c);
  keep_joints(c);
  ++c.state.step;
  // Not a sum of steps, which would drift.
  c.state.time = decimal_multiple(c.state.step, c.model.step.h);
  c.report.step = c.state.step;
  c.report.time = c.state.time;
}

}  // namespace scree
