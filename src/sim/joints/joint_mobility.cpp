/// What contacts feel of joints: docs/theory/joints.md
#include "sim/joints/joint_mobility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/joints/block_filler.hpp"

namespace scree {
namespace {

/// Whether it keeps its coordinate whatever presses.
bool yields_to_nothing(const Motor& motor) {
  const bool holds = motor.kind == Motor::Kind::velocity || motor.kind == Motor::Kind::position;
  return holds && motor.most == std::numeric_limits<double>::infinity() &&
         motor.stiffness + motor.damping == 0;
}

/// Rows that hold, to the problem.
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
  for (std::size_t k = 0; k < of.drives.size(); ++k)
    if (yields_to_nothing(of.drives[k].motor)) filler.hold(rows.free[k], 0);
  if (filler.is_empty()) filler.take_back();
}

/// Bodies of joints in pairs with compliant laws: they get places in JointScratch::mobilities.
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

/// W of a body along a row with linear part n and scaled part α [1/kg].
double along(const JointElimination::Mobility& mobility, const Vec3& n, const Vec3& turn) {
  const double row[6] = {n.x, n.y, n.z, turn.x, turn.y, turn.z};
  double W = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k) W += row[i] * mobility[i][k] * row[k];
  return W;
}

struct Compliance {
  double alone = 0, jointed = 0;  ///< [1/kg]
};

Compliance compliance_of(const StepContext& c, BodyIndex i, const Vec3& arm, const Vec3& normal) {
  const JointScratch& s = c.scratch.joints;
  const Bodies& bodies = c.state.bodies;
  const Scratch::Kind& kind = c.scratch.kinds[bodies.prototype[i]];
  const Vec3 n = without(normal, kind.locked.ways);
  const Vec3 turn = along_spin(c, i, cross(arm, normal) / bodies.radius[i]);
  const double moment = kind.isotropic ? c.model.prototypes[bodies.prototype[i]].inertia.x : 1;
  const double alone = (squared_norm(n) + squared_norm(turn) / moment) / bodies.mass[i];
  const std::uint32_t place = s.mobility_of[i];
  return {alone, place == JointScratch::kNoMobility ? alone : along(s.mobilities[place], n, turn)};
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
  problem.joints.clear();
  s.blocks.clear();
  s.rows.clear();
  for (std::uint32_t k = 0; k < s.ends.size(); ++k)
    if (s.ends[k].is_there) add_held_rows(c, k);
  std::swap(held.joints, problem.joints);
  std::swap(held.bodies, problem.bodies);
  held.free_bodies = problem.free_bodies;
  s.of_held.prepare(held, c.pool);
  for (const BodyIndex body : s.bodies)
    if (s.mobility_of[body] != JointScratch::kNoMobility)
      s.of_held.find_mobility(held, body, s.mobilities[s.mobility_of[body]]);
  std::swap(held.bodies, problem.bodies);
}

double yield_by_joints(const StepContext& c, BodyIndex a, const Vec3& arm_a, BodyIndex b,
                       const Vec3& arm_b, const Vec3& normal) {
  constexpr double kHeld = 1e-4;
  Compliance both = compliance_of(c, a, arm_a, normal);
  if (is_free_body(b)) {
    const Compliance of_b = compliance_of(c, b, arm_b, normal);
    both.alone += of_b.alone;
    both.jointed += of_b.jointed;
  }
  if (!(both.jointed > kHeld * both.alone)) return 1;
  return std::min(1.0, both.jointed / both.alone);
}

}  // namespace scree
