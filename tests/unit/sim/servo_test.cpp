/// Obstacles that answer to their load: against the recurrence that a single ball on a plate obeys.
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kServoStep = 1e-3;

/// A ball of mass m on a plate that goes up at `gain` times what is missing of `wanted` [N].
World ball_on_a_servo(double gain, double wanted) {
  World world(coulomb(0.5), kServoStep);
  world.half_space({}, {0, 0, 1});
  world.sphere({0.1, 0, 0.03}, 0.03);
  world.model.obstacles[0].servo = [=](double, const Wrench& load) {
    return Twist{{0, 0, gain * (wanted + load.force.z)}, {}};
  };
  return world;
}

TEST(Servo, IsAskedWithWhatTheStepBeforeGaveThePart) {
  const double mass = ball_on_a_servo(0, 0).bodies[0].mass;
  const double gain = 0.2 * kServoStep / mass, wanted = 1.2 * mass * kGravity;
  Simulation simulation = ball_on_a_servo(gain, wanted).simulation();
  double velocity = 0, load = 0;
  for (int n = 0; n < 100; ++n) {
    simulation.step();
    const double next = gain * (wanted + load);
    ASSERT_NEAR(simulation.state().obstacles[0].twist.linear.z, next, 1e-12) << n;
    // The plate carries the ball: its weight, and what speeds it up.
    load = -mass * (kGravity + (next - velocity) / kServoStep);
    velocity = next;
    const Wrench& given = simulation.state().step_loads[0];
    ASSERT_NEAR(given.force.z, load, 1e-9 * mass * kGravity) << n;
    ASSERT_NEAR(given.torque.y, -0.1 * load, 1e-9 * mass * kGravity) << n;
    ASSERT_NEAR(simulation.state().bodies.velocity[0].z, velocity, 1e-12) << n;
  }
  EXPECT_NEAR(velocity, gain * (wanted - mass * kGravity), 1e-12);
}

TEST(Servo, UnderABallOnASpringKnowsItsWeightFromTheFirstStepOn) {
  PairLaw spring{LawKind::cundall_strack, 0.5, 0.5};
  spring.force.k_n = 1e3;
  spring.force.k_t = 1e3;
  World world = ball_on_a_servo(0, 0);
  world.model.laws = LawTable(1, spring);
  const double weight = world.bodies[0].mass * kGravity;
  world.bodies[0].position.z -= weight / 1e3;
  std::vector<double> reported;
  world.model.obstacles[0].servo = [&](double, const Wrench& load) {
    reported.push_back(load.force.z);
    return Twist{};
  };
  Simulation simulation = world.simulation();
  for (int k = 0; k < 5; ++k) simulation.step();
  EXPECT_EQ(reported.front(), 0);
  for (std::size_t k = 1; k < reported.size(); ++k)
    EXPECT_NEAR(reported[k], -weight, 1e-9 * weight) << k;
}

TEST(Servo, GoesOnFromItsStateWithTheSameBits) {
  const World world = ball_on_a_servo(0.01, 2);
  Simulation whole = world.simulation();
  for (int k = 0; k < 20; ++k) whole.step();
  State state = whole.state();
  Simulation rest(whole.model(), std::move(state));
  for (int k = 0; k < 20; ++k) {
    whole.step();
    rest.step();
  }
  EXPECT_EQ(state_hash(whole.state()), state_hash(rest.state()));
  State other = whole.state();
  other.step_loads[0].torque.x += 1e-9;
  EXPECT_NE(state_hash(whole.state()), state_hash(other));
}

TEST(Servo, ThatGivesNoNumberEndsTheRunAndOneBesideAMotionIsRefused) {
  World world = ball_on_a_servo(0, 0);
  world.model.obstacles[0].servo = [](double, const Wrench& load) {
    return Twist{{0, 0, load.force.z < 0 ? 1 / (load.force.z - load.force.z) : 0}, {}};
  };
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_FALSE(simulation.report().motion_fault);
  simulation.step();
  ASSERT_TRUE(simulation.report().motion_fault);
  world.model.obstacles[0].motion = [](double) { return Twist{}; };
  EXPECT_THROW(world.simulation(), InputError);
}

}  // namespace
}  // namespace scree
