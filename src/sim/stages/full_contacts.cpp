#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "scree/contact/tangents.hpp"
#include "sim/body_motion.hpp"
#include "sim/stages/contact_sums.hpp"
#include "solvers/kernels/full_kernels.hpp"

namespace scree {
namespace {

/// Blocks that a thread takes at a time, at least: a full contact costs four times one of spheres.
constexpr std::uint32_t kFullBlocksPerChunk = 8;
constexpr int kBitsOfPlace = 26;  ///< of SortItem::value: index of a pair in its chunk

const Scratch::FullPair& pair_of(const Scratch& s, const SortItem& item) {
  return s.full_found[item.value >> kBitsOfPlace].pairs[item.value & ((1U << kBitsOfPlace) - 1)];
}

/// Sorted by group, then law, then the number of points, most first; moving obstacles get their
/// records.
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
      s.order.push_back(
          {run * (Neighbours::kMostPoints + 1) + Neighbours::kMostPoints - pairs[k].count,
           chunk << kBitsOfPlace | k});
      if (pairs[k].record == 0) continue;
      pairs[k].record = record;
      record += pairs[k].count;
    }
  }
  radix_sort(s.order, s.order_buffer);
  resize_tightly(problem.bodies, record);
}

/// A contact's rows, W and bias: a point between two records, by the law of its materials.
class FullAssembler {
 public:
  explicit FullAssembler(const StepContext& c)
      : c_(c), s_(c.scratch), bodies_(c.state.bodies), settings_(term_settings(c.model)) {}

  struct Result {
    FullContact contact;  ///< without percussion
    Vec3 u;               ///< free, in the frame, without the bias [m/s]
    double withheld, rounding;
    double turn_cosine;  ///< see SeparatingPlane [-]
    bool rebounds;
    double correction_room;  ///< see CorrectionBlock [m/s]
    double depth;            ///< overlap over the smaller inner radius [-]
  };

  Result operator()(const Neighbours::Pair& pair, const PairPoint& point, std::uint32_t law,
                    BodyIndex b_record) const {
    const bool obstacle = pair.other & Neighbours::kObstacle;
    const auto [a, b] = in_order(c_, pair);
    Result result{.contact = {.a = a, .b = obstacle ? b_record : b, .law = law},
                  .u = {},
                  .withheld = 0,
                  .rounding = 0,
                  .turn_cosine = point.turn_cosine,
                  .rebounds = false,
                  .correction_room = 0,
                  .depth = 0};
    FullContact& contact = result.contact;
    contact.axis[0] = point.normal;
    tangents(contact.axis[0], contact.axis[1], contact.axis[2]);
    turn(a, arm(a, point, 1), contact.axis, -1, contact.turn_a);
    if (!obstacle) turn(b, arm(b, point, -1), contact.axis, 1, contact.turn_b);
    contact.W = delassus_block(contact);

    const BodyRecord &of_a = s_.problem.bodies[a], &of_b = s_.problem.bodies[contact.b];
    result.u = kernels::relative_velocity(std::span<const BodyRecord>(s_.problem.bodies), contact);
    // Of two free bodies outer forces change both alike.
    double u_minus = result.u.x + (obstacle ? dot(s_.problem.gain, point.normal) : 0.0);
    if (!s_.problem.own_gain.empty()) u_minus -= normal_gain(contact, obstacle);
    const double radius =
        obstacle ? bodies_.radius[a] : std::min(bodies_.radius[a], bodies_.radius[b]);
    const double e = law_of_pair(pair).restitution;
    const double slop = most_points(c_.model, bodies_, pair) > 1 ? kSlop * radius : 0;
    const ContactTerms<1> terms(settings_);
    const auto term = terms.normal_term(e, point.gap, point.room, result.u.x,
                                        squared_norm(result.u), u_minus, radius, slop);
    contact.bias = {term.bias, 0, 0};
    result.rebounds = term.rebounds;
    result.correction_room = terms.correction_room(point.gap, point.room, radius);
    const double inner_a = inner_radius(c_, a);
    result.depth = -point.gap / (obstacle ? inner_a : std::min(inner_a, inner_radius(c_, b)));
    // The normal of a shape that is no sphere turns with it.
    if (point.room + c_.model.step.h * result.u.x <= 0)
      result.turn_cosine =
          std::min(point.turn_cosine, std::cos(std::min(std::numbers::pi, turn_in_step(pair))));
    result.withheld = term.withheld;
    const Vec3& place_b =
        obstacle ? c_.state.obstacles[pair.other & ~Neighbours::kObstacle].pose.position
                 : bodies_.position[b];
    result.rounding = terms.rounding(
        point.gap, size(bodies_.position[a]) + size(place_b),
        obstacle ? bodies_.radius[a] : bodies_.radius[a] + bodies_.radius[b], size(result.u),
        size(of_a.velocity) + size(of_a.spin) + (size(of_b.velocity) + size(of_b.spin)) +
            size(contact.bias));
    return result;
  }

