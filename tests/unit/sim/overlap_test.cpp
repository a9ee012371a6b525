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

TEST(Overlap, IsSharedOutWhereThereIsNoRoom) {
  for (const double in_first : {0.0, 0.5e-3, 1e-3, 2e-3}) {
    World world(coulomb(0.5), 1e-3);
    world.model.gravity = {};
    world.half_space({0, 0, 0}, {1, 0, 0}).half_space({0.018, 0, 0}, {-1, 0, 0});
    world.sphere({0.01 - in_first, 0, 0}, 0.01);
    Simulation simulation = world.simulation();
    double deeper = std::max(in_first, 2e-3 - in_first);
    for (int k = 0; k < 100; ++k) {
      simulation.step();
      const double x = body_of(simulation, 0).position.x, now = 0.001 + std::abs(x - 0.009);
      EXPECT_LE(now, std::max(deeper, 1.01e-3)) << "the deeper overlap is never driven deeper";
      deeper = now;
    }
    EXPECT_NEAR(body_of(simulation, 0).position.x, 0.009, 1e-5);
  }
}

TEST(Overlap, OfAHeapWithoutRoomGoesToABalanceAndStaysThere) {
  // Of 10 % and more, disordered, in a box too small for all: Σ overlap² m falls, then hovers.
  World world(coulomb(0.5), 1e-3);
  world.model.gravity = {};
  for (const double side : {1.0, -1.0}) {
    world.half_space({-0.05 * side, 0, 0}, {side, 0, 0});
    world.half_space({0, -0.05 * side, 0}, {0, side, 0});
    world.half_space({0, 0, -0.05 * side}, {0, 0, side});
  }
  for (int k = 0; k < 216; ++k)
    world.sphere({(k % 6 - 2.5) * 0.0176 + 1e-3 * std::sin(7.0 * k),
                  (k / 6 % 6 - 2.5) * 0.0176 + 1e-3 * std::sin(11.0 * k),
                  (k / 36 - 2.5) * 0.0176 + 1e-3 * std::sin(13.0 * k)},
                 0.01);
  Simulation simulation = world.simulation();
  const auto sum = [&] {
    double squares = 0;
    simulation.for_each_piece_of_contacts([&](std::span<const ContactRecord> piece) {
      for (const ContactRecord& contact : piece) {
        const double reduced = is_obstacle(contact.b) ? 1 : 0.5;
        squares += contact.gap < 0 ? reduced * contact.gap * contact.gap : 0;
      }
    });
    return squares;
  };
  simulation.step();
  const double start = sum();  // at the start of the step
  double min_value = start;
  for (int k = 0; k < 300; ++k) {
    simulation.step();
    const double now = sum();
    ASSERT_LE(now, 1.01 * min_value) << "step " << k;
    min_value = std::min(min_value, now);
  }
  EXPECT_LT(min_value, 0.6 * start);
  EXPECT_EQ(simulation.report().kinetic_energy, 0);
}

/// A ball on a floor under a press that comes down ever so slowly; far from it another one slides.
/// Steps of `h` until `until`; how many drove contacts deeper.
int steps_of_growing_penetration(OverlapCorrection correction, double press, double slides,
                                 double h, double until, double& depth) {
  World world(coulomb(0.3), h);
  world.model.step.overlap_correction = correction;
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.model.solver.tolerance = 1e-4;
  world.obstacle(Box{{1, 1, 0.5}}, {{0, 0, 0.52}}, [=](double) {
    return Twist{{0, 0, -press}, {}};
  });
  world.sphere({0, 0, 0.01}, 0.01);
  if (slides > 0) world.sphere({5, 0, 0.005}, 0.005, {slides, 0, 0});
  Simulation simulation = world.simulation();
  int deeper = 0;
  for (double t = 0; t < until; t += h) {
    const Report& report = simulation.step();
    deeper += report["contacts_growing_penetration"].value > 0;
    depth = report.max_relative_penetration;
    if (depth < kDeepOverlap) EXPECT_EQ(report["contacts_growing_penetration"].value, 0U);
  }
  return deeper;
}

TEST(Overlap, ThatAPressMakesTooSlowlyForTheToleranceIsToldOfWhileItGrows) {
  using enum OverlapCorrection;
  for (const OverlapCorrection correction : {positions, velocities}) {
    double depth = 0;
    // The press goes 1.6 mm: 8 % of the radius on either side.
    EXPECT_GT(steps_of_growing_penetration(correction, 8e-5, 0, 0.1, 20, depth), 50);
    EXPECT_NEAR(depth, 0.08, 0.03);
    EXPECT_GT(steps_of_growing_penetration(correction, 5e-4, 10, 1e-3, 3.2, depth), 500);
    EXPECT_EQ(steps_of_growing_penetration(correction, 5e-4, 10, 1e-3, 1, depth), 0)
        << "still shallow";
  }
}

/// Of steps in which a press at 8e-5 m/s comes 2.4 mm down on a body of height 20 mm, how many
/// drove contacts deeper.
int steps_under_a_slow_press(const PairLaw& law, const std::function<void(World&)>& lay) {
  World world(law, 0.1);
  world.model.solver.tolerance = 1e-4;
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.obstacle(Box{{1, 1, 0.5}}, {{0, 0, 0.52}}, [](double) { return Twist{{0, 0, -8e-5}, {}}; });
  lay(world);
  Simulation simulation = world.simulation();
  int deeper = 0;
  for (int k = 0; k < 300; ++k)
    deeper += simulation.step()["contacts_growing_penetration"].value > 0;
  return deeper;
}

TEST(Overlap, ThatASlowPressMakesIsToldOfWithEveryLawAndShape) {
  for (const LawKind law : {LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation,
                            LawKind::cone_complementarity, LawKind::polyhedral})
    EXPECT_GT(steps_under_a_slow_press({law, law == LawKind::frictionless ? 0 : 0.3},
                                       [](World& w) {
                                         w.sphere({0, 0, 0.01}, 0.01);
                                       }),
              50);
  // Its depth counts by half its height, however wide it is.
  for (const double width : {0.02, 0.2, 1.0})
    EXPECT_GT(steps_under_a_slow_press(coulomb(0.3),
                                       [=](World& w) {
                                         w.box({0, 0, 0.01}, {width, width, 0.02});
                                       }),
              50)
        << width;
}

TEST(Overlap, OfABoxBetweenWallsIsSharedOut) {
  for (const double in_first : {0.0, 0.5e-3, 2e-3}) {
    World world(coulomb(0.5), 1e-3);
    world.model.gravity = {};
    world.half_space({0, 0, 0}, {1, 0, 0}).half_space({0.018, 0, 0}, {-1, 0, 0});
    world.box({0.01 - in_first, 0, 0}, {0.02, 0.03, 0.04});
    Simulation simulation = world.simulation();
    for (int k = 0; k < 100; ++k) EXPECT_EQ(simulation.step().kinetic_energy, 0);
    EXPECT_NEAR(body_of(simulation, 0).position.x, 0.009, 2e-5);
  }
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

TEST(Overlap, IsCarriedInFullByImpulsesWhileItIsUndone) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1});
  const double mass = world.sphere({0, 0, 0.0099}, 0.01).mass;
  Simulation simulation = world.simulation();
  for (int k = 0; k < 20; ++k) {
    simulation.step();
    EXPECT_NEAR(norm(simulation.contacts().at(0).impulse), mass * kGravity * 1e-3, 1e-12 * mass);
  }
}

}  // namespace
}  // namespace scree
