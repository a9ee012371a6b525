// How long a step may be for compliant contacts: what is estimated, and what a run sees.
#include "scree/sim/force_times.hpp"

#include <gtest/gtest.h>

#include "support/random_impacts.hpp"

namespace scree {
namespace {

using namespace test;

/// Of material with E* = 1e7 Pa against what is rigid.
World hertz_world(double h = 1e-5) {
  World world(hertz_law(0.3), h);
  world.model.materials = {{"grain", 1000, {7.5e6, 0.5}}, {"steel", 0}};
  world.model.laws = LawTable(2, hertz_law(0.3));
  return world;
}

ImpactEstimate estimate(const World& world, double until = 10) {
  State state = initial_state(world.model);
  state.next_id = world.state.next_id;
  for (const Body& body : world.bodies) state.bodies.push_back(body);
  return impact_estimate(world.model, state, until);
}
ForceTimes times(const World& world, double until = 10) {
  State state = initial_state(world.model);
  state.next_id = world.state.next_id;
  for (const Body& body : world.bodies) state.bodies.push_back(body);
  return force_times(world.model, state, until).value();
}

TEST(ImpactEstimate, OfAFallFromRestIsItsSpeedAtTheEnd) {
  World world = hertz_world();
  world.half_space({0, 0, -0.5}, {0, 0, 1}).sphere({0, 0, 0.1}, 0.01);
  EXPECT_NEAR(estimate(world).drop, 0.59, 1e-12);
  EXPECT_NEAR(estimate(world).speed(), std::sqrt(2 * kGravity * 0.59), 1e-12);
  // A run that is shorter than the fall.
  EXPECT_NEAR(estimate(world, 0.01).speed(), 0.01 * kGravity, 1e-12);
}

TEST(ImpactEstimate, OfAnInclineTakesTheFallOntoIt) {
  World world = hertz_world();
  world.half_space({}, {1, 0, 1}).sphere({0.2, 0, 0.3}, 0.01);
  EXPECT_NEAR(estimate(world).drop, 0.49, 1e-12);
}

TEST(ImpactEstimate, KnowsPartsThatBeginAtRest) {
  World world = hertz_world();
  world.model.gravity = {};
  world.sphere({0, 0, 0.1}, 0.01);
  world.obstacle(Box{{0.1, 0.1, 0.01}}, {}, [](double t) {
    return Twist{{0, 0, 2 * std::sin(3 * t)}, {}};
  });
  EXPECT_NEAR(estimate(world).speed(), 2, 1e-3);
  world.model.obstacles[0].motion = [](double t) { return Twist{{}, {0, 5 * std::sin(3 * t), 0}}; };
  EXPECT_NEAR(estimate(world).speed(), 5 * std::sqrt(0.1 * 0.1 * 2 + 1e-4), 1e-3);
}

TEST(ImpactEstimate, KnowsBodiesThatAreYetToEnterAndThatMeet) {
  World world = hertz_world();
  world.model.gravity = {};
  world.half_space({}, {1, 0, 0});
  Inflow inflow{.plate = 0, .velocity = {3, 0, 0}, .advance = 0.1};
  inflow.layer = {{0.02, 0, 0}};
  inflow.radius = 0.01;
  world.model.inflows.push_back(inflow);
  EXPECT_NEAR(estimate(world).speed(), 3, 1e-12);
  world.sphere({1, 0, 0}, 0.01, {-2, 0, 0});
  EXPECT_NEAR(estimate(world).speed(), 5, 1e-12);
}

TEST(ForceTimes, OfAHertzSpringAreThoseOfTheImpactAfterAFall) {
  World world = hertz_world(1e-6);
  world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.06}, 0.01);
  world.model.obstacles[0].material = 1;
  const ForceTimes of = times(world);
  Simulation simulation = world.simulation();
  double touched = 0, fit = 0;
  for (int k = 0; k < 150'000; ++k) {
    const Report& report = simulation.step();
    if (report.force_contacts == 0) continue;
    touched += 1e-6;
    if (k % 20 == 0) fit = std::max(fit, step_fit(simulation).of_contact);
  }
  EXPECT_NEAR(of.contact_time, touched, 0.02 * touched);
  // At its deepest the run sees the same.
  EXPECT_NEAR(1e-6 / fit, of.contact_time, 0.01 * of.contact_time);
}

TEST(ForceTimes, CountTheWeightOfAHeavyBody) {
  World world = hertz_world();
  world.half_space({}, {0, 0, 1});
  world.sphere({0, 0, 0.01}, 0.01);
  world.sphere({0, 0, 0.03}, 0.01).mass = 100;
  const ForceTimes of = times(world);
  EXPECT_TRUE(of.by_weight);
  // Of two of the lightest, pressed together by the heaviest.
  const double k = 4.0 / 3 * 0.5e7 * std::sqrt(0.005);
  const double depth = std::pow(100 * kGravity / k, 2.0 / 3);
  const double mass = world.bodies[0].mass / 2;
  EXPECT_NEAR(of.contact_time, 3.2907 * std::sqrt(mass / (k * std::sqrt(depth))),
              1e-2 * of.contact_time);
}

