#include <gtest/gtest.h>

#include "support/grains.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kStrip = 2;  ///< width of the rings of floor over which depths are means

double quarter_disc(double radius) { return std::numbers::pi / 4 * radius * radius; }

/// Mean depth on rings of a quarter of the floor.
std::vector<double> depths(const Bodies& bodies) {
  std::vector<double> volume(2);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3& x = bodies.position[i];
    const auto ring = static_cast<std::size_t>(std::hypot(x.x, x.y) / kStrip);
    if (ring + 2 > volume.size()) volume.resize(ring + 2);  // the last one stays empty
    volume[ring] += bodies.mass[i] / kBedFraction;
  }
  for (std::size_t ring = 0; ring < volume.size(); ++ring) {
    const auto k = static_cast<double>(ring);
    volume[ring] /= quarter_disc(kStrip * (k + 1)) - quarter_disc(kStrip * k);
  }
  return volume;
}

/// Where the depth falls below half a grain. What has rolled on beyond is single grains.
double front(const Bodies& bodies) {
  const std::vector<double> depth = depths(bodies);
  std::size_t k = 1;
  while (depth[k] >= 0.5) ++k;
  const double fraction = (depth[k - 1] - 0.5) / (depth[k - 1] - depth[k]);
  return kStrip * (static_cast<double>(k) - 0.5 + fraction);
}

/// A column of uniform density is twice as high as its centre of mass.
double height(const Bodies& bodies) {
  double mass = 0, moment = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    mass += bodies.mass[i], moment += bodies.mass[i] * bodies.position[i].z;
  return 2 * moment / mass;
}

/// A quarter of a round column between planes of symmetry, on a rough floor, held by a polygon of
/// walls that move away at `release`.
World column(double aspect, double base, double release, std::uint64_t seed) {
  World world = world_of_grains(0.5);
  world.half_space({0, 0, -0.5}, {0, 0, 1});
  smooth(world.half_space({}, {1, 0, 0}));
  smooth(world.half_space({}, {0, 1, 0}));
  constexpr int kWalls = 6;
  for (int k = 0; k < kWalls; ++k) {
    const double angle = std::numbers::pi / 2 * (k + 0.5) / kWalls;
    const Vec3 outward{std::cos(angle), std::sin(angle), 0};
    smooth(world.half_space(base * outward, -outward));
    world.model.obstacles.back().motion = [=](double t) {
      return Twist{(t > release ? 50.0 : 0.0) * outward, {}};
    };
  }
  const int reach = static_cast<int>(base * (1 + 3 * std::max(aspect, 1.0)));
  rough_floor(world, reach, reach);
  rough_floor_across(world, reach, reach);
  const double side = base / std::numbers::sqrt2;
  fill(world, {}, side, side, quarter_disc(base) * aspect * base, 0.2, seed);
  return world;
}

TEST(RoundColumnOfGrains, RunsOutAsItsAspectRatioAsksWhenItsWallIsTakenAway) {
  struct Case {
    double aspect, base;
  };
  constexpr int kSeeds = 3;
  for (const Case& c : {Case{0.5, 12}, {1, 12}, {2, 8}, {4, 8}}) {
    const double nominal = c.aspect * c.base, release = 1.5 * std::sqrt(2 * nominal) + 8;
    double aspect = 0, run_out[kSeeds];
    for (int seed = 0; seed < kSeeds; ++seed) {
      Simulation simulation = column(c.aspect, c.base, release, seed + 1).simulation();
      run_until(simulation, release);
      aspect += height(simulation.state().bodies) / c.base / kSeeds;
      run_until(simulation, release + 4.5 * std::sqrt(nominal) + 10);
      run_out[seed] = front(simulation.state().bodies) / c.base - 1;
    }
    const Estimate e = estimate(run_out);
    const double published = aspect < 1.7 ? 1.24 * aspect : 1.6 * std::sqrt(aspect);
    std::printf("a = %.2f: run-out %.2f ± %.2f, published %.2f\n", aspect, e.mean, e.error,
                published);
    EXPECT_NEAR(e.mean, published, 0.25 * published) << "a = " << aspect;
  }
}

}  // namespace
}  // namespace scree
