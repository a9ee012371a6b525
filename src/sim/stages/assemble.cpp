#include <algorithm>
#include <cmath>

#include "scree/collision/separating_plane.hpp"
#include "sim/stages/contact_terms.hpp"

namespace scree {
namespace {

/// A contact of spheres before it becomes part of the problem.
struct Touch {
  BodyIndex a, b;  ///< records
  Vec3 normal;     ///< from A to B
  double gap;      ///< [m]
  double room;     ///< see SeparatingPlane [m]
  double turn_cosine;
  PairLaw law;
  /// Free velocity of B relative to A, inertial frame, without the gap term [m/s]
  Vec3 u;
  double bias;             ///< [m/s]
  double withheld = 0;     ///< see NormalTerm [-]
  double correction_room;  ///< see CorrectionBlock [m/s]
  bool overlaps;           ///< is to be corrected
  double rounding;         ///< see ContactTerms [m/s]
};

class Assembler {
 public:
  explicit Assembler(StepContext& c)
      : c_(c), s_(c.scratch), bodies_(c.state.bodies), terms_(c.model) {}

  /// Geometry, law and bias of a pair that is a contact. `record` is the next free record of a
  /// moving obstacle.
  Touch touch(const Neighbours::Pair& pair, std::uint32_t& record) const {
    return pair.other & Neighbours::kObstacle
               ? with_obstacle(pair.owner, pair.other & ~Neighbours::kObstacle, record)
               : with_body(pair.owner, pair.other);
  }

 private:
  Touch with_body(BodyIndex i, BodyIndex j) const {
    // A is the body of lower id.
    if (bodies_.id[j] < bodies_.id[i]) std::swap(i, j);
    Touch t{.a = i, .b = j};
    const Vec3 apart = bodies_.position[j] - bodies_.position[i];
    const Vec3 approach = s_.problem.bodies[j].velocity - s_.problem.bodies[i].velocity;
    const double touch = bodies_.radius[i] + bodies_.radius[j];
    take(plane_between_spheres(apart, touch, approach, c_.model.step.h), t);
    t.law = c_.model.laws(bodies_.material[i], bodies_.material[j]);
    const Vec3 u_minus = bodies_.velocity[j] - bodies_.velocity[i];
    finish(t, dot(u_minus, t.normal), std::min(bodies_.radius[i], bodies_.radius[j]), touch,
           ContactTerms::size(bodies_.position[i]) + ContactTerms::size(bodies_.position[j]));
    return t;
  }

  Touch with_obstacle(BodyIndex i, std::uint32_t k, std::uint32_t& record) const {
    const Obstacle& obstacle = c_.model.obstacles[k];
    const auto& [pose, twist] = c_.state.obstacles[k];
    Touch t{.a = i, .b = s_.problem.at_rest()};
    SeparatingPlane plane =
        plane_between(obstacle.shape, pose, twist, bodies_.position[i], bodies_.radius[i],
                      s_.problem.bodies[i].velocity, c_.model.step.h);
    plane.normal = -plane.normal;
    take(plane, t);
    t.law = c_.model.laws(bodies_.material[i], obstacle.material);
    if (moves(twist)) {
      t.b = record++;
      s_.problem.bodies[t.b] = {plane.velocity, {}, 0, 0};
    }
    finish(t, dot(plane.velocity - bodies_.velocity[i], t.normal), bodies_.radius[i],
           bodies_.radius[i],
           ContactTerms::size(bodies_.position[i]) + ContactTerms::size(pose.position));
    return t;
  }

  static void take(const SeparatingPlane& plane, Touch& t) {
    t.normal = plane.normal;
    t.gap = plane.gap;
    t.room = plane.room;
    t.turn_cosine = plane.turn_cosine;
  }

  /// Free relative velocity, bias and rounding; `touch` and `place` as in ContactTerms::rounding.
  void finish(Touch& t, double u_minus, double radius, double touch, double place) const {
    const BodyRecord &a = s_.problem.bodies[t.a], &b = s_.problem.bodies[t.b];
    t.u = b.velocity - a.velocity - cross(a.spin + b.spin, t.normal);
    const NormalTerm term = terms_.normal_term(t.law.restitution, t.gap, t.room, dot(t.u, t.normal),
                                               norm(t.u), u_minus, radius);
    t.bias = term.bias;
    t.withheld = term.withheld;
    t.correction_room = terms_.correction_room(t.gap, t.room, radius);
    t.overlaps = terms_.is_to_be_corrected(t.gap, radius);
    t.rounding = terms_.rounding(t.gap, place, touch, ContactTerms::size(t.u),
                                 ContactTerms::size(a) + ContactTerms::size(b) + std::abs(t.bias));
  }

