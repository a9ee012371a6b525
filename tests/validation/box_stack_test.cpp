#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// With the settings that scenes and models get by default.
World stack_of_boxes(int count, double edge, double h) {
  World world(coulomb(0.5), h);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.half_space({0, 0, 0}, {0, 0, 1});
  for (int k = 0; k < count; ++k) world.box({0, 0, (k + 0.5) * edge}, {edge, edge, edge});
  return world;
}

TEST(StackOfTenBoxes, StandsUprightForAMinute) {
  constexpr double kEdge = 0.1, h = 1e-3;
  Simulation simulation = stack_of_boxes(10, kEdge, h).simulation();
  std::uint64_t missed = 0;
  for (int k = 0; k < 60'000; ++k) missed += !simulation.step().converged;
  double moved = 0, turned = 0;
  for (std::uint64_t id = 0; id < 10; ++id) {
    const Body box = body_of(simulation, id);
    const Vec3 start{0, 0, (static_cast<double>(id) + 0.5) * kEdge};
    moved = std::max(moved, norm(box.position - start));
    turned = std::max(turned, norm(rotate(box.orientation, {0, 0, 1}) - Vec3{0, 0, 1}));
  }
  EXPECT_LT(moved, 1e-3 * kEdge);
  EXPECT_LT(turned, 1e-3);
  EXPECT_EQ(missed, 0);
  RecordProperty("moved", std::to_string(moved / kEdge));
  RecordProperty("turned", std::to_string(turned));
}

TEST(StackOfTwentyBoxes, StaysWhereItWasLaidForAMinuteByDefault) {
  constexpr double kEdge = 0.1;
  const World world = stack_of_boxes(20, kEdge, 1e-3);
  Simulation simulation = world.simulation();
  std::uint64_t missed = 0;
  for (int k = 0; k < 60'000; ++k) missed += !simulation.step().converged;
  EXPECT_EQ(missed, 0);
  for (const Body& box : world.bodies)
    EXPECT_LT(norm(body_of(simulation, box.id.value).position - box.position), 1e-6 * kEdge);
}

World empty_floor() { return stack_of_boxes(0, 0.1, 1e-3); }

/// Ten courses of bricks of 20 x 10 x 10 cm, half bricks at the ends of every other one.
World wall_of_bricks() {
  constexpr double kHeight = 0.1, kLength = 2 * kHeight, kHalf = kLength / 2;
  World world = empty_floor();
  for (int course = 0; course < 10; ++course) {
    const double z = (course + 0.5) * kHeight;
    const auto brick = [&](double x, double length) {
      world.box({x, 0, z}, {length, kHeight, kHeight});
    };
    const bool shifted = course % 2 == 1;
    if (shifted) brick(kHalf / 2, kHalf), brick(10 * kLength - kHalf / 2, kHalf);
    for (int k = 0; k < (shifted ? 9 : 10); ++k)
      brick((k + (shifted ? 1 : 0.5)) * kLength, kLength);
  }
  return world;
}

World pyramid_of_boxes() {
  constexpr double kEdge = 0.1;
  World world = empty_floor();
  for (int course = 0; course < 10; ++course)
    for (int k = 0; k < 10 - course; ++k)
      world.box({(k - (9 - course) / 2.0) * 1.1 * kEdge, 0, (course + 0.5) * kEdge},
                {kEdge, kEdge, kEdge});
  return world;
}

TEST(WallAndPyramid, StandByDefaultWithoutDrift) {
  constexpr double kEdge = 0.1;
  for (const World& world : {wall_of_bricks(), pyramid_of_boxes()}) {
    Simulation simulation = world.simulation();
    std::uint64_t missed = 0;
    const auto step_to = [&](double time) {
      while (simulation.state().time < time) missed += !simulation.step().converged;
    };
    const auto places = [&] {
      std::vector<Vec3> result;
      for (const Body& box : world.bodies)
        result.push_back(body_of(simulation, box.id.value).position);
      return result;
    };
    step_to(1);
    const std::vector<Vec3> settled = places();
    step_to(3);
    const std::vector<Vec3> now = places();
    EXPECT_EQ(missed, 0);
    for (std::size_t k = 0; k < now.size(); ++k) {
      EXPECT_LT(norm(settled[k] - world.bodies[k].position), 1e-5 * kEdge) << k;
      EXPECT_LT(norm(now[k] - settled[k]), 1e-8 * kEdge) << k;
    }
  }
}

TEST(StackOfTwentyBoxes, StaysWhereItWasLaidIfStepsAreSolvedTo1e8) {
  constexpr double kEdge = 0.1;
  World world = stack_of_boxes(20, kEdge, 1e-3);
  world.model.solver = {.method = SolverKind::gauss_seidel, .tolerance = 1e-8, .max_sweeps = 5000};
  Simulation simulation = world.simulation();
  std::uint64_t missed = 0;
  for (int k = 0; k < 10'000; ++k) missed += !simulation.step().converged;
  EXPECT_EQ(missed, 0);
  for (std::uint64_t id = 0; id < 20; ++id) {
    const Vec3 start{0, 0, (static_cast<double>(id) + 0.5) * kEdge};
    EXPECT_LT(norm(body_of(simulation, id).position - start), 1e-6 * kEdge) << id;
  }
}

/// Balls poured on a floor between walls, with default settings: the floor carries their weight.
TEST(PouredBalls, MeetWhatIsAskedAndRestOnTheFloor) {
  World world = random_pile(300, coulomb(0.5), 2e-4, 3, 0.1);
  world.model.solver = solver_settings(Accuracy::engineering);
  Simulation simulation = world.simulation();
  std::uint64_t missed = 0;
  for (int k = 0; k < 5'000; ++k) missed += !simulation.step().converged;
  EXPECT_EQ(missed, 0);
  EXPECT_LT(simulation.report().max_penetration, 1e-3 * 2 * 4.5e-3);
  EXPECT_LE(simulation.report().contacts_sliding, 2);
  double weight = 0, carried = 0;
  for (const Body& body : world.bodies) weight += body.mass * kGravity;
  for (const ContactRecord& contact : simulation.contacts())
    if (is_obstacle(contact.b)) carried += contact.impulse.z / 2e-4;
  EXPECT_NEAR(std::abs(carried), weight, 1e-2 * weight);
}

}  // namespace
}  // namespace scree
