// Dry stacks of bricks, wedges and cards have to stand as they were laid. The stack of twenty boxes
// is in box_stack_test.cpp.
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kTime = 60;       // [s]
constexpr double kAllowed = 1e-6;  // of a brick's longest edge

World on_floor(double friction) {
  World world(coulomb(friction), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  world.half_space({}, {0, 0, 1});
  return world;
}

/// The longest way of a body from where it stood [m].
double way_from(const std::vector<Body>& stood, const Simulation& simulation) {
  double max_value = 0;
  for (const Body& body : stood)
    max_value =
        std::max(max_value, norm(body_of(simulation, body.id.value).position - body.position));
  return max_value;
}

/// Ways from where bricks were laid in the first second, and from where they stood then to the end,
/// over the length of a brick [-].
void expect_to_stand(const World& world, double length, const char* what) {
  Simulation simulation = world.simulation();
  run_until(simulation, 1);
  std::vector<Body> settled;
  for (const Body& body : world.bodies) settled.push_back(body_of(simulation, body.id.value));
  const double settles = way_from(world.bodies, simulation) / length;
  run_until(simulation, kTime);
  const double drifts = way_from(settled, simulation) / length;
  std::printf("%s: settles by %.2g of a brick, then drifts by %.2g in %g s\n", what, settles,
              drifts, kTime - 1);
  EXPECT_LT(settles, kAllowed);
  EXPECT_LT(drifts, kAllowed);
}

constexpr double kBrick = 0.2;  // [m]

/// Ten courses of ten bricks, half bricks at the ends of every other one.
World brick_wall() {
  World world = on_floor(0.6);
  const double length = kBrick, depth = 0.1, height = 0.06;
  for (int course = 0; course < 10; ++course) {
    const double z = height * (course + 0.5);
    if (course % 2 == 0) {
      for (int k = 0; k < 10; ++k) world.box({length * (k + 0.5), 0, z}, {length, depth, height});
      continue;
    }
    world.box({length / 4, 0, z}, {length / 2, depth, height});
    for (int k = 1; k < 10; ++k) world.box({length * k, 0, z}, {length, depth, height});
    world.box({length * 9.75, 0, z}, {length / 2, depth, height});
  }
  return world;
}

TEST(DryStack, OfABrickWallStandsWhereItWasLaid) {
  expect_to_stand(brick_wall(), kBrick, "brick wall");
}

TEST(DryStack, OfABrickWallStandsIfStepsAreSolvedTo1e4) {
  World world = brick_wall();
  world.model.solver = solver_settings(Accuracy::reference);
  expect_to_stand(world, kBrick, "brick wall, accuracy reference");
}

TEST(DryStack, OfAnArchOfElevenWedgesStands) {
  World world = on_floor(0.7);
  constexpr int kWedges = 11;
  const double inner = 0.5, outer = 0.7, half_depth = 0.1;
  for (int k = 0; k < kWedges; ++k) {
    std::vector<Vec3> corners;
    for (const double angle : {pi * k / kWedges, pi * (k + 1) / kWedges})
      for (const double radius : {inner, outer})
        for (const double y : {-half_depth, half_depth})
          corners.push_back({radius * std::cos(angle), y, radius * std::sin(angle)});
    world.polyhedron(corners, {});
  }
  expect_to_stand(world, outer - inner, "arch");
}

TEST(DryStack, OfAHouseOfCardsOfTwoStoreysStands) {
  World world = on_floor(0.5);
  const double length = 0.1, width = 0.06, thick = 0.002, lean = 15 * pi / 180;
  // Two cards lean on each other, their foot at z and their top over x.
  const auto tent = [&](double x, double z) {
    const double aside = (length * std::sin(lean) + thick * std::cos(lean)) / 2,
                 above = (length * std::cos(lean) + thick * std::sin(lean)) / 2;
    for (const double side : {-1.0, 1.0})
      world.box({x + side * aside, 0, z + above}, {thick, width, length},
                rotation({0, 1, 0}, -side * lean));
  };
  const double storey = length * std::cos(lean) + thick * std::sin(lean);
  const double apart = length * std::sin(lean) + thick * std::cos(lean);
  tent(-apart, 0);
  tent(apart, 0);
  world.box({0, 0, storey + thick / 2}, {4 * apart, width, thick});
  tent(0, storey + thick);
  expect_to_stand(world, length, "house of cards");
}

TEST(DryStack, OfTwoLayersOfThreeBlocksAcrossEachOtherStands) {
  World world = on_floor(0.5);
  const Vec3 along_x{0.075, 0.025, 0.015}, along_y{0.025, 0.075, 0.015};
  for (int k = -1; k <= 1; ++k) {
    world.box({0, 0.025 * k, 0.0075}, along_x);
    world.box({0.025 * k, 0, 0.0225}, along_y);
  }
  expect_to_stand(world, 0.075, "blocks in two layers");
}

}  // namespace
}  // namespace scree
