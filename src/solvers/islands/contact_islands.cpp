/// Islands of a step: union-find over contacts and joints, and sums in fixed point.
#include "solvers/islands/contact_islands.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree {
namespace {

/// Calls f(a, b, closing block, lane, e²) for each contact of a block that presses or has a
/// residual.
template <class Block, class F>
void for_each_active(const Block& block, const ClosingBlock& closing, const double* squared,
                     BodyIndex at_rest, const F& f) {
  for (std::size_t lane = 0; lane < kBlock; ++lane) {
    const auto& r = block.impulse;
    const bool presses = r[0][lane] != 0 || r[1][lane] != 0 || r[2][lane] != 0;
    if ((presses || squared[lane] != 0) && holds_contact(block, lane, at_rest))
      f(block.a[lane], block.b[lane], closing, lane, squared[lane]);
  }
}

/// The same for all contacts in the problem's chunks.
template <class F>
void for_each_active(const ContactProblem& problem, std::span<const double> squared, const F& f) {
  const auto visit = [&](const auto& blocks, const auto& closing, std::span<const Chunk> chunks,
                         const double* of_blocks) {
    for (const Chunk& chunk : chunks)
      for (std::size_t b = chunk.begin; b < chunk.end; ++b)
        for_each_active(blocks[b], closing[b], of_blocks + kBlock * b, problem.at_rest(), f);
  };
  visit(problem.blocks, problem.closing, problem.chunks, squared.data());
  visit(problem.contact_blocks, problem.contact_closing, problem.contact_chunks,
        squared.data() + kBlock * problem.blocks.size());
}

/// Calls f(a free body of the joint, joint index) for each joint.
template <class F>
void for_each_joint(const ContactProblem& problem, const F& f) {
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    BodyIndex body = problem.free_bodies;
    problem.joints[k].for_each_side(
        [&](const JointBlock::Side& side) { body = std::min(body, side.body); });
    if (body < problem.free_bodies) f(body, k);
  }
}

}  // namespace

void ContactIslands::join(BodyIndex a, BodyIndex b) {
  for (const BodyIndex body : {a, b})
    if (body < of_body_.size()) of_body_[body] = 0;
  sets_.join(a, b);
}

/// Numbers the island of a body that has contacts; the first body of a set, its root, comes first.
void ContactIslands::number(BodyIndex body) {
  if (of_body_[body] == kNone) return;
  const BodyIndex root = sets_.of(body);
  if (root != body) {
    of_body_[body] = of_body_[root];
    ++islands_[of_body_[body]].bodies;
    return;
  }
  of_body_[body] = static_cast<std::uint32_t>(islands_.size());
  islands_.push_back({.first_body = body, .bodies = 1, .scale = {}});
}

void ContactIslands::find(const ContactProblem& problem, std::span<const double> squared) {
  sets_.reset(problem.free_bodies);
  of_body_.assign(problem.free_bodies, kNone);
  for_each_active(
      problem, squared,
      [&](BodyIndex a, BodyIndex b, const ClosingBlock&, std::size_t, double) { join(a, b); });
  for (const JointBlock& joint : problem.joints) {
    BodyIndex last = problem.free_bodies;
    joint.for_each_side([&](const JointBlock::Side& side) {
      if (side.body >= problem.free_bodies) return;
      join(side.body, last);
      last = side.body;
    });
  }
  islands_.clear();
  for (BodyIndex body = 0; body < problem.free_bodies; ++body) number(body);
  unit_ = FixedPointUnit::of(problem.undone.closing + problem.undone.missed);
  rounding_unit_ = FixedPointUnit::of(problem.rounding * problem.rounding);
  sums_.assign(islands_.size(), {});
  measure(problem, squared);
  for (std::uint32_t k = 0; k < islands_.size(); ++k) finish(k);
}

bool ContactIslands::find_again(const ContactProblem& part, std::span<const double> squared,
                                std::span<const std::uint8_t> chosen) {
  bool alone = true;
  for_each_active(part, squared,
                  [&](BodyIndex a, BodyIndex b, const ClosingBlock&, std::size_t, double) {
                    for (const BodyIndex body : {a, b})
                      alone = alone && (body >= part.free_bodies || chosen[body] != 0);
                  });
  if (!alone) return false;
  const auto own_bodies = [&](auto&& f) {
    for (const BodyIndex body : part.part_bodies)
      if (chosen[body] != 0) f(body);
  };
  own_bodies([&](BodyIndex body) {
    const std::uint32_t before = std::exchange(of_body_[body], kNone);
    if (before == kNone) return;
    islands_[before] = {};
    sums_[before] = {};
  });
  own_bodies([&](BodyIndex body) { sets_.part(body); });
  for_each_active(
      part, squared,
      [&](BodyIndex a, BodyIndex b, const ClosingBlock&, std::size_t, double) { join(a, b); });
  const auto first = static_cast<std::uint32_t>(islands_.size());
  own_bodies([&](BodyIndex body) { number(body); });
  sums_.resize(islands_.size());
  measure(part, squared);
  for (std::uint32_t k = first; k < islands_.size(); ++k) finish(k);
  return true;
}

