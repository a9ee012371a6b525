// Worlds in which some pairs have springs and others are rigid.
#include <gtest/gtest.h>

#include "scree/laws/force_pair.hpp"
#include "support/impacts.hpp"
#include "support/random_impacts.hpp"
#include "support/soft_piles.hpp"

namespace scree {
namespace {

using namespace test;

TEST(MixedLaws, AStepThatIsSolvedAgainLoadsSpringsOnce) {
  const PairLaw springs = linear_law(1, 0.3, 0.4, 0.5);
  const auto run = [&](bool with_rigid_balls) {
    World world(springs, 1e-3);
    world.model.gravity = {};
    world.model.materials = {{"rubber", 1000}, {"stone", 1000}};
    world.model.laws = LawTable(2, coulomb(0.4, 1));
    world.model.laws.assign(0, 0, springs);
    // Two soft balls that hit obliquely.
    world.sphere({0, 0, 0}, 5e-3, {0.02, 0.01, 0}, {3, 5, 7});
    world.sphere({9.9e-3, 1e-3, 0}, 5e-3, {-0.02, 0.03, 0}, {1, -5, 2});
    // A ball that passes its speed on to one at rest, which meets another in the same step: over
    // and over, in a row.
    for (int k = 0; with_rigid_balls && k < 30; ++k) {
      world.sphere({1 + 0.0112 * k, 1, 0}, 5e-3, {k == 0 ? 5.0 : 0.0, 0, 0}).material = 1;
    }
    Simulation simulation = world.simulation();
    for (int k = 0; k < 40; ++k) simulation.step();
    return std::pair{body_of(simulation, 0), body_of(simulation, 1)};
  };
  const auto alone = run(false), among = run(true);
  EXPECT_NE(alone.first.velocity, (Vec3{0.02, 0.01, 0}));
  EXPECT_EQ(among.first.velocity, alone.first.velocity);
  EXPECT_EQ(among.first.angular_velocity, alone.first.angular_velocity);
  EXPECT_EQ(among.second.velocity, alone.second.velocity);
}

/// Stone on stone is rigid, all that touches rubber is soft.
World mixed_world(double h) {
  World world(coulomb(0.4), h);
  world.model.materials = {{"stone", 1000}, {"rubber", 1000}};
  world.model.laws = LawTable(2, coulomb(0.4));
  world.model.laws.assign(0, 1, soft());
  world.model.laws.assign(1, 1, soft());
  return world;
}

TEST(MixedLaws, BooksCloseWhereImpactsAreSolvedByPhases) {
  for (const ImpactLaw law : {ImpactLaw::poisson, ImpactLaw::energetic})
    for (const bool boxes : {false, true}) {
      constexpr double kStep = 2e-5;
      World world = boxes ? random_boxes(40, coulomb(0.4, 0.7), kStep, 1)
                          : random_pile(60, coulomb(0.4, 0.7), kStep, 1);
      world.model.step.impacts = law;
      world.model.materials = {{"stone", 1000}, {"rubber", 1000}};
      world.model.laws = LawTable(2, coulomb(0.4, 0.7));
      world.model.laws.assign(1, 1, soft());
      for (std::size_t k = 0; k < world.bodies.size(); k += 2) world.bodies[k].material = 1;
      Simulation simulation = world.simulation();
      const double start = total_energy(simulation.step());
      double compression = 0, elastic = 0;
      for (int k = 0; k < 3000; ++k) {
        const Report& report = simulation.step();
        compression += report.impact_work.compression;
        elastic = std::max(elastic, report.force_energy.elastic());
        ASSERT_EQ(report["energy_created"].value, 0) << k;
        // boxes do not turn freely exactly
        ASSERT_NEAR(total_energy(report), start, (boxes ? 1e-7 : 1e-12) * start) << k;
        ASSERT_LE(total_energy(report) - report.dissipated_energy, start * (1 + 1e-7)) << k;
      }
      EXPECT_GT(compression, 0);
      EXPECT_GT(elastic, 0) << "both kinds of contacts are among them";
    }
}

TEST(MixedLaws, ASoftBallRestsOnARigidOneWithItsWeightInTheSpring) {
  World world = mixed_world(1e-4);
  world.half_space({}, {0, 0, 1});
  world.sphere({0, 0, 0.01}, 0.01);
  Body& above = world.sphere({0, 0, 0.0302}, 0.01);
  above.material = 1;
  const double weight = above.mass * kGravity;
  world.model.step.local_damping = 0.3;
  Simulation simulation = world.simulation();
  run_until(simulation, 2);
  const Body low = body_of(simulation, 0), high = body_of(simulation, 1);
  EXPECT_NEAR(low.position.z, 0.01, 1e-9);
  EXPECT_NEAR(high.position.z - low.position.z, 0.02 - weight / 1e4, 1e-9);
  const Wrench on_floor = simulation.contact_force_on_obstacle(0);
  EXPECT_NEAR(on_floor.force.z, -2 * weight, 1e-6 * weight);
}

TEST(MixedLaws, ARigidBoxSinksIntoSoftGrainsAsItsWeightSays) {
  World world = mixed_world(2e-5);
  world.half_space({}, {0, 0, 1});
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y) world.sphere({0.03 * x, 0.03 * y, 0.01}, 0.01).material = 1;
  const Body& box = world.box({0.015, 0.015, 0.0301}, {0.05, 0.05, 0.02});
  const double grain = world.bodies[0].mass;
  const std::size_t of_box = world.bodies.size() - 1;
  const double weight = box.mass * kGravity;
  world.model.step.local_damping = 0.3;
  Simulation simulation = world.simulation();
  run_until(simulation, 1.5);
  // Each grain carries a quarter of the box; the floor is stone, so soft as well. A box shares its
  // stiffness among the points of a face; here it has one a grain.
  const double under = (weight / 4 + grain * kGravity) / 1e4, over = weight / 4 / 1e4;
  EXPECT_NEAR(body_of(simulation, of_box).position.z, 0.03 - under - over, 2e-8);
  EXPECT_LT(norm(body_of(simulation, of_box).velocity), 1e-6);
}

}  // namespace
}  // namespace scree
