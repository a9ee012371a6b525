#include <gtest/gtest.h>

#include "support/grains.hpp"

namespace scree {
namespace {

using namespace test;

/// Grains that leave a slab of a flat-bottomed silo through a slot of 5 d, per √(d/g).
double rate(double friction, std::uint64_t seed) {
  constexpr double kWidth = 14, kSlot = 5, kSlabThickness = 4, kFillHeight = 16, kFar = 1e6;
  constexpr double kSteady = 7, kEnd = 13;
  World world = world_of_grains(friction);
  between_smooth_walls(world, kSlabThickness);
  for (const double side : {-1.0, 1.0}) {
    world.half_space({side * kWidth / 2, 0, 0}, {-side, 0, 0});
    constexpr double kPlate = (kWidth - kSlot) / 2;
    world.obstacle(Box{{kPlate / 2, kSlabThickness, 0.25}},
                   {{side * (kSlot + kPlate) / 2, kSlabThickness / 2, -0.25}, {}});
  }
  world.model.outflows = {{"below", {-kFar, -kFar, -kFar}, {kFar, kFar, -3}}};
  fill(world, {-kWidth / 2, 0, 0}, kWidth, kSlabThickness, kWidth * kSlabThickness * kFillHeight,
       0.2, seed);
  Simulation silo = world.simulation();
  const auto before = run_until(silo, kSteady).bodies;
  const auto after = run_until(silo, kEnd).bodies;
  return static_cast<double>(before - after) / (kEnd - kSteady);
}

TEST(SiloOfGrains, FlowsTheSlowerTheMoreTheyRubAndNoSlowerBeyondAHalf) {
  constexpr double kFriction[] = {0, 0.1, 0.3, 0.5, 0.9};
  Estimate flow[5];
  for (int k = 0; k < 5; ++k) {
    double runs[4];
    for (int seed = 0; seed < 4; ++seed) runs[seed] = rate(kFriction[k], seed + 1);
    flow[k] = estimate(runs);
    std::printf("mu = %.1f: %.1f ± %.1f grains per √(d/g)\n", kFriction[k], flow[k].mean,
                flow[k].error);
  }
  EXPECT_GT(flow[0].mean, 1.1 * flow[1].mean);
  EXPECT_GT(flow[1].mean, 1.1 * flow[2].mean);
  EXPECT_NEAR(flow[4].mean, flow[3].mean, 0.1 * flow[3].mean);
}

}  // namespace
}  // namespace scree
