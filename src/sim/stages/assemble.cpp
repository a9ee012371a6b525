#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/collision/separating_plane.hpp"
#include "scree/contact/tangents.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

/// A contact before it becomes part of the problem.
struct Touch {
  BodyIndex a, b;  ///< records
  Vec3 normal;     ///< from A to B
  double gap;      ///< [m]
  double room;     ///< see SeparatingPlane [m]
  double turn_cosine;
  PairLaw law;
  Vec3 u;               ///< free velocity of B relative to A, inertial frame, without the gap term [m/s]
  double bias;          ///< [m/s]
  double withheld = 0;  ///< e, if the pair is apart and gets no rebound in this step [-]
  double rounding;      ///< of q: what the last bits of positions and velocities make [m/s]
};

/// Percussions change velocities again and again, and their rounding adds up as a walk at random does: twelve contacts a body, twenty
/// sweeps [-].
constexpr double kRoundingOfSweeps = 16;

class Assembler {
 public:
  explicit Assembler(StepContext& c) : c_(c), s_(c.scratch), bodies_(c.state.bodies) {}

  /// Geometry, law and bias of a pair that is a contact. `record` is the next free record of a moving obstacle.
  Touch touch(const Neighbours::Pair& pair, std::uint32_t& record) const {
    return pair.other & Neighbours::kObstacle ? with_obstacle(pair.owner, pair.other & ~Neighbours::kObstacle, record)
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
    finish(t, dot(u_minus, t.normal), std::min(bodies_.radius[i], bodies_.radius[j]));
    t.rounding = rounding(t, size(bodies_.position[i]) + size(bodies_.position[j]), touch);
    return t;
  }

  Touch with_obstacle(BodyIndex i, std::uint32_t k, std::uint32_t& record) const {
    const Obstacle& obstacle = c_.model.obstacles[k];
    const auto& [pose, twist] = c_.state.obstacles[k];
    Touch t{.a = i, .b = s_.problem.at_rest()};
    SeparatingPlane plane = plane_between(obstacle.shape, pose, twist, bodies_.position[i], bodies_.radius[i],
                                          s_.problem.bodies[i].velocity, c_.model.step.h);
    plane.normal = -plane.normal;
    take(plane, t);
    t.law = c_.model.laws(bodies_.material[i], obstacle.material);
    if (moves(twist)) {
      t.b = record++;
      s_.problem.bodies[t.b] = {plane.velocity, {}, 0, 0};
    }
    finish(t, dot(plane.velocity - bodies_.velocity[i], t.normal), bodies_.radius[i]);
    t.rounding = rounding(t, size(bodies_.position[i]) + size(pose.position), bodies_.radius[i]);
    return t;
  }

