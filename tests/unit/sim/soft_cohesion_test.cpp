/// Cohesion of compliant laws: each point of a pair has of F_c what it has of the stiffness.
#include <gtest/gtest.h>
#include <numbers>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kCohesion = 0.5;

PairLaw law_with(double cohesion) {
  PairLaw law{.kind = LawKind::cundall_strack, .friction = 0.3, .restitution = 1};
  law.force.k_n = 1e5;
  law.force.k_t = 3e4;
  law.cohesion = cohesion;
  return law;
}

/// By how much cohesion pulls a body to the first obstacle, along z, in the first step of a world
/// that `lay` fills.
template <class Lay>
double pull(Lay&& lay) {
  const auto force = [&](double cohesion) {
    World world(law_with(cohesion), 1e-6);
    world.model.gravity = {};
    lay(world);
    Simulation simulation = world.simulation();
    simulation.step();
    return simulation.contact_force_on_obstacle(0).force.z;
  };
  return force(kCohesion) - force(0);
}

/// A mesh with two sides, as the next obstacle.
void add_mesh(World& world, const std::vector<Vec3>& vertices,
              const std::vector<TriangleMesh::Corners>& triangles) {
  world.model.meshes.push_back(
      std::make_shared<const TriangleMesh>(vertices, triangles, Sides::two));
  world.obstacle(Mesh{world.model.meshes.back().get()}, {});
}

/// Of a body whose own shape stands so, under a ceiling at this height.
double pull_under(const Shape& shape, const Quaternion& turn, double height) {
  return pull([&](World& world) {
    world.half_space({0, 0, height}, {0, 0, -1});
    world.solid(solid_prototype(shape), {{}, turn});
  });
}

TEST(SoftCohesion, OfAPointIsThePartThatItHasOfTheStiffness) {
  constexpr double kDepth = 1e-6, kSize = 0.01;
  const Quaternion flat{}, on_edge = rotation_between(Vec3{0, 1, 1} / std::sqrt(2), {0, 0, 1}),
                           on_corner = rotation_between(Vec3{1, 1, 1} / std::sqrt(3), {0, 0, 1}),
                           lying = rotation_between({0, 0, 1}, {1, 0, 0});
  const Box box{{kSize, kSize, kSize}};
  const Capsule capsule{kSize, kSize};
  EXPECT_NEAR(pull([](World& world) {
                world.half_space({0, 0, kSize - kDepth}, {0, 0, -1}).sphere({}, kSize);
              }),
              -kCohesion, 1e-9);
  EXPECT_NEAR(pull_under(box, flat, kSize - kDepth), -kCohesion, 1e-9);
  EXPECT_NEAR(pull_under(box, on_edge, std::sqrt(2) * kSize - kDepth), -kCohesion / 2, 1e-9);
  EXPECT_NEAR(pull_under(box, on_corner, std::sqrt(3) * kSize - kDepth), -kCohesion / 4, 1e-9);
  EXPECT_NEAR(pull_under(capsule, lying, kSize - kDepth), -kCohesion / 2, 1e-9);
  EXPECT_NEAR(pull_under(capsule, flat, 2 * kSize - kDepth), -kCohesion / 4, 1e-9);
  EXPECT_NEAR(pull_under(Superellipsoid{{kSize, kSize, 2 * kSize}, 2, 2}, flat, 2 * kSize - kDepth),
              -kCohesion, 1e-9);
}

TEST(SoftCohesion, OfASphereIsThatOfEachPlaceWhereItTouchesAMesh) {
  // A groove of 90 degrees along y, upside down: its sides stand at 45 degrees.
  const double under = -std::sqrt(2) * (0.01 - 1e-6);
  EXPECT_NEAR(
      pull([&](World& world) {
        add_mesh(world, {{-1, -1, -1}, {-1, 1, -1}, {0, -1, 0}, {0, 1, 0}, {1, -1, -1}, {1, 1, -1}},
                 {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}});
        world.sphere({0, 0.002, under}, 0.01);
      }),
      -2 * kCohesion / std::sqrt(2), 1e-9);
}

TEST(SoftCohesion, HoldsASphereThatJustTouches) {
  for (const double radius : {0.01, 0.005, 0.0123}) {
    EXPECT_NEAR(pull([&](World& world) {
                  world.half_space({}, {0, 0, 1}).sphere({0.05, 0.02, radius}, radius);
                }),
                kCohesion, 1e-12);
    EXPECT_NEAR(
        pull([&](World& world) {
          add_mesh(world, {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});
          world.sphere({0.05, 0.02, radius}, radius);
        }),
        kCohesion, 1e-12);
  }
}

}  // namespace
}  // namespace scree