  StepContext& c_;
  Scratch& s_;
  const Bodies& bodies_;
  ContactTerms terms_;
};

/// |q|² and q_n of a contact of spheres.
void book(const Touch& t, Scratch::ContactSums& sum) {
  const double u_n = dot(t.u, t.normal), q_n = u_n + t.bias;
  book(sum, squared_norm(t.u) - u_n * u_n + q_n * q_n, q_n, 0, t.rounding, t.gap, t.turn_cosine);
}

void fill_lane(DiagonalBlock& block, int lane, const Touch& t, const Vec3& old_percussion) {
  const double mu = friction_of(t.law);
  // The old percussion, in the cone about the new normal.
  const double r_n = std::max(0.0, dot(old_percussion, t.normal));
  Vec3 r_t = old_percussion - dot(old_percussion, t.normal) * t.normal;
  const double length = norm(r_t);
  if (length > mu * r_n) r_t *= mu * r_n / length;
  const Vec3 r = r_n * t.normal + r_t;
  for (int k = 0; k < 3; ++k) block.normal[k][lane] = t.normal[k], block.percussion[k][lane] = r[k];
  block.bias[lane] = t.bias;
  block.friction[lane] = mu;
  block.a[lane] = t.a, block.b[lane] = t.b;
}

/// Lanes that no contact fills: bodies at rest, no percussion.
void clear_last_block(ContactProblem& problem, PositionCorrection& correction,
                      std::uint32_t group) {
  const std::uint32_t first = problem.first_chunk[group], end = problem.first_chunk[group + 1];
  if (first == end) return;
  const std::uint32_t last = problem.chunks[end - 1].end - 1;
  correction.blocks[last] = {};
  DiagonalBlock& block = problem.blocks[last];
  block = {};
  std::ranges::fill(block.a, problem.at_rest());
  std::ranges::fill(block.b, problem.at_rest());
}

}  // namespace

void assemble(StepContext& c) {
  Scratch& s = c.scratch;
  const Neighbours& neighbours = c.state.neighbours;
  ContactProblem& problem = s.problem;
  const std::size_t pairs = neighbours.pairs.size();
  const std::uint32_t row = s.group_count + 1;
  const Assembler assembler(c);
  const bool warm = c.model.solver.warm_start;
  resize_tightly(s.correction.blocks, problem.blocks.size());
  for (std::uint32_t group = 0; group < s.group_count; ++group)
    clear_last_block(problem, s.correction, group);

  if (s.any_restitution) s.withheld.assign(s.gap.size(), 0.0F);
  s.contact_sums.resize(2 * kPairChunks);
  for (Scratch::ContactSums& sum : s.contact_sums) sum.clear();
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    std::uint32_t* place = &s.chunk_count[chunk * row];
    for (std::size_t p = pairs * chunk / kPairChunks; p < pairs * (chunk + 1) / kPairChunks; ++p) {
      if (s.slot[p] != Scratch::kUnplaced) continue;
      const Touch t = assembler.touch(neighbours.pairs[p], place[row - 1]);
      const std::uint32_t slot = place[s.group[p]]++;
      fill_lane(problem.blocks[slot / kBlock], static_cast<int>(slot % kBlock), t,
                warm ? neighbours.percussion[neighbours.places(p).begin] : Vec3{});
      s.slot[p] = slot;
      s.gap[slot] = static_cast<float>(t.gap);
      s.correction.blocks[slot / kBlock].room[slot % kBlock] = t.correction_room;
      s.contact_sums[chunk].overlaps |= t.overlaps;
      if (s.any_restitution) s.withheld[slot] = static_cast<float>(t.withheld);
      book(t, s.contact_sums[chunk]);
    }
  });
  assemble_full(c);

  problem.contacts = 0;
  ExactSum squared_q, squared_rounding;
  double deepest = 0, turn_cosine = 1;
  c.report.contacts_touching = 0;
  s.any_overlap = false;
  for (const auto& sum : s.contact_sums) {
    squared_q += sum.squared_q;
    squared_rounding += sum.squared_rounding;
    problem.contacts += sum.contacts;
    deepest = std::min(deepest, sum.deepest);
    c.report.contacts_touching += sum.touching;
    turn_cosine = std::min(turn_cosine, sum.turn_cosine);
    s.any_overlap |= sum.overlaps;
  }
  c.report.largest_turn = std::acos(std::max(-1.0, turn_cosine));
  problem.squared_q = squared_q.value();
  problem.rounding = std::sqrt(squared_rounding.value());
  c.report.max_penetration = -deepest;
}

}  // namespace scree