  /// Where W couples normal and tangential motion, a bias along the normal alone could make energy:
  /// see newton_velocity. The points of a pair that rebound get what percussions along their
  /// normals change in all of them, N ρ = b_n, b_i = Σ W_ij n ρ_j: one point alone (b_n / W_nn) W
  /// n, four under a box that lands flat nothing along the floor.
  void rebound_together(std::span<Result> points) const {
    std::array<FullContact*, Neighbours::kMostPoints> those{};
    int count = 0;
    for (Result& point : points)
      if (point.rebounds) those[static_cast<std::size_t>(count++)] = &point.contact;
    if (count == 1) {
      const SymMat3& W = those[0]->W;
      those[0]->bias = those[0]->bias.x / W.xx * Vec3{W.xx, W.xy, W.xz};
    }
    if (count < 2) return;
    // Four points of a face know of three motions only: what N leaves open of ρ moves nothing.
    constexpr double kRegularisation = 1e-8;
    SmallMatrix N(count, count);
    SmallVector wanted(count);
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) N(i, j) = coupling(*those[i], 0, *those[j], 0);
      wanted[i] = those[i]->bias.x;
    }
    N.diagonal() *= 1 + kRegularisation;
    const SmallVector rho = N.ldlt().solve(wanted);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        for (const int row : {1, 2})
          those[i]->bias[row] += rho[j] * coupling(*those[i], row, *those[j], 0);
  }

 private:
  using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;

  /// What row i of one point gains in velocity by a percussion along row j of another of the same
  /// pair [1/kg].
  double coupling(const FullContact& p, int i, const FullContact& q, int j) const {
    const BodyRecord &a = s_.problem.bodies[p.a], &b = s_.problem.bodies[p.b];
    return (a.inverse_mass + b.inverse_mass) * dot(p.axis[i], q.axis[j]) +
           a.inverse_inertia * dot(p.turn_a[i], q.turn_a[j]) +
           b.inverse_inertia * dot(p.turn_b[i], q.turn_b[j]);
  }

  const PairLaw& law_of_pair(const Neighbours::Pair& pair) const {
    return c_.model.laws(bodies_.material[pair.owner],
                         pair.other & Neighbours::kObstacle
                             ? c_.model.obstacles[pair.other & ~Neighbours::kObstacle].material
                             : bodies_.material[pair.other]);
  }

  /// By how much the two shapes turn in the step; spheres do not [rad].
  double turn_in_step(const Neighbours::Pair& pair) const {
    double speed =
        s_.kinds[bodies_.prototype[pair.owner]].sphere ? 0 : norm(angular_velocity(c_, pair.owner));
    if (!(pair.other & Neighbours::kObstacle) && !s_.kinds[bodies_.prototype[pair.other]].sphere)
      speed += norm(angular_velocity(c_, pair.other));
    return c_.model.step.h * speed;
  }

  /// From the centre to the surface; `side` is 1 for A, −1 for B. Of spheres that pass the point
  /// does not lie on the line of centres.
  Vec3 arm(BodyIndex i, const PairPoint& point, double side) const {
    if (s_.kinds[bodies_.prototype[i]].sphere) return side * bodies_.radius[i] * point.normal;
    return c_.model.domain.separation(bodies_.position[i],
                                      point.point - side * point.gap / 2 * point.normal);
  }

  /// ± (arm × e_k) in the coordinates of the body's spin.
  void turn(BodyIndex i, const Vec3& arm, const Vec3 (&axis)[3], double sign,
            Vec3 (&rows)[3]) const {
    const Scratch::Kind& kind = s_.kinds[bodies_.prototype[i]];
    for (int k = 0; k < 3; ++k) {
      rows[k] = sign / bodies_.radius[i] * cross(arm, axis[k]);
      if (kind.isotropic) continue;
      const Vec3 principal = rotate_back(bodies_.orientation[i], rows[k]), &scale = kind.spin_scale;
      rows[k] = {principal.x / scale.x, principal.y / scale.y, principal.z / scale.z};
    }
  }

  /// What forces on the two bodies alone have added to u_n.
  double normal_gain(const FullContact& contact, bool obstacle) const {
    const auto& gain = s_.problem.own_gain;
    const BodyGain &a = gain[contact.a], b = obstacle ? BodyGain{} : gain[contact.b];
    return dot(contact.axis[0], b.velocity - a.velocity) + dot(contact.turn_a[0], a.spin) +
           dot(contact.turn_b[0], b.spin);
  }

  SymMat3 delassus_block(const FullContact& contact) const {
    const BodyRecord &a = s_.problem.bodies[contact.a], &b = s_.problem.bodies[contact.b];
    const auto entry = [&](int i, int j) {
      return a.inverse_inertia * dot(contact.turn_a[i], contact.turn_a[j]) +
             b.inverse_inertia * dot(contact.turn_b[i], contact.turn_b[j]) +
             (i == j ? a.inverse_mass + b.inverse_mass : 0);
    };
    return {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  }

  const StepContext& c_;
  const Scratch& s_;
  const Bodies& bodies_;
  const TermSettings settings_;
};

