// What fingers on sliders hold, and what slips out of them.
#include "support/grippers.hpp"

#include <gtest/gtest.h>

#include "scree/sim/step_problem.hpp"
#include "scree/solvers/solve_problem.hpp"

namespace scree {
namespace {

using namespace test;

constexpr LawKind kLawsOfFriction[] = {LawKind::coulomb, LawKind::max_dissipation,
                                       LawKind::cone_complementarity, LawKind::polyhedral};

/// The load after so many steps, all of which have to meet the tolerance.
Body load_after(const Mechanism& m, int steps) {
  Simulation simulation = m.start();
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(simulation.step().converged) << k;
  return simulation.body({m.state.next_id - 1});
}

double angle_turned(const Body& body) {
  const Quaternion& q = body.orientation;
  return 2 * std::hypot(q.x, q.y, q.z);
}

/// For a second.
void expect_held(const Grip& grip) {
  const Body load = load_after(gripper(grip), 1000);
  EXPECT_LT(norm(load.position), 1e-9);
  EXPECT_LT(angle_turned(load), 1e-9);
  EXPECT_LT(norm(load.velocity), 1e-9);
}

TEST(AGripper, HoldsWhatFrictionCanHoldUnderEachLawAndAnyRatioOfMasses) {
  for (const LawKind law : kLawsOfFriction)
    for (const double load : {1e-6, 1e-3, 1.0, 100.0}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(law)) + ", " + std::to_string(load));
      // The cone of eight facets bears as much along some directions, cos 22.5° of it along others.
      expect_held({.law = law, .of_need = law == LawKind::polyhedral ? 1.15 : 1.05, .load = load});
    }
}

TEST(AGripper, HoldsWithMoreFingersRoundOnesAndAJaw) {
  for (const int fingers : {2, 3}) expect_held({.of_need = 1.05, .on_the_right = fingers});
  expect_held({.of_need = 1.05, .round = true});
  expect_held({.of_need = 1.05, .jaw = true});
}

TEST(AGripper, HoldsWhereGravityIsTilted) {
  expect_held({.of_need = 1.05, .down = {0, 0.6, -0.8}});
  expect_held({.of_need = 1.05, .down = {0, -1, 0}});
  // Along the fingers: the jaw bears part of the weight.
  expect_held({.of_need = 2, .load = 1, .jaw = true, .down = {0.28, 0, -0.96}});
}

TEST(AGripper, HoldsWithTheDefaultAccuracyToo) {
  expect_held({.of_need = 1.05, .accuracy = Accuracy::engineering});
}

TEST(AGripper, GivesAStepWhoseProblemItsImpulsesSolve) {
  // The servos of fingers have bounds, which a matrix problem does not: they act in its q.
  Simulation simulation = gripper({.of_need = 1.05}).start();
  simulation.step();
  const StepProblem step = step_problem(simulation);
  EXPECT_GT(step.problem.q.size(), 0);
  EXPECT_LE(scaled_residual(step.problem, step.impulses), 1e-4);
  EXPECT_EQ(solve(step.problem, {.tolerance = 1e-9}).status, SolveStatus::converged);
}

TEST(AGripper, LetsSlipWhatIsTooHeavyAsFrictionAllows) {
  // a = g − Σ μ F / m, and the load hardly turns: corners that are alike bear nearly the same.
  constexpr int kSteps = 60;
  constexpr double kTime = 1e-3 * kSteps;
  for (const double load : {1e-5, 1e-3, 0.1, 100.0})
    for (const double of_need : {0.3, 0.8, 0.95}) {
      Mechanism m = gripper({.of_need = of_need, .load = load});
      m.model.solver.tolerance = 1e-8;
      const Body after = load_after(m, kSteps);
      const double way = 0.5 * (1 - of_need) * 9.81 * kTime * kTime;
      EXPECT_NEAR(-after.position.z, way, 1e-3 * way) << load << ", " << of_need;
      EXPECT_LT(angle_turned(after), 1e-2) << load << ", " << of_need;
    }
}

/// The first box touches one finger and the second box, which touches the other finger.
Mechanism gripper_of_two(double of_need) {
  constexpr double kSize = 0.02;
  Mechanism m = gripper({.of_need = of_need});
  m.state.bodies.position[1].x += kSize;
  add_solid(m, Box{{kSize / 2, kSize / 2, kSize / 2}}, {kSize, 0, 0}, 1e-3);
  for (Joint& joint : m.model.joints)
    if (joint.b.body == m.state.bodies.id[1]) joint.a.frame.position.x += kSize;
  return m;
}

TEST(AGripper, HoldsTwoBoxesSideBySide) {
  const Mechanism m = gripper_of_two(2.2);
  Simulation simulation = m.start();
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(simulation.step().converged) << k;
  for (const BodyId id : {BodyId{2}, BodyId{3}})
    EXPECT_LT(norm(simulation.body(id).position - m.pose(id).position), 1e-9);
}

TEST(AGripper, MovesTheSameBitsOnTwoThreadsAndHoweverBodiesAreStored) {
  const Mechanism m = gripper_of_two(1.6);
  Mechanism turned = m;
  turned.state.bodies = {};
  for (std::size_t k = m.state.bodies.size(); k-- > 0;)
    turned.state.bodies.push_back(m.state.bodies[k]);
  Simulation one = m.start(1), two = m.start(2), stored_otherwise = turned.start();
  for (int k = 0; k < 50; ++k) {
    one.step();
    two.step();
    stored_otherwise.step();
  }
  EXPECT_EQ(state_hash(one.state()), state_hash(two.state()));
  EXPECT_EQ(motion_hash(one.state()), motion_hash(stored_otherwise.state()));
}

TEST(AMotorAtItsBound, IsNoMeasureOfWhatIsLeftUndone) {
  // How far a motor that presses with all it has is from its target does not enter E_s: a target
  // a thousand times as far away gives the same bits.
  Mechanism near = gripper({.of_need = 0.8}), far = near;
  for (Joint& joint : far.model.joints) joint.drives[0].motor.target = [](double) { return 20.0; };
  Simulation one = near.start(), other = far.start();
  for (int k = 0; k < 50; ++k) {
    one.step();
    other.step();
    ASSERT_EQ(one.report().residual, other.report().residual) << k;
  }
  EXPECT_EQ(motion_hash(one.state()), motion_hash(other.state()));
}

}  // namespace
}  // namespace scree