  static double size(const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

  /// Of positions, through the gap and the direction of the normal; of velocities. `place` = size of the two positions [m].
  double rounding(const Touch& t, double place, double touch) const {
    constexpr double kLastBit = std::numeric_limits<double>::epsilon() / 2;
    const StepSettings& step = c_.model.step;
    const BodyRecord &a = s_.problem.bodies[t.a], &b = s_.problem.bodies[t.b];
    const double speeds = size(a.velocity) + size(a.spin) + size(b.velocity) + size(b.spin) + std::abs(t.bias);
    const double of_gap = (t.gap < 0 ? step.error_reduction : 1) / step.h;
    return kLastBit * (place * (of_gap + size(t.u) / touch) + kRoundingOfSweeps * speeds);
  }

  static void take(const SeparatingPlane& plane, Touch& t) {
    t.normal = plane.normal;
    t.gap = plane.gap;
    t.room = plane.room;
    t.turn_cosine = plane.turn_cosine;
  }

  /// Free relative velocity and bias: the gap term ε min(0, g/h) + max(0, room/h) [Preclik18, §3.1], recovery capped; or
  /// e u_n⁻ where the pair meets within this step, faster than the threshold.
  void finish(Touch& t, double u_minus, double radius) const {
    const StepSettings& step = c_.model.step;
    const BodyRecord &a = s_.problem.bodies[t.a], &b = s_.problem.bodies[t.b];
    t.u = b.velocity - a.velocity - cross(a.spin + b.spin, t.normal);
    t.bias = t.gap >= 0 ? t.room / step.h : std::max(step.error_reduction * t.gap / step.h, -recovery_speed(t, radius));
    const bool meets = t.room + step.h * dot(t.u, t.normal) <= 0;
    constexpr double kApart = 1e-6;  // of the radius; less is a contact that rests
    if (t.law.restitution > 0 && meets && u_minus < -step.restitution_threshold)
      t.bias = std::min(t.law.restitution * u_minus, t.gap < 0 ? t.bias : 0.0);
    else if (t.room > kApart * radius)
      t.withheld = t.law.restitution;
  }

  /// How fast a penetration may be undone; by default little of what gravity and the pair's own motion make natural.
  double recovery_speed(const Touch& t, double radius) const {
    if (c_.model.step.recovery_speed) return *c_.model.step.recovery_speed;
    return 1e-4 * std::sqrt(gravity_ * radius) + 0.01 * norm(t.u);
  }

  StepContext& c_;
  Scratch& s_;
  const Bodies& bodies_;
  double gravity_ = norm(c_.model.gravity);
};

/// Counts q of a contact with q_n < parting_speed: r = 0 does not obey its law.
void book(const Touch& t, Scratch::ContactSums& sum, double parting_speed = 0) {
  const double u_n = dot(t.u, t.normal), q_n = u_n + t.bias;
  if (q_n < parting_speed) sum.squared_q += squared_norm(t.u) - u_n * u_n + q_n * q_n;
  if (q_n < parting_speed + t.rounding) sum.squared_rounding += t.rounding * t.rounding;
  sum.deepest = std::min(sum.deepest, t.gap);
  sum.touching += t.gap < 0;
  sum.turn_cosine = std::min(sum.turn_cosine, t.turn_cosine);
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
void clear_last_block(ContactProblem& problem, std::uint32_t group) {
  const std::uint32_t first = problem.first_chunk[group], end = problem.first_chunk[group + 1];
  if (first == end) return;
  DiagonalBlock& block = problem.blocks[problem.chunks[end - 1].end - 1];
  block = {};
  std::ranges::fill(block.a, problem.at_rest());
  std::ranges::fill(block.b, problem.at_rest());
}

/// Σ over both bodies of eᵢᵀ (1/m − [arm]× J⁻¹ [arm]×) eⱼ.
SymMat3 delassus_block(const ContactProblem& problem, const GeneralContact& g) {
  const Vec3 axis[3] = {g.n, g.t1, g.t2};
  double w[3][3] = {};
  for (const auto& [body, arm] : {std::pair{g.a, g.arm_a}, std::pair{g.b, g.arm_b}}) {
    const SymMat3 inverse = problem.scaled_inverse_inertia(body);
    for (int i = 0; i < 3; ++i) {
      const Vec3 spin = inverse * cross(arm, axis[i]);
      for (int j = 0; j <= i; ++j)
        w[i][j] += dot(spin, cross(arm, axis[j])) + (i == j ? problem.bodies[body].inverse_mass : 0);
    }
  }
  return {w[0][0], w[1][0], w[2][0], w[1][1], w[2][1], w[2][2]};
}

GeneralContact general_contact(const ContactProblem& problem, const Touch& t, std::uint32_t law,
                               const Vec3& old_percussion) {
  // Contact points of spheres lie one radius from their centres: arms ±n in units of it.
  GeneralContact g{
      .a = t.a, .b = t.b, .law = law, .n = t.normal, .arm_a = t.normal, .arm_b = -t.normal, .bias = t.bias};
  tangents(g.n, g.t1, g.t2);
  if (t.b >= problem.free_bodies) g.arm_b = {};
  g.W = delassus_block(problem, g);
  g.percussion = std::visit([&](const auto& l) { return l.project(g.to_frame(old_percussion)); }, problem.laws[law]);
  return g;
}

}  // namespace

/// Contacts with a full block, by group. Few of them, if any: one thread.
static void assemble_general(StepContext& c, const Assembler& assembler, Scratch::ContactSums& sum) {
  Scratch& s = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  ContactProblem& problem = s.problem;
  problem.first_general.assign(neighbours.group_count + 1, 0);
  problem.general.clear(), problem.laws.clear(), s.general_pairs.clear(), s.general_gap.clear();
  s.general_withheld.clear();
  if (s.all_diagonal) return;

  for (std::uint32_t p = 0; p < s.slot.size(); ++p)
    if (s.slot[p] == Scratch::kGeneral) s.general_pairs.push_back(p);
  std::ranges::stable_sort(s.general_pairs, {}, [&](std::uint32_t p) { return neighbours.group[p]; });
  const bool warm = c.model.solver.warm_start;
  std::uint32_t record = static_cast<std::uint32_t>(problem.bodies.size());
  resize_tightly(problem.bodies, problem.bodies.size() + s.general_pairs.size());
  reserve_tightly(problem.general, s.general_pairs.size());
  for (const std::uint32_t p : s.general_pairs) {
    const Touch t = assembler.touch(neighbours.pairs[p], record);
    std::uint32_t law = 0;
    const auto same = [&](const AnyLaw& l) { return l == law_of(t.law); };
    law = static_cast<std::uint32_t>(std::ranges::find_if(problem.laws, same) - problem.laws.begin());
    if (law == problem.laws.size()) problem.laws.push_back(law_of(t.law));
    s.slot[p] = Scratch::kGeneral | static_cast<std::uint32_t>(problem.general.size());
    problem.general.push_back(general_contact(problem, t, law, warm ? neighbours.percussion[p] : Vec3{}));
    s.general_gap.push_back(t.gap);
    if (s.any_restitution) s.general_withheld.push_back(static_cast<float>(t.withheld));
    ++problem.first_general[neighbours.group[p] + 1];
    const Vec3 free = problem.general.back().to_frame(t.u);
    book(t, sum, std::visit([&](const auto& l) { return l.parting_speed(free); }, problem.laws[law]));
  }
  for (std::uint32_t group = 0; group < neighbours.group_count; ++group)
    problem.first_general[group + 1] += problem.first_general[group];
}

void assemble(StepContext& c) {
  Scratch& s = c.scratch;
  const Neighbours& neighbours = c.state.neighbours;
  ContactProblem& problem = s.problem;
  const std::size_t pairs = neighbours.pairs.size();
  const std::uint32_t row = neighbours.group_count + 1;
  const Assembler assembler(c);
  const bool warm = c.model.solver.warm_start;
  for (std::uint32_t group = 0; group < neighbours.group_count; ++group) clear_last_block(problem, group);

  if (s.any_restitution) s.withheld.assign(s.gap.size(), 0.0F);
  s.contact_sums.assign(kPairChunks + 1, {});
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    std::uint32_t* place = &s.chunk_count[chunk * row];
    for (std::size_t p = pairs * chunk / kPairChunks; p < pairs * (chunk + 1) / kPairChunks; ++p) {
      if (s.slot[p] != 0) continue;
      const Touch t = assembler.touch(neighbours.pairs[p], place[row - 1]);
      const std::uint32_t slot = place[neighbours.group[p]]++;
      fill_lane(problem.blocks[slot / kBlock], static_cast<int>(slot % kBlock), t,
                warm ? neighbours.percussion[p] : Vec3{});
      s.slot[p] = slot;
      s.gap[slot] = static_cast<float>(t.gap);
      if (s.any_restitution) s.withheld[slot] = static_cast<float>(t.withheld);
      book(t, s.contact_sums[chunk]);
    }
  });
  assemble_general(c, assembler, s.contact_sums[kPairChunks]);

  problem.contacts = static_cast<std::uint32_t>(
      std::ranges::count_if(s.slot, [](std::uint32_t slot) { return slot != Scratch::kNoContact; }));
  problem.squared_q = 0;
  double squared_rounding = 0;
  double deepest = 0, turn_cosine = 1;
  c.report.contacts_touching = 0;
  for (const auto& sum : s.contact_sums) {
    problem.squared_q += sum.squared_q;
    squared_rounding += sum.squared_rounding;
    deepest = std::min(deepest, sum.deepest);
    c.report.contacts_touching += sum.touching;
    turn_cosine = std::min(turn_cosine, sum.turn_cosine);
  }
  c.report.largest_turn = std::acos(std::max(-1.0, turn_cosine));
  problem.rounding = std::sqrt(squared_rounding);
  c.report.max_penetration = -deepest;
}

}  // namespace scree
