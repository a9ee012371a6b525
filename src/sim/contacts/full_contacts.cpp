// Contact blocks: sorts pairs of shapes other than spheres, and fills their blocks.
#include <algorithm>
#include <new>
#include <span>

#include "scree/solvers/colouring.hpp"
#include "sim/contacts/assemble.hpp"
#include "sim/contacts/full_assembler.hpp"
#include "sim/neighbours/look_ahead.hpp"
#include "solvers/kernels/rolling_blocks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Sorts pairs by group, then law, then number of points, largest first; assigns records of moving
/// obstacles.
void sort_pairs(StepContext& c) {
  Scratch& s = c.scratch;
  ContactProblem& problem = s.problem;
  auto record = static_cast<std::uint32_t>(problem.bodies.size());
  const std::uint64_t laws = problem.laws.size();
  s.order.clear();
  for (std::uint32_t chunk = 0; chunk < s.full_found.size(); ++chunk) {
    auto& pairs = s.full_found[chunk].pairs;
    for (std::uint32_t k = 0; k < pairs.size(); ++k) {
      const std::uint64_t run = s.group_of(pairs[k].pair) * laws + pairs[k].law;
      s.order.push_back({run * (Neighbours::kMaxSurfacePoints + 1) + Neighbours::kMaxSurfacePoints -
                             pairs[k].count,
                         chunk << Scratch::kPairIndexBits | k});
      if (pairs[k].record == 0) continue;
      pairs[k].record = record;
      record += pairs[k].count;
    }
  }
  radix_sort(s.order, s.order_buffer);
  resize_tightly(problem.bodies, record);
}

/// Fills the blocks of one stack.
class StackFiller {
 public:
  StackFiller(StepContext& c, const FullAssembler& assembler, Scratch::ContactSums& sum)
      : c_(c),
        s_(c.scratch),
        problem_(c.scratch.problem),
        assembler_(assembler),
        sum_(sum),
        look_ahead_(c) {}

  void operator()(const Scratch::Stack& stack) {
    const Scratch::FullPair& most = s_.full_pair(s_.order[stack.first]);
    begin(stack, most.law, most.count);
    std::visit(
        [&](const auto& law) {
          for (std::uint32_t lane = 0; lane < stack.lanes; ++lane) {
            look_ahead_.from_assembled(stack.first + lane);
            fill(law, stack, lane);
          }
        },
        problem_.laws[most.law]);
  }

 private:
  using Result = FullAssembler::Result;

  /// Pairs with the most points come first: they fill the leading lanes of a block.
  void begin(const Scratch::Stack& stack, std::uint32_t law, std::uint32_t height) {
    const bool rolls = stack.rolling != ContactBlock::kNone;
    std::uint32_t filled = stack.lanes;
    for (std::uint32_t k = 0; k < height; ++k) {
      const std::uint32_t block = stack.block + k;
      while (s_.full_pair(s_.order[stack.first + filled - 1]).count <= k) --filled;
      if (filled < kBlock) problem_.contact_blocks[block].clear(problem_.at_rest());
      s_.correction.contact_blocks[block] = {};
      problem_.contact_blocks[block].law = law;
      problem_.contact_blocks[block].stack = height - k;
      problem_.contact_blocks[block].rolling = ContactBlock::kNone;
      problem_.contact_blocks[block].any_locked = false;
      if (!rolls) continue;
      problem_.contact_blocks[block].rolling = stack.rolling + k;
      problem_.rolling[stack.rolling + k] = RollingBlock::empty(block, problem_.at_rest());
    }
  }

