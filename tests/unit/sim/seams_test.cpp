// What slides over the seam of two bodies or obstacles goes on as over one.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

#include "scree/sim/accuracy.hpp"
#include "support/clumps.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

/// A floor at z = 0 that ends at x = 0, and another from `gap` on, higher by `step`.
void lay_floors(World& world, double gap = 0, double step = 0) {
  world.obstacle(Box{{1, 0.5, 0.05}}, {{-1, 0, -0.05}, {}});
  world.obstacle(Box{{1, 0.5, 0.05}}, {{1 + gap, 0, step - 0.05}, {}});
}

constexpr double kHalf = 0.15;  // length of the sliding box [m]

/// A box whose front is 5 cm before the seam.
Body& sliding_box(World& world, double speed, double z = 0) {
  Body& box = world.box({-0.05 - kHalf, 0, z + 0.05}, {2 * kHalf, 0.2, 0.1});
  box.velocity = {speed, 0, 0};
  return box;
}

/// Where the second floor is lower the box comes down on it, and loses an obstacle `lost` of its
/// speed.
void expect_straight_on(Simulation& simulation, double speed, double until, double lost = 1e-5) {
  const double begin = simulation.body({0}).position.x, z = simulation.body({0}).position.z;
  run_until(simulation, until);
  const Body body = simulation.body({0});
  EXPECT_NEAR(body.velocity.x, speed, lost * speed);
  EXPECT_NEAR(body.position.x, begin + speed * until, (1e-6 + lost * until) * speed);
  EXPECT_NEAR(body.position.z, z, 1e-4);
  EXPECT_LT(norm(body.angular_velocity), 1e-3);
}

TEST(ABodyOverASeam, GoesOnWhateverGapAndRoundingLeaveBetweenTheFloors) {
  for (const double gap : {-0.1, 0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2})
    for (const double step : {0.0, 1e-9, -1e-9, 1e-8, -1e-8, 1e-7, -1e-7}) {
      SCOPED_TRACE(testing::Message() << "gap " << gap << ", step " << step);
      World world = with_defaults(0);
      lay_floors(world, gap, step);
      sliding_box(world, 1);
      Simulation simulation = world.simulation();
      expect_straight_on(simulation, 1, 0.4, step < 0 ? 1e-2 : 1e-5);
    }
}

TEST(ABodyOverASeam, GoesOnAtAnySpeedAndStep) {
  for (const double h : {1e-4, 1e-3, 5e-3})
    for (const double speed : {0.02, 0.2, 1.0, 5.0}) {
      SCOPED_TRACE(testing::Message() << "h " << h << ", speed " << speed);
      World world = with_defaults(0, h);
      lay_floors(world);
      sliding_box(world, speed).position.x = -kHalf - 1e-3;
      Simulation simulation = world.simulation();
      expect_straight_on(simulation, speed, 0.1);
    }
}

TEST(ABodyOverASeam, GoesOnWhateverItsShapeAndHoweverItIsTurned) {
  const double turns[] = {0, 0.1, 0.7};
  std::vector<Vec3> corners;
  for (const double x : {-0.05, 0.05})
    for (const double y : {-0.05, 0.05})
      for (const double z : {-0.05, 0.05}) corners.push_back({x, y, z});
  for (const double turn : turns)
    for (int kind = 0; kind < 4; ++kind) {
      SCOPED_TRACE(testing::Message() << "kind " << kind << ", turned by " << turn);
      World world = with_defaults(0);
      lay_floors(world);
      const Pose pose{{-0.1, 0, 0.05}, rotation({0, 0, 1}, turn)};
      Body& body = kind == 0   ? world.solid(Box{{0.05, 0.05, 0.05}}, pose)
                   : kind == 1 ? world.solid(Cylinder{0.05, 0.05}, pose)
                   : kind == 2 ? world.solid(Frustum{0.05, 0.03, -0.05, 0.05}, pose)
                               : world.polyhedron(corners, pose);
      body.velocity = {1, 0, 0};
      Simulation simulation = world.simulation();
      expect_straight_on(simulation, 1, 0.3, kind == 1 ? 1e-3 : 1e-5);  // a cylinder dips
    }
}

TEST(ABodyOverASeam, OfFreeBricksStopsWhereOneFloorStopsIt) {
  constexpr double kMu = 0.3, kSpeed = 1.5;
  World world = with_defaults(kMu);
  world.half_space({}, {0, 0, 1});
  sliding_box(world, kSpeed, 0.1);
  world.box({-1, 0, 0.05}, {2, 1, 0.1});
  world.box({1, 0, 0.05}, {2, 1, 0.1});
  Simulation simulation = world.simulation();
  run_until(simulation, 1);
  // v² / (2 μ g), and half a step's way
  EXPECT_NEAR(simulation.body({0}).position.x + 0.05 + kHalf,
              kSpeed * kSpeed / (2 * kMu * kGravity), 1e-3);
}

TEST(ABodyOverASeam, IsStoppedByWhatStandsUpBehindIt) {
  for (const double step : {1e-4, 1e-3, 0.02, 0.08}) {
    SCOPED_TRACE(step);
    World world = with_defaults(0);
    lay_floors(world, 0, step);
    sliding_box(world, 1);
    Simulation simulation = world.simulation();
    run_until(simulation, 0.4);
    EXPECT_LT(simulation.body({0}).position.x + kHalf, 1e-6);
  }
}

TEST(ABodyOverASeam, PushesABodyOfItsHeightBeforeIt) {
  World world = with_defaults(0);
  world.model.solver.tolerance = 1e-10;
  world.half_space({}, {0, 0, 1});
  sliding_box(world, 1);
  world.box({kHalf, 0, 0.05}, {2 * kHalf, 0.2, 0.1});
  Simulation simulation = world.simulation();
  run_until(simulation, 0.2);
  EXPECT_NEAR(simulation.body({0}).velocity.x, 0.5, 1e-6);
  EXPECT_NEAR(simulation.body({1}).velocity.x, 0.5, 1e-6);
}

TEST(ABodyOverASeam, OfAClumpThatStandsGoesOn) {
  World world = with_defaults(0);
  const Box half{{1, 0.5, 0.05}};
  add_clump_obstacle(world, {{half, {{-1, 0, 0}, {}}}, {half, {{1, 0, 0}, {}}}},
                     {{0, 0, -0.05}, {}});
  sliding_box(world, 5);
  Simulation simulation = world.simulation();
  expect_straight_on(simulation, 5, 0.2);
}

}  // namespace
}  // namespace scree
