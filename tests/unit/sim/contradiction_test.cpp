// What cannot be had is reported with the contacts that contradict each other.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// Two plates close on a sphere, another sphere rolls elsewhere.
World vice(const PairLaw& law, double speed) {
  World world(law, 1e-3);
  world.model.solver = {.method = SolverKind::gauss_seidel, .tolerance = 1e-4, .max_sweeps = 200};
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.obstacle(Box{{0.01, 0.1, 0.1}}, {{-0.025, 0, 0.1}, {}}, [=](double) {
    return Twist{{speed, 0, 0}, {}};
  });
  world.obstacle(Box{{0.01, 0.1, 0.1}}, {{0.025, 0, 0.1}, {}}, [=](double) {
    return Twist{{-speed, 0, 0}, {}};
  });
  world.sphere({0, 0, 0.01}, 0.01);
  world.sphere({0.5, 0, 0.01}, 0.01, {0.1, 0, 0});
  return world;
}

TEST(Contradiction, OfWallsThatSqueezeASphereNamesTheWallsAndTheSphere) {
  for (const LawKind law : {LawKind::coulomb, LawKind::polyhedral, LawKind::cone_complementarity}) {
    Simulation simulation = vice({law, 0.4, 0}, 0.1).simulation();
    run_until(simulation, 0.1);
    ASSERT_FALSE(simulation.report().converged);
    std::vector<std::pair<BodyId, BodyId>> expected{{BodyId{0}, obstacle_id(1)},
                                                    {BodyId{0}, obstacle_id(2)}};
    // The relaxation has its whole cone in the proof: the floor's impulse, too, takes work from
    // whatever slips.
    if (law == LawKind::cone_complementarity)
      expected.insert(expected.begin(), {BodyId{0}, obstacle_id(0)});
    EXPECT_EQ(simulation.contradiction(), expected) << name(law);
  }
}

TEST(Contradiction, IsNotSeenWhereWallsStop) {
  World world = vice(coulomb(0.4), 0.1);
  world.model.obstacles[1].motion = world.model.obstacles[2].motion = {};
  Simulation simulation = world.simulation();
  run_until(simulation, 0.1);
  EXPECT_TRUE(simulation.report().converged);
  EXPECT_TRUE(simulation.contradiction().empty());
}

TEST(Contradiction, IsNotSeenWhereAHeavyBodyLiesOnALightOne) {
  // The light one has to carry 10¹² times its own weight, more than sweeps bring to it, but it can.
  World world(coulomb(0.4), 1e-3);
  world.model.solver = {.method = SolverKind::gauss_seidel, .tolerance = 1e-4, .max_sweeps = 50};
  world.half_space({0, 0, 0}, {0, 0, 1});
  for (const double mass : {1.0, 1e12})
    world.sphere({0, 0, mass > 1 ? 0.03 : 0.01}, 0.01).mass = mass;
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_FALSE(simulation.report().converged);
  EXPECT_TRUE(simulation.contradiction().empty());
}

TEST(Contradiction, IsFoundAmongManyContacts) {
  World world = random_pile(300, coulomb(0.4), 5e-4, 6);
  world.model.solver = {.method = SolverKind::gauss_seidel, .tolerance = 1e-4, .max_sweeps = 200};
  // A vice, high above the pile.
  const Vec3 place{0.03, 0.03, 1};
  for (const double side : {-1.0, 1.0})
    world.obstacle(Box{{0.01, 0.1, 0.1}}, {place + Vec3{0.042 * side, 0, 0}, {}}, [=](double) {
      return Twist{{-0.2 * side, 0, 0}, {}};
    });
  world.sphere(place + Vec3{0, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  run_until(simulation, 0.15);
  ASSERT_GT(simulation.report().contacts, 64u);
  ASSERT_FALSE(simulation.report().converged);
  EXPECT_EQ(simulation.contradiction().size(), 2u);
}

}  // namespace
}  // namespace scree
