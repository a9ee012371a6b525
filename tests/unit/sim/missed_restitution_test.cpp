#include <gtest/gtest.h>
#include <numbers>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

World in_empty_space(const PairLaw& law, double h) {
  World world(law, h);
  world.model.gravity = {};
  return world;
}

double kinetic_energy(double mass, double speed) { return 0.5 * mass * speed * speed; }

TEST(MissedRestitution, AreNoneWhereAPairMeetsByItself) {
  World world = in_empty_space(coulomb(0.3, 0.8), 1e-3);
  const double mass = world.sphere({0, 0, 0}, 0.01, {1, 0, 0}).mass;
  world.sphere({0.0215, 0, 0}, 0.01);
  Simulation simulation = world.simulation();
  const double before = simulation.report().kinetic_energy;
  MissedRestitution lost;
  for (int k = 0; k < 10; ++k) lost += simulation.step().missed_restitution;
  EXPECT_EQ(lost.impacts, 0u);
  EXPECT_NEAR(before - simulation.report().kinetic_energy,
              kinetic_energy(mass / 2, 1) * (1 - 0.8 * 0.8), 1e-12);
}

TEST(MissedRestitution, AreCountedWhereAnImpulseOfTheSameStepMakesTheImpact) {
  // The second sphere is hit, and hits the third within the same step: from 1 m/s to rest together,
  // not on to the third.
  World world = in_empty_space(coulomb(0, 1), 1e-3);
  const double mass = world.sphere({0, 0, 0}, 0.01, {1, 0, 0}).mass;
  world.sphere({0.0205, 0, 0}, 0.01);
  world.sphere({0.0408, 0, 0}, 0.01);
  Simulation simulation = world.simulation();
  MissedRestitution lost;
  for (int k = 0; k < 10; ++k) {
    const Report& report = simulation.step();
    lost += report.missed_restitution;
    EXPECT_EQ(report.slow_restitution.impacts, 0u);
  }
  EXPECT_EQ(lost.impacts, 1u);
  const double lacks = kinetic_energy(mass, 1) - simulation.report().kinetic_energy;
  EXPECT_GT(lacks, 0.1 * kinetic_energy(mass, 1));
  EXPECT_GT(lost.energy, 0.5 * lacks) << "what is reported is of the size of what is missing";
  EXPECT_LT(lost.energy, 2 * lacks + kinetic_energy(mass, 1) / 2);
}

TEST(MissedRestitution, OfImpactsBelowTheThresholdAreToldAtEveryScale) {
  for (const bool of_unequal_inertia : {false, true}) {
    World world = in_empty_space(coulomb(0.3, 1), 1e-3);
    const double mass = world.sphere({0, 0, 0}, 1e-5, {1e-3, 0, 0}).mass;
    world.sphere({5e-5, 0, 0}, 1e-5);
    if (of_unequal_inertia) {
      world.model.prototypes.push_back({Sphere{1}, {0.3, 0.4, 0.5}});
      world.bodies[0].prototype = 1;
    }
    Simulation simulation = world.simulation();
    MissedRestitution lost;
    for (int k = 0; k < 50; ++k) lost += simulation.step().slow_restitution;
    const double lacks = kinetic_energy(mass, 1e-3) - simulation.report().kinetic_energy;
    EXPECT_EQ(lost.impacts, 1u);
    EXPECT_NEAR(lost.energy, lacks, 1e-3 * lacks);
  }
}

TEST(MissedRestitution, AreCountedWhereTheImpactOutrunsTheMargin) {
  // The step is solved again for the pair that was not in the list.
  for (const bool in_the_list : {false, true}) {
    World world = in_empty_space(coulomb(0, 0.9), 1e-3);
    if (in_the_list) world.model.step.margin = 0.08;
    world.sphere({0, 0, 0}, 0.01, {20, 0, 0});
    world.sphere({0.02, 0, 0}, 0.01);
    world.sphere({0.042, 0, 0}, 0.01);
    Simulation simulation = world.simulation();
    MissedRestitution lost;
    for (int k = 0; k < 5; ++k) lost += simulation.step().missed_restitution;
    EXPECT_EQ(lost.impacts, 1u) << in_the_list;
  }
}