void ContactIslands::measure(const ContactProblem& problem, std::span<const double> squared) {
  for_each_active(problem, squared,
                  [&](BodyIndex a, BodyIndex b, const ClosingBlock& closing, std::size_t lane,
                      double of_contact) {
                    const std::uint32_t island = of_body_[std::min(a, b)];
                    Sums& sums = sums_[island];
                    ++islands_[island].contacts;
                    sums.closing.add(closing.squared(lane), unit_);
                    sums.rounding.add(closing.squared_rounding(lane), rounding_unit_);
                    sums.squared.add(of_contact, unit_);
                  });
  mark(problem, squared);
  const std::size_t joints = squared.size() - problem.joints.size();
  for_each_joint(problem, [&](BodyIndex body, std::size_t k) {
    const std::uint32_t island = of_body_[body];
    Sums& sums = sums_[island];
    ++islands_[island].joints;
    sums.missed.add(problem.missed[k].squared, unit_);
    sums.rounding.add(problem.missed[k].squared_rounding, rounding_unit_);
    sums.squared.add(squared[joints + k], unit_);
  });
}

/// Marks islands with pairs that press at more than one point, with rolling friction, and with
/// jammed bodies.
void ContactIslands::mark(const ContactProblem& problem, std::span<const double> squared) {
  for (const BodyIndex body : problem.jammed)
    if (of_body_[body] != kNone) islands_[of_body_[body]].jammed = true;
  const auto presses = [&](std::size_t b, std::size_t lane) {
    const ContactBlock& block = problem.contact_blocks[b];
    const std::size_t contact = kBlock * (problem.blocks.size() + b) + lane;
    return holds_contact(block, lane, problem.at_rest()) &&
           (block.impulse[0][lane] != 0 || squared[contact] != 0);
  };
  for (const Chunk& chunk : problem.contact_chunks)
    for (std::size_t b = chunk.begin; b < chunk.end; ++b) {
      const ContactBlock& block = problem.contact_blocks[b];
      for (std::size_t lane = 0; lane < kBlock; ++lane) {
        if (!presses(b, lane)) continue;
        ContactIsland& island = islands_[of_body_[std::min(block.a[lane], block.b[lane])]];
        ++island.of_faces;
        island.rolls = island.rolls || block.rolling != ContactBlock::kNone;
        for (std::size_t other = b + 1; other < b + block.stack; ++other)
          island.shares_load = island.shares_load || presses(other, lane);
      }
    }
}

/// Sets scale and error of an island from its sums.
void ContactIslands::finish(std::uint32_t island) {
  const Sums& sums = sums_[island];
  const double closing = sums.closing.value(unit_),
               squared_rounding = sums.rounding.value(rounding_unit_);
  islands_[island].scale.rounding = std::sqrt(squared_rounding);
  islands_[island].scale.speed =
      std::sqrt(closing > squared_rounding ? closing : sums.missed.value(unit_));
  islands_[island].error = std::sqrt(sums.squared.value(unit_));
}

ContactIslands::Scale ContactIslands::scale_of(std::span<const std::uint8_t> chosen) const {
  Sums all;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    if (chosen[k] == 0) continue;
    all.closing += sums_[k].closing;
    all.missed += sums_[k].missed;
    all.rounding += sums_[k].rounding;
  }
  return {{all.closing.value(unit_), all.missed.value(unit_)},
          std::sqrt(all.rounding.value(rounding_unit_))};
}

double ContactIslands::worst_residual() const {
  double worst = 0;
  for (const ContactIsland& island : islands_) worst = std::max(worst, island.residual());
  return worst;
}

std::size_t ContactIslands::over_tolerance(const ContactProblem& problem,
                                           std::span<const double> squared,
                                           double tolerance) const {
  std::size_t count = 0;
  if (worst_residual() <= tolerance) return count;
  const auto look = [&](std::uint32_t island, double of_one) {
    const ContactIsland& of = islands_[island];
    if (of.residual() <= tolerance) return;
    const double allowed = of.scale.allowed(tolerance);
    if (!(of_one * (of.contacts + of.joints) <= allowed * allowed)) ++count;
  };
  for_each_active(problem, squared,
                  [&](BodyIndex a, BodyIndex b, const ClosingBlock&, std::size_t,
                      double of_contact) { look(of_body_[std::min(a, b)], of_contact); });
  const std::size_t joints = squared.size() - problem.joints.size();
  for_each_joint(problem,
                 [&](BodyIndex body, std::size_t k) { look(of_body_[body], squared[joints + k]); });
  return count;
}

std::size_t ContactIslands::bytes() const {
  return sets_.bytes() + of_body_.capacity() * sizeof(std::uint32_t) +
         islands_.capacity() * sizeof(ContactIsland) + sums_.capacity() * sizeof(Sums);
}

}  // namespace scree
