// Where the energy goes: the ledger closes to rounding.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// Change + dissipated − wall work, over the largest energy that came by.
double unaccounted(const World& world, int steps) {
  Simulation simulation = world.simulation();
  const Report first = simulation.report();
  double largest = first.kinetic_energy;
  for (int k = 0; k < steps; ++k) {
    const Report& report = simulation.step();
    largest = std::max({largest, report.kinetic_energy, std::abs(report.dissipated_energy),
                        std::abs(report.wall_work)});
  }
  const Report& last = simulation.report();
  const double change =
      last.kinetic_energy + last.potential_energy - first.kinetic_energy - first.potential_energy;
  return (change + last.dissipated_energy - last.wall_work) / largest;
}

TEST(Energy, OfFreeFallIsKept) {
  World world(coulomb(0.5), 1e-3);
  world.sphere({0, 0, 1}, 0.01, {0.3, 0.1, 2});
  EXPECT_NEAR(unaccounted(world, 500), 0, 1e-13);
}

TEST(Energy, OfASphereAtRestIsNotDissipated) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 1000; ++k) simulation.step();
  const double weight = body_of(simulation, 0).mass * kGravity;
  EXPECT_NEAR(simulation.report().dissipated_energy, 0, 1e-15 * weight);
  EXPECT_NEAR(simulation.contacts().at(0).dissipated_energy, 0, 1e-15 * weight);
}

TEST(Energy, OfAPileIsAccountedForToRounding) {
  EXPECT_NEAR(unaccounted(random_pile(100, coulomb(0.4), 5e-4, 7), 400), 0, 1e-11);
  EXPECT_NEAR(unaccounted(random_pile(100, coulomb(0.2, 0.7), 5e-4, 8), 400), 0, 1e-11);
}

TEST(Energy, OfAMovingWallIsAccountedForToRounding) {
  World world(coulomb(0.5, 0.3), 1e-3);
  world.obstacle(Box{{0.5, 0.5, 0.01}}, {}, [](double t) {
    return Twist{{0.1, 0, 0.2 * std::cos(30 * t)}, {0, 0, 1}};
  });
  for (int k = 0; k < 5; ++k)
    world.sphere({0.1 * k - 0.2, 0, 0.03 + 0.001 * k}, 0.02, {0, 0.1 * k, 0});
  EXPECT_NEAR(unaccounted(world, 500), 0, 1e-12);
}

TEST(Energy, OfContactsIsThatOfTheLedger) {
  Simulation simulation = random_pile(60, coulomb(0.4, 0.3), 5e-4, 3).simulation();
  for (int k = 0; k < 100; ++k) {
    const double before = simulation.report().dissipated_energy;
    simulation.step();
    double sum = 0;
    for (const ContactRecord& contact : simulation.contacts()) sum += contact.dissipated_energy;
    EXPECT_NEAR(sum, simulation.report().dissipated_energy - before,
                1e-12 * simulation.report().kinetic_energy);
  }
}

}  // namespace
}  // namespace scree
