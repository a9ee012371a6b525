#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// Rebounds [m/s] of a grain of the channel flow of [Preclik18, §4.3] that meets a wall at 1 m/s
/// with e = 0, from `count` distances that differ by less than what it moves in a step. `change`
/// sets what differs from the defaults.
template <class Change>
std::vector<double> rebounds(int count, Change&& change) {
  constexpr double kRadius = 0.235e-3, kStep = 1e-5;
  std::vector<double> speeds;
  for (int k = 0; k < count; ++k) {
    World world(coulomb(0.4), kStep);
    world.model.gravity = {};
    world.model.solver = {.method = SolverKind::gauss_seidel, .tolerance = 1e-4, .max_sweeps = 200};
    change(world.model);
    const double phase = (k + 0.5) / count;
    world.half_space({}, {0, 0, 1})
        .sphere({0, 0, kRadius + (5 + phase) * kStep}, kRadius, {0, 0, -1});
    Simulation simulation = world.simulation();
    for (int step = 0; step < 100; ++step) simulation.step();
    speeds.push_back(body_of(simulation, 0).velocity.z);
  }
  return speeds;
}

TEST(PurelyInelasticImpact, HasNoReboundByDefault) {
  // [m/s], rounding
  for (const double speed : rebounds(50, [](Model&) {})) EXPECT_LT(std::abs(speed), 1e-15);
}

TEST(PurelyInelasticImpact, ReboundsWhereContactsAreSeenOnlyOnceTheyPenetrate) {
  // Touching spheres alone are contacts and four fifths of the penetration come back as velocity:
  // 0.8 times a part of the impact's speed that depends on where the step ends. Measured on the
  // engine of the published channel flow: 0.03 to 0.78, 0.40 in the mean.
  const std::vector<double> speeds = rebounds(200, [](Model& model) {
    model.step.margin = 1e-8, model.step.error_reduction = 0.8;
    model.step.overlap_correction = OverlapCorrection::velocities;
    model.step.recovery_speed = std::numeric_limits<double>::infinity();
    model.solver.warm_start = false, model.solver.tolerance = 1e-12, model.solver.max_sweeps = 10;
  });
  double sum = 0;
  for (const double speed : speeds) sum += speed;
  EXPECT_NEAR(sum / 200, 0.40, 0.01);
  EXPECT_LT(*std::min_element(speeds.begin(), speeds.end()), 0.03);
  EXPECT_GT(*std::max_element(speeds.begin(), speeds.end()), 0.78);
  EXPECT_LE(*std::max_element(speeds.begin(), speeds.end()), 0.8);
}

}  // namespace
}  // namespace scree
