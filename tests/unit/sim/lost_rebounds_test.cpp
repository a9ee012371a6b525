#include <gtest/gtest.h>

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

TEST(LostRebounds, AreNoneWhereAPairMeetsByItself) {
  World world = in_empty_space(coulomb(0.3, 0.8), 1e-3);
  const double mass = world.sphere({0, 0, 0}, 0.01, {1, 0, 0}).mass;
  world.sphere({0.0215, 0, 0}, 0.01);
  Simulation simulation = world.simulation();
  const double before = simulation.report().kinetic_energy;
  LostRebounds lost;
  for (int k = 0; k < 10; ++k) lost += simulation.step().hidden_rebounds;
  EXPECT_EQ(lost.impacts, 0u);
  EXPECT_NEAR(before - simulation.report().kinetic_energy,
              kinetic_energy(mass / 2, 1) * (1 - 0.8 * 0.8), 1e-12);
}

TEST(LostRebounds, AreCountedWhereAPercussionOfTheSameStepMakesTheImpact) {
  // The second sphere is hit, and hits the third within the same step: from 1 m/s to rest together,
  // not on to the third.
  World world = in_empty_space(coulomb(0, 1), 1e-3);
  const double mass = world.sphere({0, 0, 0}, 0.01, {1, 0, 0}).mass;
  world.sphere({0.0205, 0, 0}, 0.01);
  world.sphere({0.0408, 0, 0}, 0.01);
  Simulation simulation = world.simulation();
  LostRebounds lost;
  for (int k = 0; k < 10; ++k) {
    const Report& report = simulation.step();
    lost += report.hidden_rebounds;
    EXPECT_EQ(report.slow_rebounds.impacts, 0u);
  }
  EXPECT_EQ(lost.impacts, 1u);
  const double lacks = kinetic_energy(mass, 1) - simulation.report().kinetic_energy;
  EXPECT_GT(lacks, 0.1 * kinetic_energy(mass, 1));
  EXPECT_GT(lost.energy, 0.5 * lacks) << "what is told is of the size of what is missing";
  EXPECT_LT(lost.energy, 2 * lacks + kinetic_energy(mass, 1) / 2);
}

TEST(LostRebounds, OfImpactsBelowTheThresholdAreToldAtEveryScale) {
  for (const bool of_unequal_inertia : {false, true}) {
    World world = in_empty_space(coulomb(0.3, 1), 1e-3);
    const double mass = world.sphere({0, 0, 0}, 1e-5, {1e-3, 0, 0}).mass;
    world.sphere({5e-5, 0, 0}, 1e-5);
    if (of_unequal_inertia) {
      world.model.prototypes.push_back({Sphere{1}, {0.3, 0.4, 0.5}});
      world.bodies[0].prototype = 1;
    }
    Simulation simulation = world.simulation();
    LostRebounds lost;
    for (int k = 0; k < 50; ++k) lost += simulation.step().slow_rebounds;
    const double lacks = kinetic_energy(mass, 1e-3) - simulation.report().kinetic_energy;
    EXPECT_EQ(lost.impacts, 1u);
    EXPECT_NEAR(lost.energy, lacks, 1e-3 * lacks);
  }
}

TEST(LostRebounds, AreNotSeenInABodyThatRests) {
  World world(coulomb(0.3, 0.9), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1}).sphere({0, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 200; ++k) {
    const Report& report = simulation.step();
    EXPECT_EQ(report.hidden_rebounds.impacts + report.slow_rebounds.impacts, 0u) << k;
  }
}

}  // namespace
}  // namespace scree
