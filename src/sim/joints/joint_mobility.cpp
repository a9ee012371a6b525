/// Mobility of bodies in joints, which compliant contacts feel: docs/theory/joints.md
#include "sim/joints/joint_mobility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/compliant/forces.hpp"
#include "sim/joints/block_filler.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

std::pair<BodyIndex, BodyIndex> order_of(const JointScratch::PairMobility& pair) {
  return {pair.a, pair.b};
}

/// True if it keeps its coordinate under any load.
bool yields_to_nothing(const MotorSettings& motor) {
  const bool holds = motor.kind == Motor::Kind::velocity || motor.kind == Motor::Kind::position;
  return holds && motor.max == std::numeric_limits<double>::infinity() && !has_gains(motor);
}

/// Adds the constraint rows of a joint to the problem.
void add_held_rows(StepContext& c, std::uint32_t joint) {
  const Joint& of = c.model.joints[joint];
  const JointFunctions& rows = c.scratch.joints.functions[joint];
  if (is_gear(of.kind)) {
    const std::uint32_t first = of.geared[0].joint, second = of.geared[1].joint;
    const JointBodies bodies(c, first), others(c, second);
    BlockFiller filler(c, joint, bodies, lever_of(c, bodies.ends()));
    filler.hold(rows, of.ratio, others, 0);
    return;
  }
  const JointBodies bodies(c, joint);
  BlockFiller filler(c, joint, bodies, lever_of(c, bodies.ends()));
  for (std::size_t k = 0; k < static_cast<std::size_t>(rows.held_count); ++k)
    filler.hold(rows.held[k], 0);
  for (std::size_t k = 0; k < static_cast<std::size_t>(rows.free_count); ++k)
    if (yields_to_nothing(c.scratch.joints.motors[joint][k])) filler.hold(rows.free[k], 0);
  if (filler.is_empty()) filler.take_back();
}

/// Finds bodies of joints in pairs with compliant laws, and gives them entries in
/// JointScratch::mobilities.
void find_touched_bodies(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  constexpr std::uint32_t kCandidate = JointScratch::kNoMobility - 1;
  s.mobility_of.assign(c.state.bodies.size(), JointScratch::kNoMobility);
  for (const BodyIndex body : s.bodies) s.mobility_of[body] = kCandidate;
  std::uint32_t count = 0;
  const auto waits = [&](BodyIndex i) { return is_free_body(i) && s.mobility_of[i] == kCandidate; };
  for (const Neighbours::Pair& pair : c.state.neighbours.pairs)
    for (const BodyIndex i : {pair.owner, pair.other})
      if (waits(i) && compliant_law(c, pair) != ForceContacts::kRigid) s.mobility_of[i] = count++;
  for (const BodyIndex body : s.bodies)
    if (s.mobility_of[body] == kCandidate) s.mobility_of[body] = JointScratch::kNoMobility;
  s.mobilities.resize(count);
}

/// Orders two bodies by id: results for a pair do not depend on the storage order.
std::pair<BodyIndex, BodyIndex> by_id(const StepContext& c, BodyIndex a, BodyIndex b) {
  const auto& ids = c.state.bodies.id;
  return ids[a] < ids[b] ? std::pair{a, b} : std::pair{b, a};
}

/// Finds the mobilities of pairs with compliant laws that joints connect.
void find_pair_mobilities(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  const auto connected = [&](BodyIndex a, BodyIndex b) {
    return is_free_body(b) && s.mobility_of[a] != JointScratch::kNoMobility &&
           s.mobility_of[b] != JointScratch::kNoMobility && s.of_held.are_connected(a, b);
  };
  s.pair_mobilities.clear();
  for (const Neighbours::Pair& pair : c.state.neighbours.pairs)
    if (connected(pair.owner, pair.other) && compliant_law(c, pair) != ForceContacts::kRigid) {
      const auto ends = by_id(c, pair.owner, pair.other);
      s.pair_mobilities.push_back({ends.first, ends.second, {}});
    }
  std::ranges::sort(s.pair_mobilities, {}, order_of);
  for (JointScratch::PairMobility& pair : s.pair_mobilities)
    s.of_held.find_mobility(s.held, pair.a, pair.b, pair.mobility);
}