  /// Assembles the points of one pair.
  template <class Law>
  void fill(const Law& law, const Scratch::Stack& stack, std::uint32_t lane) {
    const SortItem& item = s_.order[stack.first + lane];
    const Scratch::FullPair& found = s_.full_pair(item);
    const Neighbours::Pair& pair = c_.state.neighbours.pairs[found.pair];
    const FullPoints& points = s_.points_with(item);
    const std::uint32_t first = (item.value & ~Scratch::kPairIndexMask) | found.first;
    int touching = 0;
    for (std::uint32_t k = 0; k < found.count; ++k) {
      const BodyIndex b = found.record == 0 ? problem_.at_rest() : found.record + k;
      const PairPoint point = points.pair_point(found.first + k);
      if (found.record != 0) problem_.bodies[b] = {point.wall, spin_of_wall(pair, found.law), 0, 0};
      // constructed in its slot, without a copy
      new (&results_[k]) Result(assembler_(pair, point, found.law, b));
      if (s_.any_cohesion && !results_[k].rebounds && has_pressed(found.pair, point))
        results_[k].touches = true;
      touching += results_[k].touches;
    }
    assembler_.rebound_together(std::span(results_.data(), found.count));
    // Cohesion belongs to the pair, whatever its number of points.
    const double cohesion = s_.any_cohesion && touching > 0
                                ? c_.model.step.h * assembler_.law_of_pair(pair).cohesion / touching
                                : 0;
    for (std::uint32_t k = 0; k < found.count; ++k) {
      const std::uint32_t block = stack.block + k;
      if (s_.any_cohesion && results_[k].touches)
        problem_.contact_cohesion[block].impulse[lane] = cohesion;
      s_.full_points[std::size_t{kBlock} * block + lane] = first + k;
      place(law, points[found.first + k], results_[k], found.pair, block, static_cast<int>(lane));
    }
  }

  /// True if the contact pressed in the last step: it is closed, and a gap there is the error of
  /// the solve.
  bool has_pressed(std::uint32_t pair, const PairPoint& point) const {
    return c_.model.solver.warm_start &&
           dot(c_.state.neighbours.remembered(pair, point.feature), point.normal) > 0;
  }

  template <class Law>
  void place(const Law& law, const FullPoints::Point& point, Result& result, std::uint32_t pair,
             std::uint32_t block, int lane) {
    const Neighbours& neighbours = c_.state.neighbours;
    ContactRows& contact = result.contact;
    const std::size_t memory = c_.model.solver.warm_start ? neighbours.place_of(pair, point.feature)
                                                          : Neighbours::kNowhere;
    if (memory != Neighbours::kNowhere)
      contact.impulse = law.project(contact.to_frame(neighbours.impulse[memory]));
    ContactBlock& full = problem_.contact_blocks[block];
    const Vec3 q = result.u + contact.bias;
    contact.bias += result.flow;
    full.set(lane, contact);
    if (full.rolling != ContactBlock::kNone) {
      RollingRows& rows = result.rolling;
      if (memory != Neighbours::kNowhere)
        rows.impulse = kernels::allowed_rolling(
            rows, contact.impulse.x,
            contact.to_frame(neighbours.angular_impulse[memory]) / rows.lever);
      problem_.rolling[full.rolling].set(lane, contact.a, contact.b, rows);
    }
    s_.correction.contact_blocks[block].admissible_approach[lane] = result.correction_gap;
    const std::size_t slot = std::size_t{kBlock} * block + static_cast<std::size_t>(lane);
    if (s_.any_restitution)
      s_.full_suppressed_restitution[slot] = static_cast<float>(result.suppressed_restitution);
    if (!problem_.contact_keys.empty())
      problem_.contact_keys[slot] = key_of(neighbours.pairs[pair], point.feature);
    if (result.touches)
      accumulate_painleve(sum_, contact, result.u_minus, friction_coefficient(law),
                          c_.model.step.restitution_threshold);
    accumulate_place(sum_, point.gap, result.depth, result.turn_cosine);
    problem_.contact_closing[block].set(static_cast<std::size_t>(lane), closing_speed(law, q),
                                        result.rounding);
  }

  /// Key of a contact of one body with obstacles, or of any two bodies: see
  /// ContactProblem::contact_keys.
  std::uint64_t key_of(const Neighbours::Pair& pair, std::uint32_t feature) const {
    if (pair.other & Neighbours::kObstacle) return std::uint64_t{pair.other} << 32 | feature;
    const auto& id = c_.state.bodies.id;
    const auto [first, second] = std::minmax(id[pair.owner].value, id[pair.other].value);
    return contact_hash(first, second) + feature;
  }

