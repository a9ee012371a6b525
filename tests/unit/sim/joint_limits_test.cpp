/// Limits of joints hold, however they are come to.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "unit/sim/jointed_balls.hpp"

namespace scree {
namespace {

using namespace test;

constexpr OverlapCorrection kWays[] = {OverlapCorrection::positions, OverlapCorrection::velocities};

/// By how far coordinates are beyond their limits at most.
double furthest_beyond(const Simulation& simulation) {
  double beyond = 0;
  for (const JointRecord& joint : simulation.joints()) {
    const JointDrive& drive = simulation.model().joints[joint.joint].drives[0];
    const double at = joint.coordinate[0];
    beyond = std::max({beyond, at - drive.upper, drive.lower - at});
  }
  return beyond;
}

/// Rods of 0.1 m in a row from a wall, each on a hinge of which the coordinate has limits ± most.
Mechanism chain_of_rods(int count, double max_value, double h, double friction = 0) {
  Mechanism m(h);
  BodyId last = kWorld;
  for (int k = 0; k < count; ++k) {
    const Vec3 from{0.1 * k, 0, 0}, to{0.1 * (k + 1), 0, 0};
    const BodyId rod = m.add_rod(from, to, 0.1);
    m.join(JointKind::revolute, last, rod, from, {0, 1, 0}).drives = {
        {.lower = -max_value, .upper = max_value, .friction = friction}};
    last = rod;
  }
  return m;
}

TEST(ALimit, HoldsAllAlongAChainThatFallsIntoItsLimits) {
  for (const OverlapCorrection way : kWays)
    for (const double h : {1e-3, 1e-2}) {
      constexpr int kRods = 10;
      constexpr double kMax = 0.01;
      Mechanism m = chain_of_rods(kRods, kMax, h);
      m.model.step.overlap_correction = way;
      Simulation simulation = m.start();
      const double start = energy_of(simulation.report());
      double beyond = 0, highest = start;
      for (int k = 0; k < 500; ++k) {
        const Report& report = simulation.step();
        EXPECT_TRUE(report.converged) << k;
        beyond = std::max(beyond, furthest_beyond(simulation));
        highest = std::max(highest, energy_of(report));
      }
      EXPECT_LT(beyond, 1e-9) << h << (way == OverlapCorrection::positions);
      EXPECT_LT(highest, start + 1e-6);
      // It hangs in all of its limits: rod k leans by k + 1 of them.
      double x = 0, z = 0;
      for (int k = 0; k < kRods; ++k) {
        const double lean = (k + 1) * kMax;
        const Body rod = simulation.body({static_cast<std::uint64_t>(k)});
        EXPECT_NEAR(rod.position.x, x + 0.05 * std::cos(lean), 1e-8);
        EXPECT_NEAR(rod.position.z, z - 0.05 * std::sin(lean), 1e-8);
        x += 0.1 * std::cos(lean);
        z -= 0.1 * std::sin(lean);
      }
    }
}

TEST(ALimit, HoldsAlongAChainOfMoreHingesThanADenseMatrixTakes) {
  // With friction it has 132 rows with bounds.
  Simulation simulation = chain_of_rods(66, 0.01, 1e-2, 1e-9).start();
  for (int k = 0; k < 5; ++k) {
    EXPECT_TRUE(simulation.step().converged) << k;
    EXPECT_LT(furthest_beyond(simulation), 1e-12);
  }
}

TEST(ALimit, HoldsAllOfAHundredAndFiftyThatAreHitAtOnce) {
  // Pivots that take all rows that are wrong at once go round in circles here, and those that take
  // one alone were at no end after a thousand.
  Simulation simulation = chain_of_rods(150, 0.01, 1e-2, 0.1).start();
  for (int k = 0; k < 6; ++k) {
    EXPECT_TRUE(simulation.step().converged) << k;
    EXPECT_LT(furthest_beyond(simulation), 1e-9) << k;
  }
}

/// Two balls on sliders along x, a rope of 1 m between them that is not yet taut: the first goes
/// with 100 m/s, 0.1 m a step, the second rests and may go as far as its limits say.
Mechanism balls_on_a_rope(const JointDrive& limits) {
  Mechanism m(1e-3, {0, 0, 0});
  const BodyId first = m.add_sphere({0.93, 0, 0}), second = m.add_sphere({0, 0, 0});
  m.state.bodies.velocity[first.value] = {100, 0, 0};
  m.join(JointKind::prismatic, kWorld, second, {0, 0, 0}, {1, 0, 0}).drives = {limits};
  m.join(JointKind::prismatic, kWorld, first, {0.93, 0, 0}, {1, 0, 0});
  Joint& rope = m.join(JointKind::rope, second, first, {0, 0, 0});
  rope.b.frame.position = {};
  rope.drives = {{.upper = 1}};
  return m;
}

TEST(ALimit, ThatABodyIsThrownAgainstWithinAStepStopsIt) {
  // With 50 m/s of both, by its mass, it would be 0.015 m along at the end of the step.
  for (const OverlapCorrection way : kWays) {
    Mechanism m = balls_on_a_rope({.lower = -0.01, .upper = 0.004});
    m.model.step.overlap_correction = way;
    Simulation simulation = m.start();
    for (int k = 0; k < 5; ++k) {
      EXPECT_TRUE(simulation.step().converged);
      EXPECT_NEAR(simulation.body({1}).position.x, 0.004, 1e-12);
      EXPECT_NEAR(simulation.body({0}).position.x, 1.004, 1e-12);
      EXPECT_LT(simulation.report().joint_error, 1e-12);
    }
    EXPECT_NEAR(simulation.report().kinetic_energy, 0, 1e-12);
  }
}

TEST(ALimit, ThatHoldsWithinAStepDoesSoToTheSameBitsAfterARestart) {
  const Mechanism m = chain_of_rods(10, 0.01, 1e-2);
  Simulation whole = m.start(2), first = m.start();
  step(first, 4);
  Simulation second(m.model, first.state());
  step(second, 4);
  step(whole, 8);
  EXPECT_EQ(state_hash(whole.state()), state_hash(second.state()));
}

TEST(ALimit, ThatTakesASecondSolveLeavesSpringsOfContactsAsTheyAre) {
  // A ball that slides on a soft floor, far from what is thrown against its limits or beside
  // nothing.
  const auto sliding_ball = [](Mechanism m) {
    PairLaw soft{.kind = LawKind::cundall_strack, .friction = 0.3, .restitution = 0.5};
    soft.force.k_n = soft.force.k_t = 1e4;
    m.model.laws = LawTable(1, soft);
    m.model.gravity = {0, 0, -9.81};
    m.model.obstacles.push_back({.name = "floor", .shape = HalfSpace{}, .material = 0});
    State with_floor = initial_state(m.model);
    with_floor.bodies = m.state.bodies;
    with_floor.next_id = m.state.next_id;
    m.state = with_floor;
    const BodyId ball = m.add_sphere({0, 50, 0.0999});
    m.state.bodies.velocity[ball.value] = {1, 0, 0};
    Simulation simulation = m.start();
    step(simulation, 20);
    return simulation.body(ball);
  };
  Mechanism thrown = balls_on_a_rope({.lower = -0.01, .upper = 0.004});
  for (Vec3& position : thrown.state.bodies.position) position.z += 5;
  for (Joint& joint : thrown.model.joints)
    if (joint.a.body == kWorld) joint.a.frame.position.z += 5;
  const Body beside = sliding_ball(thrown), alone = sliding_ball(Mechanism(1e-3));
  EXPECT_EQ(beside.position, alone.position);
  EXPECT_EQ(beside.velocity, alone.velocity);
  EXPECT_EQ(beside.angular_velocity, alone.angular_velocity);
  EXPECT_LT(alone.velocity.x, 0.99);
}

TEST(ALimit, BehindABodyDoesNotHoldItBack) {
  // The nearer limit is the one that it leaves.
  Mechanism m(1e-3, {0, 0, 0});
  const BodyId ball = m.add_sphere({0, 0, 0});
  m.state.bodies.velocity[0] = {100, 0, 0};
  m.join(JointKind::prismatic, kWorld, ball, {0, 0, 0}, {1, 0, 0}).drives = {
      {.lower = -0.01, .upper = 0.02}};
  Simulation simulation = m.start();
  step(simulation, 3);
  EXPECT_NEAR(simulation.body(ball).position.x, 0.02, 1e-12);
  EXPECT_NEAR(simulation.body(ball).velocity.x, 0, 1e-12);
}

TEST(ALimit, LeavesAloneWhatIsWithinIt) {
  // A chain that bends freely between limits in reach goes as one without limits.
  Mechanism bounded = chain_of_rods(5, 1.0, 1e-3), open = bounded;
  for (Joint& joint : open.model.joints) joint.drives.clear();
  Simulation one = bounded.start(), other = open.start();
  for (int k = 0; k < 300; ++k) {
    one.step();
    other.step();
    if (one.joints()[0].coordinate[0] > 0.99) break;
    ASSERT_NEAR(norm(one.body({4}).position - other.body({4}).position), 0, 1e-11) << k;
  }
}

TEST(ALimit, BringsBackWhatIsBeyondAndGivesItNoSpeed) {
  Mechanism m(1e-3, {0, 0, 0});
  const BodyId ball = m.add_sphere({0, 0, 0});
  m.join(JointKind::prismatic, kWorld, ball, {0, 0, 0}, {1, 0, 0}).drives = {
      {.lower = -0.01, .upper = 0.01}};
  m.state.bodies.position[0] = {0.01 + 5e-8, 0, 0};
  Simulation simulation = m.start();
  EXPECT_NEAR(simulation.report().joint_error, 5e-8, 1e-15);
  simulation.step();
  EXPECT_NEAR(simulation.body(ball).position.x, 0.01, 1e-16);
  EXPECT_EQ(simulation.body(ball).velocity.x, 0);
  EXPECT_LT(simulation.report().joint_error, 1e-16);
}

}  // namespace
}  // namespace scree
