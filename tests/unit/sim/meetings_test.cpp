// Which pairs meet within a step, and which do not.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

TEST(Meetings, SpheresThatPassEachOtherDoNotTouch) {
  // Radius 1 mm, an offset of a little more than the sum of radii, and steps of up to two diameters
  // of travel.
  for (const double offset : {2.0001e-3, 2.1e-3, 2.5e-3})
    for (const double h : {1e-4, 1e-3, 2e-3, 4e-3}) {
      World world(coulomb(0.5, 0.5), h);
      world.model.gravity = {};
      world.sphere({-2.2e-3, 0, 0}, 1e-3, {0.9, 0, 0}, {0, 0, 3});
      world.sphere({2.2e-3, offset, 0}, 1e-3, {-0.9, 0, 0}, {0, 100, 0});
      Simulation simulation = world.simulation();
      while (simulation.state().time < 1e-2) {
        simulation.step();
        EXPECT_EQ(simulation.report().contacts_loaded, 0u) << "offset " << offset << ", h " << h;
      }
      EXPECT_EQ(body_of(simulation, 0).velocity, (Vec3{0.9, 0, 0}));
      EXPECT_EQ(body_of(simulation, 1).angular_velocity, (Vec3{0, 100, 0}));
    }
}

TEST(Meetings, ASphereThatPassesAnEdgeDoesNotTouchIt) {
  for (const double h : {1e-4, 1e-3, 3e-3}) {
    World world(coulomb(0.5), h);
    world.model.gravity = {};
    world.obstacle(Box{{5e-3, 5e-3, 5e-3}}, {});
    // Past the edge x = z = 5 mm, along (1, 0, −1), a hundredth of a radius beyond it.
    const double way = 1.01e-3 / std::sqrt(2);
    world.sphere({5e-3 + way - 3e-3, 0, 5e-3 + way + 3e-3}, 1e-3, {1, 0, -1});
    Simulation simulation = world.simulation();
    while (simulation.state().time < 6e-3) EXPECT_EQ(simulation.step().contacts_loaded, 0u) << h;
    EXPECT_EQ(body_of(simulation, 0).velocity, (Vec3{1, 0, -1}));
  }
}

/// Mean error of the velocity after a hit of equal, smooth, elastic spheres, over 40 places in the
/// step, and the largest rotation reported [m/s], [rad].
std::pair<double, double> error_of_hit(double offset, double h) {
  double error = 0, turn = 0;
  for (int k = 0; k < 40; ++k) {
    World world({LawKind::frictionless, 0, 1}, h);
    world.model.gravity = {};
    world.sphere({}, 1e-3);
    world.sphere({-4e-3 + h * k / 40, offset, 0}, 1e-3, {1, 0, 0});
    Simulation simulation = world.simulation();
    while (simulation.state().time < 6e-3)
      turn = std::max(turn, simulation.step()["max_rotation"].value);
    // The velocity along the line of centres at touch passes to the other sphere.
    const Vec3 n{std::sqrt(1 - offset * offset / 4e-6), -offset / 2e-3, 0};
    error += norm(body_of(simulation, 0).velocity - n.x * n) / 40;
  }
  return {error, turn};
}

TEST(Meetings, HitsAreOfFirstOrderAndTheirErrorIsTold) {
  // An off-centre hit, and one that grazes by a thousandth of the radius.
  for (const double offset : {1.2e-3, 1.999e-3}) {
    const auto [coarse, coarse_turn] = error_of_hit(offset, 1e-4);
    const auto [fine, fine_turn] = error_of_hit(offset, 2.5e-5);
    EXPECT_LT(fine, 0.35 * coarse) << "offset " << offset;
    EXPECT_LT(coarse, 1.5 * coarse_turn) << "offset " << offset;
    EXPECT_LT(fine, 1.5 * fine_turn) << "offset " << offset;
  }
}

/// A heavy sphere hits a light one at rest, one millimetre before a thin wall.
World anvil(double h) {
  World world(coulomb(0.3, 1), h);
  world.model.gravity = {};
  world.obstacle(Box{{0.5e-3, 0.1, 0.1}}, {{2.5e-3, 0, 0}, {}});
  world.sphere({-12.5e-3, 0, 0}, 10e-3, {2.9, 0, 0}).mass *= 8;
  world.sphere({0, 0, 0}, 1e-3).mass *= 2.5;
  return world;
}

