#include <gtest/gtest.h>

#include "support/grains.hpp"

namespace scree {
namespace {

using namespace test;

/// A floor about a regular polygon of the area of a circle: each box lies beyond a side, all
/// together cover the rest.
void floor_with_orifice(World& world, double diameter, double width) {
  constexpr int kSides = 12;
  const double half_angle = std::numbers::pi / kSides;
  const double inner = diameter / 2 * std::sqrt(half_angle / std::tan(half_angle));
  const Box box{{width / 2, width / std::numbers::sqrt2 * std::tan(half_angle), 0.1}};
  for (int side = 0; side < kSides; ++side) {
    const double angle = 2 * half_angle * side, middle = inner + width / 2;
    world.obstacle(box, {{middle * std::cos(angle), middle * std::sin(angle), -0.1},
                         rotation({0, 0, 1}, angle)});
  }
}

/// W / (ρ_b √g d^(5/2)) of a silo twice as wide as its orifice and filled higher than that, ρ_b at
/// a solid fraction of kBedFraction.
double discharge(double diameter, std::uint64_t seed) {
  constexpr double kSteady = 12, kEnd = 24, kFriction = 0.5, kSpread = 0.1;
  World world = world_of_grains(kFriction);
  const double width = std::max(14.0, 2 * diameter), half = width / 2;
  for (const double side : {-1.0, 1.0})
    world.half_space({side * half, 0, 0}, {-side, 0, 0})
        .half_space({0, side * half, 0}, {0, -side, 0});
  floor_with_orifice(world, diameter, width);
  constexpr double kFar = 1e6;
  world.model.outflows = {{"below", {-kFar, -kFar, -kFar}, {kFar, kFar, -3}}};
  // So that the bed is still as high as twice the orifice, and twenty grains, when it ends.
  const double expected = 0.58 * std::pow(diameter - 1.4, 2.5);
  fill(world, {-half, -half, 0}, width, width,
       std::max(20.0, 2 * diameter) * width * width + expected * kEnd, kSpread, seed);
  Simulation silo = world.simulation();
  run_until(silo, kSteady);
  double left = 0;
  const auto before = silo.report().bodies;
  run_until(silo, kEnd);
  left = static_cast<double>(before - silo.report().bodies);
  const double grain = std::numbers::pi / 6 * (1 + kSpread * kSpread);
  return left * grain / kBedFraction / (kEnd - kSteady);
}

TEST(Silo, DischargesAsThePowerFiveHalvesOfTheOrificeLessAMargin) {
  // W = C ρ_b √g (D − k d)^(5/2), k = 1.4
  constexpr double kOrifice[] = {6, 10};
  double flow[2], reduced[2];
  for (int k = 0; k < 2; ++k) {
    double runs[3];
    for (int seed = 0; seed < 3; ++seed) runs[seed] = discharge(kOrifice[k], seed + 1);
    const Estimate e = estimate(runs);
    flow[k] = e.mean, reduced[k] = kOrifice[k] - 1.4;
    std::printf("D = %2.0f d: W = %.2f ± %.2f, C = %.3f\n", kOrifice[k], e.mean, e.error,
                e.mean / std::pow(reduced[k], 2.5));
  }
  const double found = exponent(reduced, flow);
  std::printf("exponent %.3f\n", found);
  EXPECT_NEAR(found, 2.5, 0.15);
}

}  // namespace
}  // namespace scree