/// Fills the blocks of one stack.
void fill_stack(StepContext& c, const FullAssembler& assembler, const Scratch::Stack& stack,
                Scratch::ContactSums& sum) {
  Scratch& s = c.scratch;
  ContactProblem& problem = s.problem;
  const Neighbours& neighbours = c.state.neighbours;
  const std::uint32_t law = pair_of(s, s.order[stack.first]).law;
  const auto height = static_cast<std::uint32_t>(pair_of(s, s.order[stack.first]).count);
  for (std::uint32_t k = 0; k < height; ++k) {
    problem.full[stack.block + k] = FullBlock::empty(law, height - k, problem.at_rest());
    s.correction.full[stack.block + k] = {};
    std::fill_n(&s.full_places[std::size_t{kBlock} * (stack.block + k)], kBlock,
                Scratch::FullPlace{});
  }
  const auto fill = [&](const auto& of_law) {
    for (std::uint32_t lane = 0; lane < stack.lanes; ++lane) {
      const SortItem& item = s.order[stack.first + lane];
      const Scratch::FullPair& found = pair_of(s, item);
      const PairPoint* const points = &s.full_found[item.value >> kBitsOfPlace].points[found.first];
      std::array<FullAssembler::Result, Neighbours::kMostPoints> results;
      for (std::uint32_t k = 0; k < found.count; ++k) {
        const BodyIndex b = found.record == 0 ? problem.at_rest() : found.record + k;
        if (found.record != 0) problem.bodies[b] = {points[k].wall, {}, 0, 0};
        results[k] = assembler(neighbours.pairs[found.pair], points[k], law, b);
      }
      assembler.rebound_together(std::span(results.data(), found.count));
      for (std::uint32_t k = 0; k < found.count; ++k) {
        const PairPoint& point = points[k];
        auto& [contact, u, withheld, rounding, turn_cosine, rebounds, correction_room, depth] =
            results[k];
        s.correction.full[stack.block + k].room[lane] = correction_room;
        if (c.model.solver.warm_start)
          contact.percussion =
              of_law.project(contact.to_frame(neighbours.remembered(found.pair, point.feature)));
        problem.full[stack.block + k].set(static_cast<int>(lane), contact);
        s.full_places[std::size_t{kBlock} * (stack.block + k) + lane] = {
            point.point, point.gap, point.feature, static_cast<float>(withheld)};
        const Vec3 q = u + contact.bias;
        book(sum, squared_norm(q), q.x, of_law.parting_speed(u), rounding, point.gap, depth,
             turn_cosine);
      }
    }
  };
  std::visit(fill, problem.laws[law]);
}

}  // namespace

void place_stacks(StepContext& c) {
  Scratch& s = c.scratch;
  ContactProblem& problem = s.problem;
  problem.full_chunks.clear();
  problem.first_full_chunk.assign(s.plan.waves + 1, 0);
  s.stacks.clear();
  std::uint32_t block = 0;
  if (!s.all_diagonal) sort_pairs(c);

  const auto group_of = [&](std::size_t k) { return s.group_of(pair_of(s, s.order[k]).pair); };
  std::uint32_t group = 0;
  for (std::uint32_t first = 0; first < s.order.size();) {
    const Scratch::FullPair& most = pair_of(s, s.order[first]);
    while (group < group_of(first))
      problem.first_full_chunk[++group] = static_cast<std::uint32_t>(problem.full_chunks.size());
    std::uint32_t lanes = 0;
    while (lanes < kBlock && first + lanes < s.order.size() && group_of(first + lanes) == group &&
           pair_of(s, s.order[first + lanes]).law == most.law) {
      s.slot[pair_of(s, s.order[first + lanes]).pair] = Scratch::kFull | (kBlock * block + lanes);
      ++lanes;
    }
    s.stacks.push_back({block, first, lanes});
    const bool chunk_is_open =
        problem.full_chunks.size() > problem.first_full_chunk[group] &&
        problem.full_chunks.back().end - problem.full_chunks.back().begin < kFullBlocksPerChunk;
    if (!chunk_is_open) problem.full_chunks.push_back({block, block});
    block += most.count;
    problem.full_chunks.back().end = block;
    first += lanes;
  }
  while (group < s.plan.waves)
    problem.first_full_chunk[++group] = static_cast<std::uint32_t>(problem.full_chunks.size());
  resize_tightly(problem.full, block);
  resize_tightly(s.correction.full, block);
  resize_tightly(s.full_places, std::size_t{kBlock} * block);
}

void assemble_full(StepContext& c) {
  const std::size_t stacks = c.scratch.stacks.size();
  if (stacks == 0) return;
  const FullAssembler assembler(c);
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    for (std::size_t k = stacks * chunk / kPairChunks; k < stacks * (chunk + 1) / kPairChunks; ++k)
      fill_stack(c, assembler, c.scratch.stacks[k], c.scratch.contact_sums[kPairChunks + chunk]);
  });
}

}  // namespace scree
