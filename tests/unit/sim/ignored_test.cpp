// Who ignores whom passes through each other, and meets all others.
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// Spheres of two materials over a floor of a third, one over the other.
World two_over_a_floor() {
  World world(coulomb(0.4), 1e-3);
  world.model.materials = {{"fines", 1000}, {"coarse", 1000}, {"steel", 0}};
  world.model.laws = LawTable(3, coulomb(0.4));
  world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.2}, 0.1);
  world.model.obstacles[0].material = 2;
  world.sphere({0, 0, 0.5}, 0.1).material = 1;
  return world;
}

double height_after(const World& world, std::uint64_t id, double time = 1) {
  Simulation simulation = world.simulation();
  run_until(simulation, time);
  return body_of(simulation, id).position.z;
}

TEST(Ignored, MaterialsPassThroughEachOtherAndRestOnTheFloor) {
  World world = two_over_a_floor();
  EXPECT_NEAR(height_after(world, 1), 0.3, 1e-3);
  world.model.ignored = {{{0}, {1}}};
  EXPECT_NEAR(height_after(world, 0), 0.1, 1e-4);
  EXPECT_NEAR(height_after(world, 1), 0.1, 1e-4);
}

TEST(Ignored, PartFallsThroughForOneMaterialAlone) {
  World world = two_over_a_floor();
  world.model.ignored = {{{0, obstacle_id(0)}, {0}}};
  EXPECT_NEAR(height_after(world, 0), 0.2 - kGravity / 2, 0.01);
  EXPECT_NEAR(height_after(world, 1), 0.1, 1e-4);
}

TEST(Ignored, OneBodyPassesThroughAnotherOrThroughAMaterial) {
  World world = two_over_a_floor();
  world.model.ignored = {{{0, BodyId{1}}, {0, BodyId{0}}}};
  EXPECT_NEAR(height_after(world, 1), 0.1, 1e-4);
  world.model.ignored = {{{0, BodyId{1}}, {2}}};
  EXPECT_NEAR(height_after(world, 0), 0.1, 1e-4);
  EXPECT_NEAR(height_after(world, 1), 0.3, 1e-3) << "the first bears it";
}

TEST(Ignored, BodiesThatCameLateIntoTheListAreIgnoredAsWell) {
  // So fast that few bodies outrun the list, which is then made longer and not anew.
  World world = random_pile(200, coulomb(0.4), 5e-4, 3);
  world.model.materials.push_back({"ghost", 1000});
  world.model.laws = LawTable(2, coulomb(0.4));
  world.model.ignored = {{{0}, {1}}, {{1}, {1}}};
  Body& ghost = world.sphere({-0.02, 0.02, 0.02}, 2e-3, {20, 0, 0});
  ghost.material = 1;
  Simulation simulation = world.simulation();
  for (int k = 0; k < 20; ++k) simulation.step();
  EXPECT_EQ(body_of(simulation, 200).velocity.x, 20);
}

TEST(Ignored, EntersWhereItFindsNoRoomButForWhatItIgnores) {
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.model.materials.push_back({"ghost", 1000});
  world.model.laws = LawTable(2, coulomb(0.4));
  world.sphere({}, 0.2);
  Filling filling{.name = "inlet", .min = {-0.1, -0.1, -0.1}, .max = {0.1, 0.1, 0.1}};
  filling.number_rate = 100;
  filling.kinds.push_back({.low = 0.05, .high = 0.05, .material = 1, .density = 1000});
  world.model.fillings = {filling};
  const auto entered = [](const World& w) {
    Simulation simulation = w.simulation();
    for (int k = 0; k < 50; ++k) simulation.step();
    return simulation.state().fillings[0].entered;
  };
  EXPECT_EQ(entered(world), 0U);
  world.model.ignored = {{{0}, {1}}, {{1}, {1}}};
  EXPECT_EQ(entered(world), 5U);
}

TEST(Ignored, LayersOfAnInflowAreLaidInWhatTheyIgnore) {
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.model.materials.push_back({"ghost", 1000});
  world.model.laws = LawTable(2, coulomb(0.4));
  world.half_space({}, {1, 0, 0});
  world.sphere({0.1, 0, 0}, 0.05);
  world.obstacle(Box{{0.1, 0.01, 0.01}}, {{0.1, 0.2, 0}, {}});
  Inflow inflow{.name = "inlet", .plate = 0, .velocity = {1, 0, 0}, .advance = 0.04};
  inflow.layer = {{0.05, 0, 0}, {0.05, 0.2, 0}, {0.05, -0.2, 0}};
  inflow.radius = 0.05;
  inflow.material = 1;
  world.model.inflows = {inflow};
  const auto laid = [](const World& w) {
    Simulation simulation = w.simulation();
    std::size_t max_value = 0;
    for (int k = 0; k < 45; ++k) {
      simulation.step();
      max_value = std::max(max_value, simulation.state().bodies.size());
    }
    return max_value - 1;
  };
  EXPECT_EQ(laid(world), 1U);
  world.model.ignored = {{{0}, {1}}, {{1}, {1}}};
  EXPECT_EQ(laid(world), 3U);
}

TEST(Ignored, GroupsThatAreNotThereAreRefused) {
  World world = two_over_a_floor();
  world.model.ignored = {{{0}, {3}}};
  EXPECT_THROW(world.simulation(), InputError);
  world.model.ignored = {{{0, obstacle_id(1)}, {0}}};
  EXPECT_THROW(world.simulation(), InputError);
}

}  // namespace
}  // namespace scree
