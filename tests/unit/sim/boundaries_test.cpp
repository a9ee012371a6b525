#include <algorithm>
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
  Inflow inflow{.name = "inflow",
                .plate = 0,
                .velocity = {1, 0, 0},
                .jitter = {0, 0.1, 0.1},
                .advance = 5e-4};
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
  for (int k = 0; k < 55; ++k)
    added += simulation.step().bodies_added, skipped += simulation.report().bodies_skipped;
  EXPECT_EQ(added, 8u);
  EXPECT_EQ(skipped, 1u);
}

TEST(Inflow, SkipsPlacesThatImagesTake) {
  World world = pushed_channel();
  for (Vec3& place : world.model.inflows[0].layer) place.x = 7e-4;
  world.model.domain = Domain(Vec3{0, 3e-3, 0});
  world.sphere({8e-4, 5 * 3e-3, 0}, 3e-4);
  Simulation simulation = world.simulation();
  std::size_t added = 0, skipped = 0;
  for (int k = 0; k < 55; ++k)
    added += simulation.step().bodies_added, skipped += simulation.report().bodies_skipped;
  EXPECT_EQ(added, 8u);
  EXPECT_EQ(skipped, 1u);
}

/// A tight channel: a layer every diameter, of grains that fill its width.
World tight_channel(double h) {
  World world(coulomb(0.4), h);
  world.model.gravity = {};
  world.half_space({}, {1, 0, 0}).half_space({}, {0, 1, 0}).half_space({0, 2e-3, 0}, {0, -1, 0});
  Inflow inflow{.name = "inflow", .plate = 0, .velocity = {1, 0, 0}, .advance = 5e-4};
  for (int j = 0; j < 4; ++j) inflow.layer.push_back({2.5e-4, 2.5e-4 + 5e-4 * j, 0});
  inflow.radius = 2.5e-4;
  world.model.inflows.push_back(inflow);
  world.model.outflows.push_back({"exit", {0.01, -1, -1}, {1, 1, 1}});
  return world;
}

TEST(Inflow, LosesNoGrainWhereTheStepDoesNotDivideTheStroke) {
  for (const double steps_a_stroke : {23.5, 20.7, 7.3, 2.51}) {
    Simulation simulation = tight_channel(5e-4 / steps_a_stroke).simulation();
    std::size_t added = 0, skipped = 0;
    for (int k = 0; k < 2000; ++k) {
      added += simulation.step().bodies_added, skipped += simulation.report().bodies_skipped;
      // The mean rate is exact: at no time is the count off by more than the plate moves in half a
      // step.
      const InflowState& inflow = simulation.state().inflows[0];
      const double travelled = simulation.report().time;
      ASSERT_NEAR(static_cast<double>(inflow.layers) * 5e-4, travelled - inflow.travelled, 1e-9);
      ASSERT_LE(inflow.travelled, 5e-4 * (1 + 0.5 / steps_a_stroke) + 1e-12);
      ASSERT_EQ(added, 4 * inflow.layers) << "step " << k;
    }
    EXPECT_EQ(skipped, 0u) << steps_a_stroke;
    EXPECT_GT(added, 300u);
  }
}

TEST(Inflow, LaysItsLayerBeforeThePlateWhereverThatIs) {
  Simulation simulation = tight_channel(5e-4 / 7.3).simulation();
  for (int k = 0; k < 100; ++k) {
    if (simulation.step().bodies_added == 0) continue;
    const double plate = simulation.state().obstacles[0].pose.position.x;
    double nearest = 1;
    for (const Vec3& x : simulation.state().bodies.position)
      nearest = std::min(nearest, x.x - plate);
    EXPECT_NEAR(nearest, 2.5e-4, 1e-12) << "step " << k;
  }
}