/// Row of a contact for one of its bodies: its linear part, and α in the coordinates of records.
struct Row {
  Vec3 n, angular;
};
/// row · mobility · other row [1/kg].
double along(const JointElimination::Mobility& mobility, const Row& from, const Row& to) {
  const double left[6] = {from.n.x,       from.n.y,       from.n.z,
                          from.angular.x, from.angular.y, from.angular.z};
  const double right[6] = {to.n.x, to.n.y, to.n.z, to.angular.x, to.angular.y, to.angular.z};
  double W = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k) W += left[i] * mobility[i][k] * right[k];
  return W;
}

Row row_of(const StepContext& c, BodyIndex i, const Vec3& arm, const Vec3& normal) {
  return {without(normal, c.scratch.kinds[c.state.bodies.prototype[i]].locked.ways),
          along_spin(c, i, cross(arm, normal) / c.state.bodies.radius[i])};
}

/// Compliance of a body without joints [1/kg].
double compliance_alone(const StepContext& c, BodyIndex i, const Row& row) {
  const PrototypeId prototype = c.state.bodies.prototype[i];
  const double moment =
      c.scratch.kinds[prototype].isotropic ? c.model.prototypes[prototype].inertia.x : 1;
  return (squared_norm(row.n) + squared_norm(row.angular) / moment) / c.state.bodies.mass[i];
}

/// Compliance of a body in its joints.
double compliance_in_joints(const StepContext& c, BodyIndex i, const Row& row, double alone) {
  const std::uint32_t index = c.scratch.joints.mobility_of[i];
  return index == JointScratch::kNoMobility ? alone
                                            : along(c.scratch.joints.mobilities[index], row, row);
}

/// Velocity of one body per push on the other [1/kg].
double shared_compliance(const StepContext& c, BodyIndex a, const Row& of_a, BodyIndex b,
                         const Row& of_b) {
  const auto& pairs = c.scratch.joints.pair_mobilities;
  const std::pair key = by_id(c, a, b);
  const auto found = std::ranges::lower_bound(pairs, key, {}, order_of);
  if (found == pairs.end() || order_of(*found) != key) return 0;
  return key.first == a ? along(found->mobility, of_a, of_b) : along(found->mobility, of_b, of_a);
}

}  // namespace

void find_mobilities(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  s.mobilities.clear();
  const auto is_of_mass = [](const force::Numbers& numbers) { return numbers.damping > 0; };
  if (c.model.joints.empty() || !std::ranges::any_of(c.scratch.forces.numbers, is_of_mass)) return;
  look_at_joints(c);
  find_touched_bodies(c);
  if (s.mobilities.empty()) return;
  ContactProblem &problem = c.scratch.problem, &held = s.held;
  BlockFiller::begin(c);
  for (std::uint32_t k = 0; k < s.ends.size(); ++k)
    if (s.ends[k].is_there) add_held_rows(c, k);
  BlockFiller::end(c);
  std::swap(held.joints, problem.joints);
  std::swap(held.bodies, problem.bodies);
  held.free_bodies = problem.free_bodies;
  s.of_held.prepare(held, c.pool);
  for (const BodyIndex body : s.bodies)
    if (s.mobility_of[body] != JointScratch::kNoMobility)
      s.of_held.find_mobility(held, body, body, s.mobilities[s.mobility_of[body]]);
  find_pair_mobilities(c);
  std::swap(held.bodies, problem.bodies);
}

double effective_mass_factor(const StepContext& c, BodyIndex a, const Vec3& arm_a, BodyIndex b,
                             const Vec3& arm_b, const Vec3& normal) {
  const Row of_a = row_of(c, a, arm_a, normal);
  double alone = compliance_alone(c, a, of_a), jointed = compliance_in_joints(c, a, of_a, alone);
  if (is_free_body(b)) {
    const Row of_b = row_of(c, b, arm_b, normal);
    const double b_alone = compliance_alone(c, b, of_b);
    alone += b_alone;
    jointed +=
        compliance_in_joints(c, b, of_b, b_alone) - 2 * shared_compliance(c, a, of_a, b, of_b);
  }
  if (!(jointed > kHeldComplianceFraction * alone)) return 1;
  return std::min(1.0, jointed / alone);
}

}  // namespace scree
