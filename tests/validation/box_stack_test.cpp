#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

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

TEST(StackOfTwentyBoxes, MeetsWhatIsAskedByDefault) {
  Simulation simulation = stack_of_boxes(20, 0.1, 1e-3).simulation();
  std::uint64_t missed = 0;
  for (int k = 0; k < 10'000; ++k) missed += !simulation.step().converged;
  EXPECT_EQ(missed, 0);
}

TEST(StackOfTwentyBoxes, StaysWhereItWasLaidIfStepsAreSolvedTo1e8) {
  constexpr double kEdge = 0.1;
  World world = stack_of_boxes(20, kEdge, 1e-3);
  world.model.solver = {.tolerance = 1e-8, .max_sweeps = 5000};
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
    if (is_obstacle(contact.b)) carried += contact.percussion.z / 2e-4;
  EXPECT_NEAR(std::abs(carried), weight, 1e-2 * weight);
}

}  // namespace
}  // namespace scree
