#include <gtest/gtest.h>
#include <limits>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// A plate that pushes spheres of 0.5 mm along x at 1 m/s, a layer of 3 × 3 every diameter.
World pushed_channel() {
  World world(coulomb(0.4), 1e-5);
  world.model.gravity = {};
  world.half_space({}, {1, 0, 0});
  Inflow inflow{.name = "inflow", .plate = 0, .velocity = {1, 0, 0}, .jitter = {0, 0.1, 0.1}, .advance = 5e-4};
  for (int j = 0; j < 9; ++j) inflow.layer.push_back({2.5e-4, 1e-3 * (j % 3), 1e-3 * (j / 3)});
  inflow.radius = 2.5e-4, inflow.seed = 3;
  world.model.inflows.push_back(inflow);
  return world;
}

TEST(Inflow, LaysALayerEachTimeThePlateHasAdvanced) {
  Simulation simulation = pushed_channel().simulation();
  run_until(simulation, 5.2 * 5e-4);
  EXPECT_EQ(simulation.state().inflows[0].layers, 5u);
  EXPECT_EQ(simulation.state().bodies.size(), 45u);
  EXPECT_NEAR(simulation.state().obstacles[0].pose.position.x, 0.2 * 5e-4, 1e-5);
}

TEST(Inflow, GivesNewBodiesItsVelocityWithinTheJitter) {
  Simulation simulation = pushed_channel().simulation();
  std::size_t added = 0;
  while (added == 0) added = simulation.step().bodies_added;
  EXPECT_EQ(added, 9u);
  for (const Vec3& v : simulation.state().bodies.velocity) {
    EXPECT_NEAR(v.x, 1, 1e-9);
    EXPECT_LE(std::abs(v.y), 0.1);
    EXPECT_LE(std::abs(v.z), 0.1);
  }
}

TEST(Inflow, SkipsPlacesThatAreTaken) {
  World world = pushed_channel();
  for (Vec3& place : world.model.inflows[0].layer) place.x = 7e-4;
  world.sphere({8e-4, 0, 0}, 3e-4);  // the plate reaches it just as it is put back
  Simulation simulation = world.simulation();
  std::size_t added = 0, skipped = 0;
  for (int k = 0; k < 55; ++k) added += simulation.step().bodies_added, skipped += simulation.report().bodies_skipped;
  EXPECT_EQ(added, 8u);
  EXPECT_EQ(skipped, 1u);
}

TEST(Outflow, DeletesBodiesThatEnterItsRegion) {
  const double infinity = std::numeric_limits<double>::infinity();
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.model.outflows.push_back({"exit", {1, -infinity, -infinity}, {infinity, infinity, infinity}});
  for (int k = 0; k < 10; ++k) world.sphere({0.1 * k, 0, 0}, 0.01, {1, 0, 0});
  Simulation simulation = world.simulation();
  run_until(simulation, 0.55);
  EXPECT_EQ(simulation.report().bodies, 5u);
  for (const Vec3& x : simulation.state().bodies.position) EXPECT_LT(x.x, 1.02);
  run_until(simulation, 1.1);
  EXPECT_EQ(simulation.report().bodies, 0u);
}

TEST(InflowAndOutflow, KeepTheEnergyLedgerBalanced) {
  World world = pushed_channel();
  const double infinity = std::numeric_limits<double>::infinity();
  world.model.outflows.push_back({"exit", {5e-3, -infinity, -infinity}, {infinity, infinity, infinity}});
  Simulation simulation = world.simulation();
  double most = 0;
  for (int k = 0; k < 2000; ++k) {
    const Report& r = simulation.step();
    most = std::max(most, r.kinetic_energy);
    ASSERT_NEAR(r.kinetic_energy, r.wall_work - r.dissipated_energy, 1e-9 * most) << "step " << k;
  }
  EXPECT_GT(simulation.report().dissipated_energy, 0);
}

}  // namespace
}  // namespace scree