TEST(Inflow, LaysNothingIntoPartsAndCountsWhatItCouldNotLay) {
  // A box that comes from the side covers more and more of the layer.
  World world = tight_channel(1e-5);
  world.obstacle(Box{{1e-3, 1e-3, 1e-3}}, {{1e-3, 0, 2e-3}, {}}, [](double t) {
    return Twist{{0, 0, t < 5e-3 ? -0.2 : 0}, {}};
  });
  Simulation simulation = world.simulation();
  std::size_t added = 0, skipped = 0;
  for (int k = 0; k < 1500; ++k) {
    const Report& report = simulation.step();
    added += report.bodies_added, skipped += report.bodies_skipped;
    if (report.bodies_added == 0) continue;
    const ObstacleState& box = simulation.state().obstacles[3];
    for (std::size_t i = 0; i < simulation.state().bodies.size(); ++i)
      if (const Body body = simulation.state().bodies[i];
          body.id.value + report.bodies_added >= simulation.state().next_id)
        EXPECT_GT(signed_distance(Box{{1e-3, 1e-3, 1e-3}}, box.pose, body.position).distance,
                  0.97 * body.radius);
  }
  EXPECT_GT(added, 0u);
  EXPECT_GT(skipped, 0u);
  EXPECT_EQ(added + skipped, 4 * simulation.state().inflows[0].layers);
}

TEST(Inflow, OfTwoInflowsNeitherPlateStandsInTheOthersWay) {
  // Two plates face each other, a stroke and a layer apart, and go back in the same step.
  World world(coulomb(0.4), 1e-5);
  world.model.gravity = {};
  world.half_space({}, {1, 0, 0}).half_space({2.2e-3, 0, 0}, {-1, 0, 0});
  for (const int side : {0, 1}) {
    Inflow inflow{.name = "inflow",
                  .plate = static_cast<std::uint32_t>(side),
                  .velocity = {side == 0 ? 1.0 : -1.0, 0, 0}};
    inflow.advance = 1e-3, inflow.radius = 2.5e-4;
    inflow.layer = {{side == 0 ? 2.5e-4 : 1.95e-3, 0, 0}};
    world.model.inflows.push_back(inflow);
  }
  Simulation simulation = world.simulation();
  std::size_t added = 0, skipped = 0;
  for (int k = 0; k < 110; ++k)
    added += simulation.step().bodies_added, skipped += simulation.report().bodies_skipped;
  EXPECT_EQ(added, 2u);
  EXPECT_EQ(skipped, 0u);
}

TEST(Outflow, ActsInTheStepInWhichACentreEnters) {
  // A slow grain: its list of neighbours lasts for ever.
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.model.outflows.push_back({"exit", {0.0105, -1, -1}, {1, 1, 1}});
  const Body leaver = world.sphere({0, 0, 0}, 0.1, {0.01, 0, 0});
  world.sphere({0.5, 0.5, 0}, 0.1, {0, 0, 0});  // far away, in the region from the start
  const Body stays = world.sphere({-0.5, 0, 0}, 0.1, {0.001, 0, 0});
  Simulation simulation = world.simulation();
  EXPECT_EQ(simulation.report().bodies, 3u);
  EXPECT_EQ(simulation.step().bodies_removed, 1u) << "it stood in the region";
  std::size_t removed = 0;
  for (int k = 1; k < 1050; ++k) removed += simulation.step().bodies_removed;
  EXPECT_EQ(removed, 0u);
  double before = simulation.report().wall_work;
  const Report& report = simulation.step();
  EXPECT_EQ(report.step, 1051u);
  EXPECT_FALSE(report.neighbours_rebuilt) << "or the test shows nothing";
  EXPECT_EQ(report.bodies_removed, 1u);
  EXPECT_EQ(report.bodies, 1u);
  EXPECT_NEAR(report.wall_work - before, -0.5 * leaver.mass * 1e-4, 1e-12);
  EXPECT_NEAR(report.kinetic_energy, 0.5 * stays.mass * 1e-6, 1e-15);
  before = report.wall_work;
  for (int k = 0; k < 100; ++k) EXPECT_EQ(simulation.step().bodies_removed, 0u) << "counted once";
  EXPECT_EQ(simulation.report().wall_work, before);
}

