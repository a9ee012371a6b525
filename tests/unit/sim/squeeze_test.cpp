// Bodies that just fit between obstacles at rest are not squeezed; those that are jammed are.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "scree/sim/accuracy.hpp"
#include "scree/sim/field.hpp"
#include "support/mechanisms.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kSize = 0.1;  // between the walls [m]

/// Two walls that stand at ±s/2 along x, and the floor.
World shaft(double mu, double h = 1e-3, double s = kSize) {
  World world = with_defaults(mu, h);
  world.half_space({}, {0, 0, 1});
  world.half_space({-s / 2, 0, 0}, {1, 0, 0}).half_space({s / 2, 0, 0}, {-1, 0, 0});
  return world;
}

/// Downwards, on one obstacle [N].
double load_of(const Simulation& simulation, std::size_t obstacle) {
  return -simulation.state().step_loads[obstacle].force.z;
}

TEST(ABodyThatJustFits, SlidesBetweenWallsAsOnTheFloorAlone) {
  // a = g (sin 30° − μ cos 30°)
  for (const double mu : {0.0, 0.1, 0.3, 0.5}) {
    SCOPED_TRACE(mu);
    World world = shaft(mu);
    world.model.gravity = {0, 4.905, -8.495709211125343};
    world.box({0, 0, kSize / 2}, {kSize, 2 * kSize, kSize});
    Simulation simulation = world.simulation();
    for (int k = 0; k < 1000; ++k) ASSERT_TRUE(simulation.step().converged) << k;
    EXPECT_NEAR(simulation.body({0}).velocity.y, 4.905 - mu * 8.495709211125343, 1e-3);
  }
}

TEST(ABodyThatJustFits, FallsBetweenWallsAndIsNotHeldAfterTheImpact) {
  for (const double h : {1e-3, 1e-4}) {
    SCOPED_TRACE(h);
    World world = shaft(0.5, h);
    world.model.solver = solver_settings(Accuracy::reference);
    world.box({0, 0, 0.15}, {kSize, kSize, kSize});
    Simulation simulation = world.simulation();
    run_until(simulation, 0.25);
    EXPECT_NEAR(load_of(simulation, 0), 9.81, 1e-2);
    EXPECT_NEAR(simulation.body({0}).position.z, kSize / 2, 1e-5);
  }
}

TEST(ABodyThatJustFits, PassesItsLoadOnToWhatItPresses) {
  World world = shaft(0.5);
  const BodyId plate = world.box({0, 0, 0.12}, {kSize, kSize, 0.02}).id;
  world.box({0, 0, 0.05}, {0.08, 0.08, kSize});
  Field push{.name = "push"};
  push.force = {field_expression("0"), field_expression("0"), field_expression("-50")};
  push.bodies = {plate};
  world.model.fields.push_back(push);
  double mass = 0;
  for (const Body& body : world.bodies) mass += body.mass;
  Simulation simulation = world.simulation();
  run_until(simulation, 0.5);
  // The plate has landed a little aslant, and leans on the walls.
  EXPECT_NEAR(load_of(simulation, 0), 50 + mass * kGravity, 1);
}

TEST(ABodyThatJustFits, FallsBetweenPlatesAsASphereToo) {
  World world = with_defaults(0.5);
  world.half_space({-0.05, 0, 0}, {1, 0, 0}).half_space({0.05, 0, 0}, {-1, 0, 0});
  world.sphere({0, 0, 0}, 0.05);
  Simulation simulation = world.simulation();
  run_until(simulation, 0.3);
  EXPECT_NEAR(simulation.body({0}).velocity.z, -0.3 * kGravity, 1e-9);
}

TEST(ABodyThatJustFits, MovesByTheSameBitsOnThreadsAndLanes) {
  World world = shaft(0.5);
  for (int k = 0; k < 3; ++k) world.box({0, 0.2 * k, 0.06 + 0.01 * k}, {kSize, kSize, kSize});
  Simulation one = world.simulation(1), three = world.simulation(3),
             scalar = world.simulation(1, InstructionSet::scalar);
  for (Simulation* simulation : {&one, &three, &scalar}) run_until(*simulation, 0.1);
  EXPECT_EQ(state_hash(one.state()), state_hash(three.state()));
  EXPECT_EQ(state_hash(one.state()), state_hash(scalar.state()));
}

/// A cube on the floor that slides along x at `speed`, below a cover that it does not touch.
World covered(double mu, double clearance, double speed, double h = 1e-3) {
  World world = with_defaults(mu, h);
  world.half_space({}, {0, 0, 1}).half_space({0, 0, kSize + clearance}, {0, 0, -1});
  world.box({0, 0, kSize / 2}, {kSize, kSize, kSize}).velocity.x = speed;
  return world;
}

