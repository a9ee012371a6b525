// Where several impulses give one motion, the step takes those of least norm: nothing turns that
// symmetry keeps straight.
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/sim/accuracy.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

World with_default_accuracy(double mu) {
  World world(coulomb(mu), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  return world;
}

double yaw(const Body& body) { return 2 * std::atan2(body.orientation.z, body.orientation.w); }

/// A cylinder along y, 1 m long, that rotates about its axis.
void add_roller(World& world, double x, double radius, double speed) {
  const Vec3 centre{x, 0, -radius};
  world.obstacle(Cylinder{radius, 0.5}, {centre, rotation_between({0, 0, 1}, {0, 1, 0})},
                 [speed](double) {
                   return Twist{{}, {0, speed, 0}};
                 });
}

TEST(OneAnswer, LetsAPlankOnTwoRollersSwingStraight) {
  // Upper sides move inwards. The loads on the rollers follow the plank's place, so friction pulls
  // it back: x = x₀ cos(t √(μ g / (a − μ c))).
  constexpr double kFriction = 0.3, kHalfSpan = 0.5, kHalfHeight = 0.02, kStart = 0.1;
  World world = with_default_accuracy(kFriction);
  add_roller(world, -kHalfSpan, 0.1, 20);
  add_roller(world, kHalfSpan, 0.1, -20);
  world.box({kStart, 0, kHalfHeight}, {2, 0.1, 2 * kHalfHeight});
  Simulation simulation = world.simulation();
  const double frequency = std::sqrt(kFriction * kGravity / (kHalfSpan - kFriction * kHalfHeight));
  for (int k = 1; k <= 2000; ++k) {
    simulation.step();
    const double wanted = kStart * std::cos(frequency * k * 1e-3);
    ASSERT_NEAR(simulation.body({0}).position.x, wanted, 0.01 * kStart) << k;
  }
  // Straight is not stable: yaw grows as exp(1.6 t) from rounding.
  EXPECT_LT(std::abs(yaw(simulation.body({0}))), 1e-6);
}

TEST(OneAnswer, TakesAParcelFromOneBeltToTheNextWithoutATurn) {
  World world = with_default_accuracy(0.4);
  for (const double x : {-1.0, 1.0}) world.obstacle(Box{{1, 0.3, 0.1}}, {{x, 0, -0.1}, {}});
  world.model.obstacles[0].surface_velocity = {1, 0, 0};
  world.model.obstacles[1].surface_velocity = {2, 0, 0};
  world.box({-0.4, 0, 0.05}, {0.3, 0.2, 0.1}).velocity = {1, 0, 0};
  Simulation simulation = world.simulation();
  run_until(simulation, 1);
  const Body parcel = simulation.body({0});
  EXPECT_GT(parcel.position.x, 0.3);
  EXPECT_LT(std::abs(yaw(parcel)), 1e-8);
  EXPECT_LT(std::abs(parcel.position.y), 1e-8);
}

TEST(OneAnswer, IsThatOfEveryMethodForACubeBetweenTwoFloors) {
  const auto end_by = [](SolverKind method) {
    World floors = with_default_accuracy(0.6);
    floors.model.solver.method = method;
    floors.obstacle(Box{{1, 1, 0.1}}, {{-1, 0, -0.1}, {}});
    floors.obstacle(Box{{1, 1, 0.1}}, {{1, 0, -0.1}, {}});
    floors.model.obstacles[1].surface_velocity = {0.5, 0, 0};
    floors.box({-0.1, 0, 0.05}, {0.1, 0.1, 0.1}).velocity = {1.5, 0, 0};
    Simulation simulation = floors.simulation();
    run_until(simulation, 0.2);
    return simulation.body({0});
  };
  const Body cube = end_by(SolverKind::gauss_seidel);
  EXPECT_GT(cube.position.x, 0);
  EXPECT_LT(std::abs(yaw(cube)), 1e-9);
  for (const SolverKind method : {SolverKind::automatic, SolverKind::newton, SolverKind::psor,
                                  SolverKind::admm, SolverKind::interior_point}) {
    const Body same = end_by(method);
    EXPECT_EQ(same.position, cube.position);
    EXPECT_EQ(same.velocity, cube.velocity);
  }
}

TEST(OneAnswer, KeepsACoverThatOnlyTouchesWithoutLoad) {
  World world = with_default_accuracy(0.3);
  world.half_space({}, {0, 0, 1}).half_space({0, 0, 0.1}, {0, 0, -1});
  world.box({0, 0, 0.05}, {0.1, 0.1, 0.1}).velocity = {2, 0, 0};
  Simulation simulation = world.simulation();
  run_until(simulation, 0.3);
  EXPECT_NEAR(simulation.body({0}).velocity.x, 2 - 0.3 * kGravity * 0.3, 1e-9);
  EXPECT_LT(std::abs(yaw(simulation.body({0}))), 1e-10);
}

TEST(OneAnswer, SharesAWeightAmongEightSupportsWithTheLeastSumOfSquares) {
  // r = α + β x at each support, by two conditions: Σ r = m g and Σ r x = m g x_c.
  constexpr std::array kSupports{-0.4, -0.1, 0.2, 0.45};
  World world = with_default_accuracy(0.3);
  for (const double x : kSupports)
    for (const double y : {-0.1, 0.1}) world.obstacle(Sphere{0.05}, {{x, y, -0.05}, {}});
  world.box({0.1, 0, 0.05}, {1.2, 0.4, 0.1});
  Simulation simulation = world.simulation();
  run_until(simulation, 0.02);
  double sum_x = 0, sum_xx = 0;
  for (const double x : kSupports) sum_x += 2 * x, sum_xx += 2 * x * x;
  const double weight = simulation.body({0}).mass * kGravity,
               beta = weight * (8 * 0.1 - sum_x) / (8 * sum_xx - sum_x * sum_x),
               alpha = (weight - beta * sum_x) / 8;
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_NEAR(-simulation.state().step_loads[k].force.z, alpha + beta * kSupports[k / 2],
                1e-5 * weight);
}

TEST(OneAnswer, LetsThreeLightCubesBearAHeavySlabBesideASpinningDisc) {
  for (const double mass : {500.0, 1e5}) {
    World world = with_default_accuracy(0.5);
    world.half_space({}, {0, 0, 1});
    for (const auto& [x, y] : {std::pair{-0.3, -0.1}, {0.3, -0.1}, {0.0, 0.15}})
      world.box({x, y, 0.05}, {0.1, 0.1, 0.1}).mass = 0.1;
    world.box({0, 0, 0.225}, {1, 0.5, 0.25}).mass = mass;
    world.solid(Cylinder{0.2, 0.025}, {{3, 0, 0.025}, {}}).angular_velocity = {0, 0, 100};
    Simulation simulation = world.simulation();
    run_until(simulation, 0.5);
    EXPECT_NEAR(simulation.body({3}).position.z, 0.225, 1e-12);
    EXPECT_NEAR(simulation.body({3}).position.x, 0, 1e-12);
    EXPECT_NEAR(simulation.body({0}).position.x, -0.3, 1e-12);
  }
}

/// Three boxes that slide on a plank, which slides on the floor; bodies in this order.
std::array<Vec3, 4> ends_of_sliding_boxes(const std::array<int, 4>& order) {
  World world = with_default_accuracy(0.3);
  world.half_space({}, {0, 0, 1});
  for (const int k : order) {
    Body& body = k == 0 ? world.box({0, 0, 0.02}, {2, 0.3, 0.04})
                        : world.box({0.3 * k - 0.6, 0.02 * k, 0.09}, {0.1, 0.1, 0.1});
    body.velocity = {k == 0 ? 1.0 : 0.5 * k, 0.3, 0};
  }
  Simulation simulation = world.simulation();
  run_until(simulation, 0.1);
  std::array<Vec3, 4> ends;
  for (std::size_t place = 0; place < 4; ++place)
    ends[static_cast<std::size_t>(order[place])] = simulation.body({place}).position;
  return ends;
}

TEST(OneAnswer, DoesNotDependOnTheNumbersOfBodies) {
  const auto one = ends_of_sliding_boxes({0, 1, 2, 3}), other = ends_of_sliding_boxes({2, 0, 3, 1});
  for (std::size_t k = 0; k < 4; ++k) EXPECT_LT(norm(one[k] - other[k]), 1e-10) << k;
}

}  // namespace
}  // namespace scree