TEST(Outflow, DeletesWhatPassesAThinRegionWithinAStep) {
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.model.outflows.push_back({"sheet", {1, -1, -1}, {1, 1, 1}});
  world.sphere({0.9, 0, 0}, 0.01, {700, 0, 0});  // from 0.9 to 1.6 m in a step
  // crosses the sheet's plane just beside its edge
  world.sphere({0.9, 0.9, 0}, 0.01, {700, 700, 0});
  world.sphere({0.9, 0, 0.5}, 0.01, {50, 0, 0});     // not yet there
  world.sphere({1.5, -0.5, 0}, 0.01, {-700, 0, 0});  // from behind
  Simulation simulation = world.simulation();
  EXPECT_EQ(simulation.step().bodies_removed, 3u);
  EXPECT_EQ(simulation.report().bodies, 1u);
}

TEST(Outflow, DoesNotHideWhatIsNoNumber) {
  World world(coulomb(0.4), 1e297);
  world.model.gravity = {};
  world.model.outflows.push_back({"exit", {5, 5, -1}, {6, 6, 1}});
  world.sphere({}, 0.01, {3e8, 0, 0});
  Simulation simulation = world.simulation();
  for (int k = 0; k < 2000; ++k) simulation.step();
  EXPECT_EQ(simulation.report()["bodies_not_finite"].value, 1u);
  EXPECT_EQ(simulation.report().bodies_removed, 0u);
  EXPECT_EQ(simulation.report().bodies, 1u);
}

/// Grains that fall through an exit, and others that rest on them.
World draining_pile() {
  World world = random_pile(400, coulomb(0.4), 1e-3, 7);
  world.model.obstacles.erase(world.model.obstacles.begin());  // no floor
  world.model.outflows.push_back({"exit", {-1, -1, -1}, {1, 1, -0.05}});
  return world;
}

TEST(Outflow, LeavesNothingThatCouldAct) {
  Simulation simulation = draining_pile().simulation();
  std::size_t removed = 0, lasted = 0;
  for (int k = 0; k < 300; ++k) {
    const Report& report = simulation.step();
    removed += report.bodies_removed;
    EXPECT_EQ(report.bodies + removed, 400u);
    const State& state = simulation.state();
    for (std::size_t i = 0; i < state.bodies.size(); ++i) {
      EXPECT_EQ(state.neighbours.has_left(i), state.bodies.position[i].z <= -0.05);
      lasted += state.neighbours.has_left(i) && !report.neighbours_rebuilt;
    }
    for (const ContactRecord& c : simulation.contacts())
      for (const BodyId id : {c.a, c.b})
        if (!is_obstacle(id)) EXPECT_GT(body_of(simulation, id.value).position.z, -0.05);
  }
  EXPECT_EQ(removed, 400u);
  EXPECT_GT(lasted, 0u) << "or no body waited for a list";
}

TEST(Outflow, GivesTheSameBitsOnAnyNumberOfThreadsAndAfterARestart) {
  const World world = draining_pile();
  Simulation one = world.simulation(1), three = world.simulation(3);
  Simulation restarted = world.simulation(1);
  for (int k = 0; k < 200; ++k) {
    one.step(), three.step();
    // Each restart begins from the state alone, bodies that have left and all.
    restarted = Simulation(world.model, restarted.state());
    restarted.step();
    ASSERT_EQ(state_hash(one.state()), state_hash(three.state())) << k;
    ASSERT_EQ(state_hash(one.state()), state_hash(restarted.state())) << k;
    ASSERT_EQ(one.report().kinetic_energy, restarted.report().kinetic_energy);
  }
}

TEST(Outflow, DeletesBodiesThatEnterItsRegion) {
  const double infinity = std::numeric_limits<double>::infinity();
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.model.outflows.push_back(
      {"exit", {1, -infinity, -infinity}, {infinity, infinity, infinity}});
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
  world.model.outflows.push_back(
      {"exit", {5e-3, -infinity, -infinity}, {infinity, infinity, infinity}});
  Simulation simulation = world.simulation();
  double max_value = 0;
  for (int k = 0; k < 2000; ++k) {
    const Report& r = simulation.step();
    max_value = std::max(max_value, r.kinetic_energy);
    ASSERT_NEAR(r.kinetic_energy, r.wall_work - r.dissipated_energy, 1e-9 * max_value)
        << "step " << k;
  }
  EXPECT_GT(simulation.report().dissipated_energy, 0);
}

}  // namespace
}  // namespace scree