TEST(ABodyWithClearance, SlidesAsIfItsCoverWereNotThere) {
  for (const double mu : {0.1, 0.3, 0.6})
    for (const double clearance : {1e-3, 1e-4, 1e-5}) {
      SCOPED_TRACE(std::to_string(mu) + " " + std::to_string(clearance));
      World world = covered(mu, clearance, 2);
      world.model.solver = solver_settings(Accuracy::reference);
      Simulation simulation = world.simulation();
      run_until(simulation, 0.3);
      EXPECT_NEAR(simulation.body({0}).velocity.x, 2 - 0.3 * mu * kGravity, 1e-6);
    }
}

TEST(ABodyWithClearance, SlidesFastAsIfItsCoverWereNotThere) {
  World world = covered(0.3, 1e-3, 30);
  world.model.solver = solver_settings(Accuracy::reference);
  Simulation simulation = world.simulation();
  run_until(simulation, 0.3);
  EXPECT_NEAR(simulation.body({0}).velocity.x, 30 - 0.3 * 0.3 * kGravity, 1e-6);
}

TEST(ABodyWithClearance, SticksOnASlopeWhileABallFliesElsewhere) {
  // tan(slope) = 0.295 < μ
  World world = covered(0.3, 5e-4, 0);
  const double angle = std::atan(0.295);
  world.model.gravity = kGravity * Vec3{std::sin(angle), 0, -std::cos(angle)};
  world.sphere({0, 1, 10}, 0.01);
  Simulation simulation = world.simulation();
  run_until(simulation, 1);
  EXPECT_NEAR(simulation.body({0}).position.x, 0, 1e-6);
}

TEST(ABodyThatJustFits, LeavesAStackNextToItAtRest) {
  for (const double room : {0.0, 5e-4}) {
    SCOPED_TRACE(room);
    World world = shaft(0.5, 1e-3, kSize + room);
    world.box({0, 0, kSize / 2}, {kSize, kSize, kSize});
    constexpr int kBoxes = 20;
    for (int k = 0; k < kBoxes; ++k)
      world.box({0, 1, (k + 0.5) * 0.8 * kSize}, 0.8 * Vec3{kSize, kSize, kSize});
    Simulation simulation = world.simulation();
    run_until(simulation, 1);
    for (std::uint64_t k = 1; k <= kBoxes; ++k)
      EXPECT_LT(norm(simulation.body({k}).position - world.bodies[k].position), 1e-7) << k;
  }
}

TEST(ABodyThatAJointHolds, PressesOnTheFloorWithItsLoadAloneAfterAnImpact) {
  // A shaft that stands on the floor, in a bearing that holds it up as well, is hit from above.
  constexpr double kRadius = 0.04, kFriction = 0.5, kWeight = 3 * kGravity;
  Mechanism m(1e-3);
  m.model.laws = LawTable(1, PairLaw{.kind = LawKind::coulomb, .friction = kFriction});
  m.model.solver = solver_settings(Accuracy::engineering);
  m.model.obstacles.push_back({"floor", HalfSpace{}, {}, 0, {}});
  const SolidPrototype shaft = solid_prototype(Cylinder{kRadius, 0.1});
  m.model.prototypes.push_back(shaft.prototype);
  m.state = initial_state(m.model);
  const BodyId id{m.state.next_id++};
  m.state.bodies.push_back(
      {.id = id, .position = {0, 0, 0.1}, .radius = shaft.radius, .mass = 2, .prototype = 1});
  m.join(JointKind::revolute, kWorld, id, {0, 0, 0.1}).drives = {
      {.motor = {.kind = Motor::Kind::velocity, .target = [](double) { return 1.0; }}}};
  m.add_sphere({0, 0, 0.2 + 0.05 + 0.03}, 0.03, 1);
  Simulation simulation = m.start();
  run_until(simulation, 0.5);
  // What a sweep finds on its way, the joint answers: no more than that.
  EXPECT_LE(load_of(simulation, 0), 1.2 * kWeight);
  EXPECT_LE(std::abs(simulation.joints()[0].effort[0]), 1.2 * kFriction * kWeight * kRadius);
}

TEST(ABodyThatIsJammed, StaysPressedByJawsThatHaveClosedOnIt) {
  World world = with_defaults(0.5);
  world.half_space({0, 0, -kSize / 2}, {0, 0, 1});
  for (const double side : {-1.0, 1.0})
    world.obstacle(Box{{0.01, 0.05, 0.05}}, {{side * 0.061, 0, 0}, {}}, [side](double t) {
      return Twist{{t < 0.1 ? -side * 0.0101 : 0, 0, 0}, {}};
    });
  world.box({0, 0, 0}, {kSize, kSize, kSize});
  Simulation simulation = world.simulation();
  run_until(simulation, 0.2);
  const std::vector<Wrench>& loads = simulation.state().step_loads;
  EXPECT_LT(loads[1].force.x, -1);
  EXPECT_GT(loads[2].force.x, 1);
}

}  // namespace
}  // namespace scree
