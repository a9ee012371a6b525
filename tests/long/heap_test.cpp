#include <gtest/gtest.h>

#include "support/grains.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kLength = 20, kHeight = 11, kThickness = 5;

/// Angle of the surface [deg]: a line through the tops of the highest grains in strips one grain
/// wide, ends left out.
double slope(const Bodies& bodies) {
  constexpr int kFirst = 2, kLast = 15, kPlaces = static_cast<int>(kThickness);
  double top[kLast + 1][kPlaces] = {};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3& x = bodies.position[i];
    const int strip = static_cast<int>(std::floor(x.x)), place = static_cast<int>(std::floor(x.y));
    if (strip < kFirst || strip > kLast || place < 0 || place >= kPlaces) continue;
    top[strip][place] = std::max(top[strip][place], x.z + bodies.radius[i]);
  }
  double n = 0, sx = 0, sz = 0, sxx = 0, sxz = 0;
  for (int strip = kFirst; strip <= kLast; ++strip)
    for (const double z : top[strip])
      n += 1, sx += strip, sz += z, sxx += strip * strip, sxz += strip * z;
  return -std::atan((n * sxz - sx * sz) / (n * sxx - sx * sx)) * 180 / std::numbers::pi;
}

/// The heap that stays on a rough floor when the wall at its end sinks slowly; what goes over the
/// wall is gone.
double angle_of_heap(double friction, std::uint64_t seed) {
  constexpr double kRelease = 14, kSpeed = 0.5, kSunk = kRelease + kHeight / kSpeed, kFar = 1e6;
  World world = world_of_grains(friction);
  smooth(world.half_space({}, {1, 0, 0}));
  between_smooth_walls(world, kThickness);
  rough_floor(world, static_cast<int>(kLength), kThickness);
  smooth(world.obstacle(Box{{0.5, kThickness, kHeight}}, {{kLength + 0.5, kThickness / 2, 0}, {}},
                        [](double t) {
                          return Twist{{0, 0, t > kRelease && t < kSunk ? -kSpeed : 0.0}, {}};
                        }));
  // The filling stands higher than the wall until it has come down.
  smooth(world.half_space({kLength, 0, 0}, {-1, 0, 0})).model.obstacles.back().motion =
      [](double t) {
        return Twist{{t > kRelease ? 50.0 : 0.0, 0, 0}, {}};
      };
  world.model.outflows = {{"beyond", {kLength + 0.5, -kFar, -kFar}, {kFar, kFar, kFar}}};
  fill(world, {}, kLength, kThickness, kLength * kThickness * kHeight, 0.2, seed);
  Simulation heap = world.simulation();
  run_until(heap, kSunk + 100);
  return slope(heap.state().bodies);
}

TEST(Heap, IsSteeperWithMoreFrictionAndNoSteeperThanSpheresThatRollAllow) {
  constexpr double kFriction[] = {0.05, 0.2, 0.5, 1};
  Estimate angle[4];
  for (int k = 0; k < 4; ++k) {
    double runs[3];
    for (int seed = 0; seed < 3; ++seed) runs[seed] = angle_of_heap(kFriction[k], seed + 1);
    angle[k] = estimate(runs);
    std::printf("mu = %.2f: %.1f ± %.1f degrees\n", kFriction[k], angle[k].mean, angle[k].error);
  }
  EXPECT_GT(angle[1].mean, angle[0].mean + 2);
  EXPECT_GT(angle[2].mean, angle[1].mean);
  // Beyond μ = 0.5 grains roll rather than slide, and stay below the 30° of sand.
  EXPECT_LT(std::abs(angle[3].mean - angle[2].mean), 3);
  EXPECT_GT(angle[3].mean, 20);
  EXPECT_LT(angle[3].mean, 30);
}

}  // namespace
}  // namespace scree