TEST(ForceTimes, NameWhoseContactIsTheShortestAndWhoseLimitIsTheLeast) {
  World world(linear_law(1e5, 3e4, 0.3), 1e-6);
  world.model.materials = {{"stone", 1000}, {"rubber", 1000}};
  world.model.laws = LawTable(2, linear_law(1e5, 3e4, 0.3));
  PairLaw damped = linear_law(1e4, 0, 0.3);
  damped.force.normal_damping = 11.5;
  world.model.laws.assign(0, 1, damped);
  for (int k = 0; k < 16; ++k)
    world.sphere({0.03 * k, 0, 0}, 0.01).material = static_cast<MaterialId>(k % 2);
  const double mass = world.bodies[0].mass;
  const ForceTimes of = times(world);
  EXPECT_EQ(of.shortest.first, "stone");
  EXPECT_EQ(of.shortest.second, "stone");
  EXPECT_NEAR(of.contact_time, std::numbers::pi * std::sqrt(mass / 2 / 1e5), 1e-12);
  // Twelve neighbours that move against it; a dashpot slows down by m/γ.
  EXPECT_EQ(of.min_stable.first, "stone");
  EXPECT_EQ(of.min_stable.second, "rubber");
  EXPECT_NEAR(of.stability_limit, mass / (8 * 11.5), 1e-12);
}

TEST(StepFit, OfALinearSpringIsThatOfItsOscillation) {
  const double k_n = 1e4;
  World world(linear_law(k_n, 0, 0.3), 1e-5);
  world.half_space({}, {0, 0, 1});
  const double mass = world.sphere({0, 0, 0.0099}, 0.01).mass;
  Simulation simulation = world.simulation();
  simulation.step();
  const StepFit fit = step_fit(simulation);
  EXPECT_NEAR(fit.of_contact, 1e-5 / (std::numbers::pi * std::sqrt(mass / k_n)), 1e-12);
  EXPECT_NEAR(fit.of_stable, 1e-5 / (2 * std::sqrt(mass / k_n)), 1e-12);
  EXPECT_EQ(fit.a, (BodyId{0}));
  EXPECT_EQ(fit.b, obstacle_id(0));
  EXPECT_EQ(fit.body, (BodyId{0}));
  EXPECT_NEAR(fit.depth, 1e-4, 1e-9);
  EXPECT_FALSE(fit.is_too_long());
}

TEST(StepFit, TellsOfStepsThatAreTooLong) {
  World world(linear_law(1e4, 0, 0.3), 1e-3);
  world.half_space({}, {0, 0, 1});
  world.sphere({0, 0, 0.0099}, 0.01);
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_TRUE(step_fit(simulation).is_too_long());
}

/// A ball on a floor that spins by `turn` in a step.
Measured reported_of_spin(double turn, double height) {
  const double h = 1e-5;
  World world(linear_law(1e4, 3e3, 0.3), h);
  world.half_space({}, {0, 0, 1});
  world.sphere({0, 0, 5}, 0.01);
  world.sphere({0, 0, height}, 0.01, {}, {0, turn / h, 0});
  Simulation simulation = world.simulation();
  return simulation.step()["excessive_rotation"];
}

TEST(ExcessiveRotation, IsToldOfBodiesThatTouchAndTurnByMoreThanHalfATurn) {
  const auto reported = reported_of_spin(3.2, 0.0099);
  ASSERT_TRUE(reported);
  EXPECT_EQ(reported.body(), (BodyId{1}));
  EXPECT_NEAR(reported.value, 3.2, 1e-12);
  EXPECT_FALSE(reported_of_spin(3.1, 0.0099));
  EXPECT_FALSE(reported_of_spin(3.2, 0.011));
  EXPECT_TRUE(reported_of_spin(-3.2, 0.0099));
}

/// A ball on a drum, or beside it, that turns by `turn` in a step about its axis.
Measured reported_of_drum(double turn, double height) {
  const double h = 1e-5;
  World world(linear_law(1e4, 3e3, 0.3), h);
  world.half_space({0, 0, -1}, {0, 0, 1});
  world.obstacle(Cylinder{0.05, 0.1}, {{}, rotation_between({0, 0, 1}, {0, 1, 0})}, [=](double) {
    return Twist{{}, {0, turn / h, 0}};
  });
  world.sphere({0, 0, 5}, 0.01);
  world.sphere({0, 0, 0.05 + height}, 0.01);
  Simulation simulation = world.simulation();
  return simulation.step()["excessive_rotation"];
}

TEST(ExcessiveRotation, IsToldOfPartsThatAreTouchedAndTurnByMoreThanHalfATurn) {
  const auto reported = reported_of_drum(3.2, 0.0099);
  ASSERT_TRUE(reported);
  EXPECT_EQ(reported.body(), obstacle_id(1));
  EXPECT_NEAR(reported.value, 3.2, 1e-12);
  EXPECT_FALSE(reported_of_drum(3.1, 0.0099));
  EXPECT_FALSE(reported_of_drum(3.2, 0.011));
  EXPECT_TRUE(reported_of_drum(-3.2, 0.0099));
}

}  // namespace
}  // namespace scree
