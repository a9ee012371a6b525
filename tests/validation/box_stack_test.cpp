#include <algorithm>
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// With the settings that a scene gets by default.
World stack_of_boxes(int count, double edge, double h) {
  World world(coulomb(0.5), h);
  world.model.solver = SolverSettings{};
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

}  // namespace
}  // namespace scree