TEST(Meetings, WhatIsPushedWithinTheStepDoesNotPassAWall) {
  for (const double h : {1e-3, 5e-4, 1e-4, 1e-5}) {
    Simulation simulation = anvil(h).simulation();
    const double before = simulation.report().kinetic_energy;
    while (simulation.state().time < 5e-3) {
      const Report& report = simulation.step();
      EXPECT_LE(body_of(simulation, 1).position.x, 1e-3 * (1 + 1e-6))
          << "h " << h << ", step " << report.step;
      EXPECT_TRUE(report.converged);
      EXPECT_EQ(report["contacts_left_out"].value, 0u);
      EXPECT_LE(report.kinetic_energy, before * (1 + 1e-9));
    }
  }
}

TEST(Meetings, WhatIsPushedBeyondTheNeighbourListMeetsWhatIsThere) {
  // The light sphere is thrown twenty of its radii in the step: the list made before it knows no
  // pair so far away.
  for (const bool warm : {true, false}) {
    World world(coulomb(0.3, 1), 1e-3);
    world.model.gravity = {};
    world.model.solver.warm_start = warm;
    world.sphere({-12.5e-3, 0, 0}, 10e-3, {10, 0, 0}).mass *= 8;
    world.sphere({0, 0, 0}, 1e-3);
    world.sphere({14e-3, 0, 0}, 1e-3);
    Simulation simulation = world.simulation();
    const Report& report = simulation.step();
    EXPECT_EQ(report["contacts_left_out"].value, 0u);
    EXPECT_EQ(report.contacts_loaded, 2u);
    EXPECT_GE(body_of(simulation, 2).position.x - body_of(simulation, 1).position.x,
              2e-3 * (1 - 1e-9));
    EXPECT_GT(body_of(simulation, 2).velocity.x, 1);
  }
}

TEST(Meetings, AMarginThatIsGivenSaysWhatMayTouchAndWhatMeetsBeyondItIsCounted) {
  World world = anvil(1e-3);
  world.model.step.margin = 1e-5;
  Simulation simulation = world.simulation();
  EXPECT_EQ(simulation.step()["contacts_beyond_margin"].value, 1u) << "the pair that hits";
  EXPECT_EQ(simulation.report()["contacts_left_out"].value, 0u);
}

TEST(Meetings, ARowOfSpheresPassesAHitOnWithinAStep) {
  World world(coulomb(0, 0), 1e-2);
  world.model.gravity = {};
  world.sphere({-0.0121, 0, 0}, 0.01, {5, 0, 0}).mass *= 1000;
  for (int k = 0; k < 6; ++k) world.sphere({2.5e-3 * k, 0, 0}, 1e-3);
  Simulation simulation = world.simulation();
  EXPECT_EQ(simulation.step()["contacts_left_out"].value, 0u);
  for (int k = 1; k < 6; ++k)
    EXPECT_GE(body_of(simulation, k + 1).position.x - body_of(simulation, k).position.x,
              2e-3 * (1 - 1e-7))
        << k;
}

/// Laws and bodies whose contacts need a contact block, and those that do not.
struct Kind {
  LawKind law;
  bool loaded;  ///< unequal moments of inertia
};
const Kind kKinds[] = {{LawKind::coulomb, false},     {LawKind::coulomb, true},
                       {LawKind::polyhedral, false},  {LawKind::cone_complementarity, false},
                       {LawKind::frictionless, true}, {LawKind::max_dissipation, true}};

World ball_on(const Kind& kind, std::function<Twist(double)> floor) {
  World world({kind.law, 0.4, 0}, 1e-3);
  world.model.solver.warm_start = false;
  if (kind.loaded) world.model.prototypes[0].inertia = {0.3, 0.4, 0.5};
  world.obstacle(HalfSpace{}, {}, std::move(floor)).sphere({0, 0, 0.01}, 0.01);
  return world;
}

TEST(ColdStart, ABallAtRestCarriesItsWeightAndNoMore) {
  for (const Kind& kind : kKinds) {
    Simulation simulation = ball_on(kind, {}).simulation();
    for (int k = 0; k < 50; ++k) simulation.step();
    const double weight = body_of(simulation, 0).mass * kGravity * 1e-3;
    EXPECT_NEAR(norm(simulation.contacts().at(0).impulse), weight, 1e-9 * weight) << name(kind.law);
  }
}

TEST(ColdStart, AFloorThatDropsAwayDoesNotPullTheBall) {
  for (const Kind& kind : kKinds) {
    World world = ball_on(kind, [](double t) { return Twist{{0, 0, t < 0.02 ? 0 : -0.5}, {}}; });
    Simulation simulation = world.simulation();
    for (int k = 0; k < 30; ++k) simulation.step();
    EXPECT_NEAR(body_of(simulation, 0).velocity.z, -kGravity * 0.01, 1e-9) << name(kind.law);
    EXPECT_EQ(simulation.report().contacts_loaded, 0u) << name(kind.law);
  }
}

}  // namespace
}  // namespace scree
