// Free spheres go through steps eight at a time, all other bodies one by one.
#include <gtest/gtest.h>

#include "support/random_impacts.hpp"

namespace scree {
namespace {

using namespace test;

struct Outcome {
  std::uint64_t motion;
  double kinetic, potential, damped, slid;
  std::size_t bodies;
};

/// After a while; with a force of zero on one of them no body is a free sphere.
Outcome outcome_of(const World& world, bool free) {
  Simulation simulation = world.simulation();
  for (int k = 0; k < 400; ++k) {
    if (!free) simulation.apply_force(BodyId{0}, {});
    simulation.step();
  }
  const Report& report = simulation.report();
  return {motion_hash(simulation.state()), report.kinetic_energy,    report.potential_energy,
          report.force_energy.damped,      report.force_energy.slid, report.bodies};
}

/// Of 203 spheres, which are not a number of eights.
World pile_of_free_spheres() { return random_pile(203, linear_law(1e4, 3e3, 0.4, 0.5), 2e-5, 5); }

void expect_the_same(const World& world) {
  const Outcome one_by_one = outcome_of(world, false), eights = outcome_of(world, true);
  EXPECT_EQ(eights.motion, one_by_one.motion);
  EXPECT_EQ(eights.bodies, one_by_one.bodies);
  EXPECT_EQ(eights.kinetic, one_by_one.kinetic);
  EXPECT_EQ(eights.potential, one_by_one.potential);
  // Powers are summed up in another order.
  EXPECT_GT(one_by_one.damped, 0);
  EXPECT_GT(one_by_one.slid, 0);
  EXPECT_NEAR(eights.damped, one_by_one.damped, 1e-12 * one_by_one.kinetic);
  EXPECT_NEAR(eights.slid, one_by_one.slid, 1e-12 * one_by_one.kinetic);
}

TEST(FreeSpheres, MoveAsTheyDoOneByOne) { expect_the_same(pile_of_free_spheres()); }

TEST(FreeSpheres, MoveAsTheyDoOneByOneWhereSomeHaveLeft) {
  World world = pile_of_free_spheres();
  // Those that begin a little off the first one, and fall.
  const double x = world.bodies[0].position.x;
  world.model.outflows.push_back({"side", {x + 8e-3, -1, -1}, {1, 1, 0.01}});
  const std::size_t left = outcome_of(world, true).bodies;
  EXPECT_LT(left, 203U);
  EXPECT_GT(left, 100U);
  expect_the_same(world);
}

}  // namespace
}  // namespace scree