TEST(MissedRestitution, AreCountedAcrossGravityHoweverSlowTheImpact) {
  World world(coulomb(0, 0.9), 5e-3);
  world.model.step.restitution_threshold = 0.06;
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.sphere({0, 0, 0.01}, 0.01, {0.045, 0, 0});
  world.sphere({0.0215, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  MissedRestitution lost;
  for (int k = 0; k < 20; ++k) lost += simulation.step().slow_restitution;
  EXPECT_EQ(lost.impacts, 1u);
}

TEST(MissedRestitution, AreNotSeenInBoxesThatRestOnSmallGaps) {
  // Dropped, so that points rest a few micrometres apart, and carry.
  World world(coulomb(0.5, 0.3), 5e-4);
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.box({0, 0, 0.015}, {0.04, 0.04, 0.02});
  world.box({0.001, 0.002, 0.04}, {0.04, 0.04, 0.02});
  Simulation simulation = world.simulation();
  while (simulation.report().time < 0.5) simulation.step();
  ASSERT_LT(simulation.report().kinetic_energy, 1e-9);
  for (int k = 0; k < 200; ++k) {
    const Report& report = simulation.step();
    EXPECT_EQ(report.missed_restitution.impacts + report.slow_restitution.impacts, 0u) << k;
  }
}

TEST(MissedRestitution, AreNotSeenInABodyThatRests) {
  World world(coulomb(0.3, 0.9), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1}).sphere({0, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 200; ++k) {
    const Report& report = simulation.step();
    EXPECT_EQ(report.missed_restitution.impacts + report.slow_restitution.impacts, 0u) << k;
  }
}

TEST(ABoxThatHitsTheFloorFlat, ReboundsHoweverShortTheStepIs) {
  for (const double h : {1e-5, 1e-4, 1e-3, 1.7e-3}) {
    World world = in_empty_space(coulomb(0.3, 0.8), h);
    world.half_space({0, 0, 0}, {0, 0, 1});
    world.box({0, 0, 0.5005}, {1, 1, 1}).velocity = {0, 0, -0.05};
    Simulation simulation = world.simulation();
    for (double t = 0; t < 0.02; t += h) simulation.step();
    EXPECT_NEAR(simulation.state().bodies.velocity[0].z, 0.04, 1e-9) << h;
  }
}

TEST(ABoxThatHitsTheFloorWithAnEdge, ReboundsAsOneContactDoesHoweverShortTheStepIs) {
  // 4 × 2 × 2 cm, turned by 30° about y, at 1 m/s, without friction, e = 1: the edge below is at
  // (−c, −s) of the centre, and r = 2 m / (1 + m c² / I).
  const double angle = std::numbers::pi / 6, sine = std::sin(angle), cosine = std::cos(angle);
  const double c = 0.01 * sine - 0.02 * cosine, s = 0.02 * sine + 0.01 * cosine;
  const double inertia = (0.04 * 0.04 + 0.02 * 0.02) / 12;  // over m
  const double r = 2 / (1 + c * c / inertia);               // over m
  for (const double h : {1e-6, 5e-6, 1e-4}) {
    World world = in_empty_space({LawKind::frictionless, 0, 1}, h);
    world.half_space({0, 0, 0}, {0, 0, 1});
    world.box({0, 0, s + 2e-5}, {0.04, 0.02, 0.02}, rotation({0, 1, 0}, angle)).velocity = {0, 0,
                                                                                            -1};
    Simulation simulation = world.simulation();
    for (double t = 0; t < 3e-4; t += h) simulation.step();
    // The edge turns a little on its way: of first order in the gap.
    EXPECT_NEAR(simulation.state().bodies.velocity[0].z, -1 + r, 1e-6) << h;
    EXPECT_NEAR(std::abs(simulation.state().bodies.angular_velocity[0].y),
                std::abs(c) * r / inertia, 1e-4)
        << h;
  }
}

}  // namespace
}  // namespace scree
