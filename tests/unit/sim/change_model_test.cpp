/// Simulations that go on with another model of the same bodies and obstacles.
#include <gtest/gtest.h>
#include <string>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

/// Energy that came from nowhere since `first` [J].
double unaccounted(const Report& first, const Report& last) {
  const auto total = [](const Report& r) {
    return r.kinetic_energy + r.potential_energy + r.dissipated_energy - r.wall_work +
           r.force_energy.elastic_normal + r.force_energy.elastic_shear;
  };
  return total(last) - total(first);
}

/// Balls that lie and fall on a floor.
World twelve_balls() {
  World world(coulomb(0.4, 0.3), 1e-3);
  world.half_space({}, {0, 0, 1});
  for (int k = 0; k < 12; ++k)
    world.sphere({0.019 * (k % 3), 0.0191 * (k / 3 % 2), 0.01 + 0.021 * (k / 6)}, 0.01);
  return world;
}

TEST(ChangeModel, ToTheSameMovesNoBit) {
  const World world = twelve_balls();
  Simulation whole = world.simulation(), changed = world.simulation();
  step(whole, 80);
  step(changed, 37);
  changed.change_model(world.model);
  step(changed, 43);
  EXPECT_EQ(state_hash(changed.state()), state_hash(whole.state()));
}

TEST(ChangeModel, BooksWhatAnotherGravityGives) {
  World world = twelve_balls();
  Simulation simulation = world.simulation();
  step(simulation, 20);
  const Report first = simulation.report();
  world.model.gravity = {3, 0, 2};
  simulation.change_model(world.model);
  EXPECT_NEAR(unaccounted(first, simulation.report()), 0, 1e-15);
  step(simulation, 50);
  EXPECT_NEAR(unaccounted(first, simulation.report()), 0, 1e-12);
  EXPECT_GT(simulation.state().bodies.velocity[0].z, 0);
}

TEST(ChangeModel, LetsBodiesFallWhosePartIsTakenAway) {
  for (const LawKind kind : {LawKind::coulomb, LawKind::cundall_strack}) {
    PairLaw law = coulomb(0.4);
    law.kind = kind;
    law.force.k_n = law.force.k_t = 1e4;
    World world(law, 1e-5);
    world.obstacle(Box{{0.1, 0.1, 0.01}}, {{0, 0, -0.01}, {}});
    world.model.obstacles[0].name = "gate";
    world.sphere({0, 0, 0.01}, 0.01);
    Simulation simulation = world.simulation();
    step(simulation, 200);
    const Report first = simulation.report();
    const double z = simulation.state().bodies.position[0].z,
                 v = simulation.state().bodies.velocity[0].z;
    world.model.obstacles[0].is_absent = true;
    simulation.change_model(world.model);
    const int n = 2000;
    step(simulation, n);
    EXPECT_EQ(simulation.contact_count(), 0u);
    const double t = n * world.model.step.h;
    // As the scheme falls.
    EXPECT_NEAR(simulation.state().bodies.position[0].z,
                z + v * t - kGravity * t * (t + world.model.step.h) / 2, 1e-12)
        << name(kind);
    EXPECT_NEAR(unaccounted(first, simulation.report()), 0, 1e-9) << name(kind);
    // Put back, it carries again what lies on it.
    world.model.obstacles[0].is_absent = false;
    simulation.change_model(world.model);
    step(simulation, 1);
  }
}

TEST(ChangeModel, LetsABlockSlideWhoseFrictionIsLess) {
  const double slope = 0.4;
  World world(coulomb(0.8), 1e-3);
  world.half_space({}, {0, 0, 1});
  world.model.gravity = kGravity * Vec3{std::sin(slope), 0, -std::cos(slope)};
  world.box({0, 0, 0.01}, {0.06, 0.04, 0.02});
  Simulation simulation = world.simulation();
  step(simulation, 100);
  EXPECT_LT(norm(simulation.state().bodies.velocity[0]), 1e-8);
  world.model.laws = LawTable(1, coulomb(0.2));
  simulation.change_model(world.model);
  step(simulation, 100);
  EXPECT_NEAR(simulation.state().bodies.velocity[0].x,
              0.1 * kGravity * (std::sin(slope) - 0.2 * std::cos(slope)), 1e-8);
}

TEST(ChangeModel, StopsPartsAndMovesThem) {
  World world(coulomb(0.5), 1e-3);
  const auto steady = [](double) { return Twist{{0.2, 0, 0}, {}}; };
  world.obstacle(Box{{1, 1, 0.01}}, {{0, 0, -0.01}, {}}, steady);
  world.sphere({0, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  step(simulation, 10);
  EXPECT_NEAR(simulation.obstacle_pose(0).position.x, 0.002, 1e-15);
  world.model.obstacles[0].motion = {};
  simulation.change_model(world.model);
  step(simulation, 10);
  EXPECT_NEAR(simulation.obstacle_pose(0).position.x, 0.002, 1e-15);
  // By hand, until the model moves it again.
  simulation.move_obstacle(0, {{-0.1, 0, 0}, {}});
  step(simulation, 10);
  EXPECT_NEAR(simulation.obstacle_pose(0).position.x, 0.001, 1e-15);
  world.model.obstacles[0].motion = steady;
  simulation.change_model(world.model);
  step(simulation, 10);
  EXPECT_NEAR(simulation.obstacle_pose(0).position.x, 0.003, 1e-15);
}

TEST(ChangeModel, IsRefusedWhereTheStateRestsOnTheModel) {
  PairLaw soft = coulomb(0.4);
  soft.kind = LawKind::cundall_strack;
  soft.force.k_n = soft.force.k_t = 1e4;
  World world(soft, 1e-5);
  world.half_space({}, {0, 0, 1});
  world.sphere({0, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  step(simulation, 3);
  const std::uint64_t before = state_hash(simulation.state());
  const auto refused = [&](const char* words, auto&& change) {
    Model model = world.model;
    change(model);
    try {
      simulation.change_model(model);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
    EXPECT_EQ(state_hash(simulation.state()), before);
  };
  refused("other time steps", [](Model& m) { m.step.h *= 2; });
  refused("other obstacles", [](Model& m) { m.obstacles.pop_back(); });
  refused("other obstacles", [](Model& m) { m.obstacles[0].name = "wall"; });
  refused("other materials", [](Model& m) { m.materials[0].density = 1; });
  refused("other prototypes", [](Model& m) { m.prototypes.push_back({}); });
  refused("other periods", [](Model& m) { m.domain = Domain({1, 0, 0}); });
  refused("other springs", [](Model& m) { m.laws = LawTable(1, coulomb(0.4)); });
  refused("other springs", [&](Model& m) {
    PairLaw stiffer = soft;
    stiffer.force.k_n = 2e4;
    m.laws = LawTable(1, stiffer);
  });
  refused("gravity", [](Model& m) { m.gravity.z = std::numeric_limits<double>::quiet_NaN(); });
}

}  // namespace
}  // namespace scree
