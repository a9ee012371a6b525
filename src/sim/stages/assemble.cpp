#include <algorithm>
#include <cmath>

#include "scree/contact/tangents.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

/// A contact before it becomes part of the problem.
struct Touch {
  BodyIndex a, b;  ///< records
  Vec3 normal;     ///< from A to B
  double gap;      ///< [m]
  PairLaw law;
  Vec3 u;       ///< free velocity of B relative to A, inertial frame, without the gap term [m/s]
  double bias;  ///< [m/s]
};

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
    const double distance = norm(apart);
    t.normal = distance > 0 ? apart / distance : Vec3{0, 0, 1};
    t.gap = distance - bodies_.radius[i] - bodies_.radius[j];
    t.law = c_.model.laws(bodies_.material[i], bodies_.material[j]);
    const Vec3 u_minus = bodies_.velocity[j] - bodies_.velocity[i];
    finish(t, dot(u_minus, t.normal), std::min(bodies_.radius[i], bodies_.radius[j]));
    return t;
  }

  Touch with_obstacle(BodyIndex i, std::uint32_t k, std::uint32_t& record) const {
    const Obstacle& obstacle = c_.model.obstacles[k];
    const ObstacleState& state = c_.state.obstacles[k];
    Touch t{.a = i, .b = s_.problem.at_rest()};
    const SurfaceDistance surface = signed_distance(obstacle.shape, state.pose, bodies_.position[i]);
    t.normal = -surface.normal;
    t.gap = surface.distance - bodies_.radius[i];
    t.law = c_.model.laws(bodies_.material[i], obstacle.material);
    Vec3 wall;
    if (state.twist.linear != Vec3{} || state.twist.angular != Vec3{}) {
      const Vec3 point = bodies_.position[i] - surface.distance * surface.normal;
      wall = state.twist.linear + cross(state.twist.angular, point - state.pose.position);
      t.b = record++;
      s_.problem.bodies[t.b] = {wall, {}, 0, 0};
    }
    finish(t, dot(wall - bodies_.velocity[i], t.normal), bodies_.radius[i]);
    return t;
  }

  /// Free relative velocity and bias: the gap term ε min(0, g/h) + max(0, g/h) [Preclik18, §3.1], recovery capped; or
  /// e u_n⁻ where the pair meets within this step, faster than the threshold.
  void finish(Touch& t, double u_minus, double radius) const {
    const StepSettings& step = c_.model.step;
    const BodyRecord &a = s_.problem.bodies[t.a], &b = s_.problem.bodies[t.b];
    t.u = b.velocity - a.velocity - cross(a.spin + b.spin, t.normal);
    t.bias = t.gap >= 0 ? t.gap / step.h : std::max(step.error_reduction * t.gap / step.h, -recovery_speed(t, radius));
    const bool meets = t.gap + step.h * dot(t.u, t.normal) <= 0;
    if (t.law.restitution > 0 && meets && u_minus < -step.restitution_threshold)
      t.bias = std::min(t.law.restitution * u_minus, t.gap < 0 ? t.bias : 0.0);
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

double friction_of(const PairLaw& law) { return law.kind == LawKind::frictionless ? 0 : law.friction; }

/// Counts q of a contact with q_n < reach: r = 0 does not obey its law.
void book(const Touch& t, Scratch::Partial& sum, double reach = 0) {
  const double u_n = dot(t.u, t.normal), q_n = u_n + t.bias;
  if (q_n < reach) sum.a += squared_norm(t.u) - u_n * u_n + q_n * q_n;
  sum.b = std::min(sum.b, t.gap);
  sum.count += t.gap < 0;
}

/// The relaxation acts on contacts that separate, too, unless q lies in K*: μ|q_t| [m/s].
double reach(const Touch& t) {
  const Vec3 slip = t.u - dot(t.u, t.normal) * t.normal;
  return t.law.kind == LawKind::cone_complementarity ? t.law.friction * norm(slip) : 0;
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
static void assemble_general(StepContext& c, const Assembler& assembler, Scratch::Partial& sum) {
  Scratch& s = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  ContactProblem& problem = s.problem;
  problem.first_general.assign(neighbours.group_count + 1, 0);
  problem.general.clear(), problem.laws.clear(), s.general_pairs.clear(), s.general_gap.clear();
  if (s.all_diagonal) return;

  for (std::uint32_t p = 0; p < s.slot.size(); ++p)
    if (s.slot[p] == Scratch::kGeneral) s.general_pairs.push_back(p);
  std::ranges::stable_sort(s.general_pairs, {}, [&](std::uint32_t p) { return neighbours.group[p]; });
  std::uint32_t record = static_cast<std::uint32_t>(problem.bodies.size());
  resize_tightly(problem.bodies, problem.bodies.size() + s.general_pairs.size());
  for (const std::uint32_t p : s.general_pairs) {
    const Touch t = assembler.touch(neighbours.pairs[p], record);
    std::uint32_t law = 0;
    const auto same = [&](const AnyLaw& l) { return l == law_of(t.law); };
    law = static_cast<std::uint32_t>(std::ranges::find_if(problem.laws, same) - problem.laws.begin());
    if (law == problem.laws.size()) problem.laws.push_back(law_of(t.law));
    s.slot[p] = Scratch::kGeneral | static_cast<std::uint32_t>(problem.general.size());
    problem.general.push_back(general_contact(problem, t, law, neighbours.percussion[p]));
    s.general_gap.push_back(t.gap);
    ++problem.first_general[neighbours.group[p] + 1];
    book(t, sum, reach(t));
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

  s.partial.assign(kPairChunks + 1, {});
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
      book(t, s.partial[chunk]);
    }
  });
  assemble_general(c, assembler, s.partial[kPairChunks]);

  problem.contacts = static_cast<std::uint32_t>(
      std::ranges::count_if(s.slot, [](std::uint32_t slot) { return slot != Scratch::kNoContact; }));
  problem.squared_q = 0;
  double deepest = 0;
  for (const auto& sum : s.partial) {
    problem.squared_q += sum.a;
    deepest = std::min(deepest, sum.b);
    c.report.contacts_touching += sum.count;
  }
  c.report.max_penetration = -deepest;
}

}  // namespace scree