  /// Spin of a moving obstacle's record, in the units of rolling rows [m/s].
  Vec3 spin_of_wall(const Neighbours::Pair& pair, std::uint32_t law) const {
    if (!s_.law_resists_rolling[law]) return {};
    const std::uint32_t obstacle = pair.other & ~Neighbours::kObstacle;
    return c_.state.bodies.radius[pair.owner] * c_.state.obstacles[obstacle].twist.angular;
  }

  StepContext& c_;
  Scratch& s_;
  ContactProblem& problem_;
  const FullAssembler& assembler_;
  Scratch::ContactSums& sum_;
  const LookAhead look_ahead_;
  UnsetArray<Result, Neighbours::kMaxSurfacePoints> results_;  ///< results of one pair
};

/// Appends blocks [begin, end) to the chunks of a group, which is the last one.
void append(AlignedVector<Chunk>& chunks, std::uint32_t first_of_group, std::uint32_t begin,
            std::uint32_t end) {
  const bool open = chunks.size() > first_of_group &&
                    chunks.back().end - chunks.back().begin < kContactBlocksPerChunk;
  if (!open) chunks.push_back({begin, begin});
  chunks.back().end = end;
}

}  // namespace

void place_stacks(StepContext& c) {
  Scratch& s = c.scratch;
  ContactProblem& problem = s.problem;
  problem.contact_chunks.clear();
  problem.rolling_chunks.clear();
  problem.first_contact_chunk.assign(s.plan.waves + 1, 0);
  problem.first_rolling_chunk.assign(s.any_rolling ? s.plan.waves + 1 : 0, 0);
  s.stacks.clear();
  std::uint32_t block = 0, rolling = 0, group = 0;
  if (!s.all_sphere_contacts) sort_pairs(c);

  const auto begin_group = [&] {
    ++group;
    problem.first_contact_chunk[group] = static_cast<std::uint32_t>(problem.contact_chunks.size());
    if (s.any_rolling)
      problem.first_rolling_chunk[group] =
          static_cast<std::uint32_t>(problem.rolling_chunks.size());
  };
  const auto group_of = [&](std::size_t k) { return s.group_of(s.full_pair(s.order[k]).pair); };
  for (std::uint32_t first = 0; first < s.order.size();) {
    const Scratch::FullPair& most = s.full_pair(s.order[first]);
    while (group < group_of(first)) begin_group();
    std::uint32_t lanes = 0;
    while (lanes < kBlock && first + lanes < s.order.size() && group_of(first + lanes) == group &&
           s.full_pair(s.order[first + lanes]).law == most.law) {
      s.slot[s.full_pair(s.order[first + lanes]).pair] = Scratch::kFull | (kBlock * block + lanes);
      ++lanes;
    }
    const bool rolls = s.law_resists_rolling[most.law];
    s.stacks.push_back({block, first, lanes, rolls ? rolling : ContactBlock::kNone});
    append(problem.contact_chunks, problem.first_contact_chunk[group], block, block + most.count);
    if (rolls) {
      append(problem.rolling_chunks, problem.first_rolling_chunk[group], rolling,
             rolling + most.count);
      rolling += most.count;
    }
    block += most.count;
    first += lanes;
  }
  while (group < s.plan.waves) begin_group();
  resize_anew(problem.contact_blocks, block);
  resize_anew(problem.rolling, rolling);
  resize_anew(s.correction.contact_blocks, block);
  resize_anew(s.full_points, std::size_t{kBlock} * block);
  resize_anew(problem.contact_keys, c.model.joints.empty() ? 0 : s.full_points.size());
}

void assemble_full(StepContext& c) {
  const std::size_t stacks = c.scratch.stacks.size();
  if (stacks == 0) return;
  const FullAssembler assembler(c);
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    StackFiller fill(c, assembler, c.scratch.contact_sums[kPairChunks + chunk]);
    for (std::size_t k = stacks * chunk / kPairChunks; k < stacks * (chunk + 1) / kPairChunks; ++k)
      fill(c.scratch.stacks[k]);
  });
}

}  // namespace scree
