/// What pairs remember of the step that is done.
#include "scree/core/decimal.hpp"
#include "sim/step.hpp"
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

/// Of the points of a pair, from its place in problem.full; what the pair remembered beyond them is
/// forgotten.
void keep_full(const Scratch& s, Neighbours& neighbours, std::size_t pair, std::uint32_t place) {
  const std::size_t spheres = kBlock * s.problem.blocks.size();
  auto [kept, end] = neighbours.places(pair);
  const std::uint32_t lane = place % kBlock;
  std::uint32_t block = place / kBlock;
  for (std::uint32_t height = s.problem.full[block].stack; height > 0; --height, ++block) {
    if (!holds_contact(s.problem.full[block], lane, s.problem.at_rest())) break;
    const FullContact contact = s.problem.full[block].contact(static_cast<int>(lane));
    if (!neighbours.feature.empty())
      neighbours.feature[kept] = s.full_places[block * kBlock + lane].feature;
    if (!neighbours.angular_percussion.empty())
      neighbours.angular_percussion[kept] =
          kernels::angular_percussion(s.problem, s.problem.full[block], static_cast<int>(lane));
    neighbours.percussion[kept++] = contact.to_inertial(
        contact.percussion - s.phases.percussion_of_impact(spheres + block * kBlock + lane));
  }
  forget(neighbours, {kept, end});
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
      } else if (slot & Scratch::kFull) {
        keep_full(s, neighbours, p, slot & ~Scratch::kFull);
      } else {
        const DiagonalBlock& block = s.problem.blocks[slot / kBlock];
        const std::uint32_t lane = slot % kBlock;
        const std::size_t place = neighbours.places(p).begin;
        neighbours.percussion[place] =
            Vec3{block.percussion[0][lane], block.percussion[1][lane], block.percussion[2][lane]} -
            s.phases.percussion_of_impact(slot);
        if (!neighbours.angular_percussion.empty()) neighbours.angular_percussion[place] = {};
        if (!neighbours.feature.empty()) neighbours.feature[place] = 0;
      }
    }
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
