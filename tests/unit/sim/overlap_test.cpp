#include <cmath>
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kLetBe = 1e-4;  // of the smaller radius

double gap_of(const Simulation& simulation, std::uint64_t a, std::uint64_t b) {
  const Body one = body_of(simulation, a), other = body_of(simulation, b);
  return norm(other.position - one.position) - one.radius - other.radius;
}

TEST(Overlap, OfTwoSpheresIsUndoneWithoutGivingThemVelocity) {
  World world(coulomb(0.5), 1e-3);
  world.model.gravity = {};
  const double mass = world.sphere({0, 0, 0}, 0.01).mass;
  // 15 % of the smaller radius
  const double other_mass = world.sphere({0.0285, 0, 0}, 0.02).mass;
  Simulation simulation = world.simulation();
  double overlap = -gap_of(simulation, 0, 1);
  for (int k = 0; k < 200; ++k) {
    const Report& report = simulation.step();
    EXPECT_EQ(report.kinetic_energy, 0);
    EXPECT_EQ(report.contacts_loaded, 0);
    EXPECT_LE(-gap_of(simulation, 0, 1), overlap);
    overlap = -gap_of(simulation, 0, 1);
  }
  EXPECT_LT(overlap, 1.1 * kLetBe * 0.01);
  EXPECT_GT(overlap, 0.5 * kLetBe * 0.01) << "no further than needed";
  // About their common centre, as pushes that are equal and opposite move them.
  const double centre =
      mass * body_of(simulation, 0).position.x + other_mass * body_of(simulation, 1).position.x;
  EXPECT_NEAR(centre, other_mass * 0.0285, 1e-12 * centre);
}

TEST(Overlap, IsUndoneByAFifthAStep) {
  World world(coulomb(0.5), 1e-3);
  world.model.gravity = {};
  world.sphere({0, 0, 0}, 0.01);
  world.sphere({0.02 - 1e-4, 0, 0}, 0.01);
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_NEAR(gap_of(simulation, 0, 1), -1e-4 + 0.2 * (1e-4 - kLetBe * 0.01), 1e-12);
}

TEST(Overlap, OfAPairThatPartsBySpeedEnoughIsLeftToIt) {
  World world(coulomb(0.5), 1e-3);
  world.model.gravity = {};
  world.sphere({0, 0, 0}, 0.01);
  world.sphere({0.02 - 1e-4, 0, 0}, 0.01, {1, 0, 0});
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_DOUBLE_EQ(body_of(simulation, 1).position.x, 0.02 - 1e-4 + 1e-3);
  EXPECT_EQ(body_of(simulation, 0).position.x, 0);
}

TEST(Overlap, PushesNoBodyIntoItsNextNeighbour) {
  World world(coulomb(0.5), 1e-3);
  world.model.gravity = {};
  world.half_space({0, 0, 0}, {1, 0, 0});
  world.sphere({0.01, 0, 0}, 0.01);  // touches the wall
  world.sphere({0.03 - 1e-4, 0, 0}, 0.01);
  Simulation simulation = world.simulation();
  simulation.step();
  constexpr double kUnsolved = 0.1 * 0.2 * 1e-4;  // the sweeps end at a tenth of the first
  EXPECT_GE(body_of(simulation, 0).position.x, 0.01 - kLetBe * 0.01 - kUnsolved);
  EXPECT_GE(gap_of(simulation, 0, 1), -0.8 * 1e-4 - kLetBe * 0.01 - kUnsolved);
}

TEST(Overlap, OfManyLayersGrowsIntoRoomWithoutBursting) {
  World world(coulomb(0.3), 1e-3);
  world.model.gravity = {};
  for (int k = 0; k < 60; ++k) world.sphere({0.018 * k, 0, 0}, 0.01);
  Simulation simulation = world.simulation();
  double last = body_of(simulation, 59).position.x;
  for (int k = 0; k < 5000; ++k) {
    const Report& report = simulation.step();
    ASSERT_EQ(report.kinetic_energy, 0);
    const double now = body_of(simulation, 59).position.x;
    ASSERT_LE(now - last, 1.0001 * 0.01 * 0.01) << "a hundredth of its radius a step";
    last = now;
  }
  EXPECT_LT(simulation.report().max_penetration, 1e-3 * 0.01);
}

TEST(Overlap, OfABoxesEdgeTurnsItOutWithoutSpin) {
  World world(coulomb(0.5), 1e-3);
  world.model.gravity = {};
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.box({0, 0, 0.05}, {0.2, 0.2, 0.1}, rotation({0, 1, 0}, 0.01));
  Simulation simulation = world.simulation();
  const double radius = body_of(simulation, 0).radius;
  for (int k = 0; k < 100; ++k) EXPECT_EQ(simulation.step().kinetic_energy, 0);
  EXPECT_LT(simulation.report().max_penetration, 1.1 * kLetBe * radius);
  const Vec3 up = rotate(body_of(simulation, 0).orientation, {0, 0, 1});
  EXPECT_LT(up.x, 0.008) << "it was turned, not lifted alone";
  EXPECT_GT(up.x, 0);
}

TEST(Overlap, OfABoxThatSpinsLeavesItsAngularMomentum) {
  World world(coulomb(0), 1e-3);
  world.model.gravity = {};
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.box({0, 0, 0.024}, {0.2, 0.1, 0.05}, rotation({1, 0, 0}, 0.01)).angular_velocity = {0, 0,
                                                                                            5};
  Simulation simulation = world.simulation();
  const auto momentum = [&] { return angular_momentum(world.model, body_of(simulation, 0)); };
  const Vec3 start = momentum();
  Vec3 given;
  for (int k = 0; k < 20; ++k) {
    simulation.step();
    given += 1e-3 * simulation.contact_force({0}).torque;
  }
  EXPECT_LT(simulation.report().max_penetration, 1e-3) << "it was pushed out";
  EXPECT_NEAR(norm(momentum() - start - given), 0, 1e-12 * norm(start));
}

TEST(Overlap, OfABodyWithAFloorIsPaidForInTheBooks) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.sphere({0, 0, 0.0099}, 0.01);
  world.box({0.1, 0, 0.0098}, {0.02, 0.03, 0.02}, rotation({0, 1, 0}, 0.02));
  Simulation simulation = world.simulation();
  const double start = simulation.report().kinetic_energy + simulation.report().potential_energy;
  for (int k = 0; k < 100; ++k) simulation.step();
  const Report& report = simulation.report();
  const double change = report.kinetic_energy + report.potential_energy - start;
  EXPECT_GT(change, 0) << "they were lifted";
  EXPECT_NEAR(change + report.dissipated_energy - report.wall_work, 0, 1e-6 * change);
}

TEST(Overlap, BelowWhatIsLetBeMovesNothing) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.sphere({0, 0, 0.01 * (1 - 0.9e-4)}, 0.01);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 100; ++k) simulation.step();
  EXPECT_EQ(body_of(simulation, 0).position.z, 0.01 * (1 - 0.9e-4));
}

TEST(Overlap, IsCarriedInFullByPercussionsWhileItIsUndone) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1});
  const double mass = world.sphere({0, 0, 0.0099}, 0.01).mass;
  Simulation simulation = world.simulation();
  for (int k = 0; k < 20; ++k) {
    simulation.step();
    EXPECT_NEAR(norm(simulation.contacts().at(0).percussion), mass * kGravity * 1e-3, 1e-12 * mass);
  }
}

}  // namespace
}  // namespace scree
