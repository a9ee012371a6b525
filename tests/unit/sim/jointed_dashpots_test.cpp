/// Dashpots of bodies in joints are of the mass that a contact feels through these.
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

#include "support/impacts.hpp"
#include "support/worlds.hpp"
#include "unit/sim/jointed_balls.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kJointedStiffness = 1e6;  ///< [N/m]

Mechanism springy(double e, LawKind kind = LawKind::cundall_strack) {
  Mechanism m(1e-5, {0, 0, 0});
  PairLaw law{.kind = kind, .restitution = e};
  if (kind == LawKind::hertz_mindlin) {
    law.force.k_n = 1e8;
    law.force.k_t = 0;
  } else {
    law.force.k_n = kJointedStiffness;
  }
  m.model.laws = LawTable(1, law);
  return m;
}

void add_floor(Mechanism& m) {
  m.model.obstacles.push_back({.name = "floor", .shape = HalfSpace{}, .material = 0});
  m.state = initial_state(m.model);
}

/// The largest of a speed over so many steps.
double largest(Simulation& simulation, int steps, const std::function<double()>& speed) {
  double max_value = 0;
  for (int k = 0; k < steps; ++k) {
    simulation.step();
    max_value = std::max(max_value, speed());
  }
  return max_value;
}

TEST(ADashpot, OfBodiesInOnePieceIsOfAllOfThem) {
  // Two balls, one above the other: the lower one hits the floor.
  const auto rebound = [](LawKind kind, double e, double above, int joints) {
    Mechanism m = springy(e, kind);
    add_floor(m);
    const BodyId lower = m.add_sphere({0, 0, 0.1001}),
                 upper = m.add_sphere({0, 0, 0.35}, 0.1, above);
    // More than one hold nothing that is not held.
    for (int k = 0; k < joints; ++k) m.join(JointKind::fixed, lower, upper, {0, 0, 0.2});
    for (Vec3& v : m.state.bodies.velocity) v = {0, 0, -1};
    Simulation simulation = m.start();
    return largest(simulation, 2500, [&] { return simulation.body(lower).velocity.z; });
  };
  for (const LawKind kind : {LawKind::cundall_strack, LawKind::hertz_mindlin})
    for (const double e : {0.2, 0.5, 0.9})
      for (const double above : {0.1, 1.0, 20.0})
        EXPECT_NEAR(rebound(kind, e, above, 1), e, 2e-3) << name(kind) << ", " << above << " kg";
  EXPECT_NEAR(rebound(LawKind::cundall_strack, 0.5, 1, 2), 0.5, 2e-3);
}

TEST(ADashpot, OfARodOnAHingeIsOfWhatTurns) {
  // A ball meets the middle of the rod, which yields by 3/4 of its mobility.
  Mechanism m = springy(0.5);
  const BodyId rod = m.add_rod({0, 0, 0}, {1, 0, 0}, 3), ball = m.add_sphere({0.5, 0, 0.2001});
  m.join(JointKind::revolute, kWorld, rod, {0, 0, 0}, {0, 1, 0});
  m.state.bodies.velocity[ball.value] = {0, 0, -1};
  Simulation simulation = m.start();
  const double apart = largest(simulation, 2500, [&] {
    return simulation.body(ball).velocity.z - simulation.body(rod).velocity.z;
  });
  EXPECT_NEAR(apart, 0.5, 2e-3);
  // Momentum about the hinge is kept: W of the rod there is (1/2)² / (m/3).
  const double both = 1 + 0.75 / 3;
  EXPECT_NEAR(simulation.body(ball).velocity.z, -1 + 1.5 / both, 2e-3);
}

TEST(ADashpot, OfAPendulumsBobIsOfThePendulum) {
  Mechanism m = springy(0.5);
  add_floor(m);
  const Vec3 hinge{0, 0, 0.15}, end{1, 0, 0.15}, spin{0, 1, 0};
  const BodyId rod = m.add_rod(hinge, end, 6), bob = m.add_sphere({1, 0, 0.1001}, 0.1, 0.2);
  m.join(JointKind::revolute, kWorld, rod, hinge, spin);
  m.join(JointKind::fixed, rod, bob, end);
  for (const BodyId body : {rod, bob}) {
    m.state.bodies.velocity[body.value] = cross(spin, m.state.bodies.position[body.value] - hinge);
    m.state.bodies.angular_velocity[body.value] = spin;
  }
  Simulation simulation = m.start();
  const double up = largest(simulation, 2500, [&] { return simulation.body(bob).velocity.z; });
  EXPECT_NEAR(up, 0.5, 2e-3);
}

TEST(ADashpot, BetweenGearedBodiesIsOfHowTheyMoveTogether) {
  // Two fingers that close on each other, the second as fast as the first: what pushes the one back
  // pushes the other, and they yield as if no gear were there.
  Mechanism m = springy(0.5);
  const BodyId one = m.add_sphere({0, 0, 0}), other = m.add_sphere({0, 0, 0.2001});
  m.join(JointKind::prismatic, kWorld, one, {0, 0, 0}, {0, 0, 1});
  m.join(JointKind::prismatic, kWorld, other, {0, 0, 0.2001}, {0, 0, 1});
  m.gear(JointKind::gear, 0, 1, -1).collide = true;
  m.state.bodies.velocity[one.value] = {0, 0, 0.5};
  m.state.bodies.velocity[other.value] = {0, 0, -0.5};
  Simulation simulation = m.start();
  const double apart = largest(simulation, 1000, [&] {
    return simulation.body(other).velocity.z - simulation.body(one).velocity.z;
  });
  EXPECT_NEAR(apart, 0.5, 2e-3);
}

TEST(ADashpot, OfABodyThatAMotorHoldsIsOfWhatHitsIt) {
  Mechanism m = springy(0.5);
  const BodyId held = m.add_sphere({0, 0, 0}), ball = m.add_sphere({0, 0, 0.2001}, 0.1, 2);
  m.join(JointKind::prismatic, kWorld, held, {0, 0, 0}, {0, 0, 1}).drives = {
      {.motor = motor(Motor::Kind::position, [](double) { return 0.0; })}};
  m.state.bodies.velocity[ball.value] = {0, 0, -1};
  Simulation simulation = m.start();
  const double up = largest(simulation, 2500, [&] { return simulation.body(ball).velocity.z; });
  EXPECT_NEAR(up, 0.5, 2e-3);
}

TEST(ADashpot, OfABodyOnASlackRopeIsOfItself) {
  // No row of its joint holds.
  Mechanism m = springy(0.5);
  add_floor(m);
  const BodyId ball = m.add_sphere({0, 0, 0.1001});
  Joint& rope = m.join(JointKind::rope, kWorld, ball, {0, 0, 0.1001});
  rope.drives = {{.upper = 1}};
  m.state.bodies.velocity[0] = {0, 0, -1};
  Simulation simulation = m.start();
  const double up = largest(simulation, 1000, [&] { return simulation.body(ball).velocity.z; });
  EXPECT_NEAR(up, 0.5, 2e-3);
}

TEST(ADashpot, OfBoxesInOnePieceIsOfBoth) {
  // Four points under the lower one share the dashpot of both.
  World world(linear_law(kJointedStiffness, 0, 0, 0.5), 1e-5);
  world.model.gravity = {};
  world.half_space({}, {0, 0, 1});
  world.box({0, 0, 0.0501}, {0.1, 0.1, 0.1});
  world.box({0, 0, 0.2001}, {0.1, 0.1, 0.2});
  for (Body& body : world.bodies) body.velocity = {0, 0, -1};
  Joint glue{.name = "glue", .kind = JointKind::fixed};
  glue.a = {world.bodies[0].id, {{0, 0, 0.05}, {}}};
  glue.b = {world.bodies[1].id, {{0, 0, -0.1}, {}}};
  world.model.joints = {glue};
  Simulation simulation = world.simulation();
  const double up = largest(simulation, 2500, [&] { return body_of(simulation, 0).velocity.z; });
  EXPECT_NEAR(up, 0.5, 2e-3);
}

TEST(ADashpot, OfBodiesInJointsGoesOnToTheSameBitsAfterARestart) {
  Mechanism m = springy(0.5);
  add_floor(m);
  const BodyId lower = m.add_sphere({0, 0, 0.0999}), upper = m.add_sphere({0, 0, 0.35});
  m.join(JointKind::fixed, lower, upper, {0, 0, 0.2});
  for (Vec3& v : m.state.bodies.velocity) v = {0.1, 0, -1};
  Simulation whole = m.start(2), first = m.start();
  step(first, 40);
  Simulation second(m.model, first.state());
  step(second, 40);
  step(whole, 80);
  EXPECT_EQ(state_hash(whole.state()), state_hash(second.state()));
}

TEST(ADashpot, BetweenBodiesThatJointsHoldApartStaysFinite) {
  // On sliders across the line of their centres nothing moves along it.
  Mechanism m = springy(0.5);
  const BodyId one = m.add_sphere({0, 0, 0}), other = m.add_sphere({0, 0, 0.1999});
  m.join(JointKind::prismatic, kWorld, one, {0, 0, 0}, {1, 0, 0});
  m.join(JointKind::prismatic, kWorld, other, {0, 0, 0.1999}, {1, 0, 0});
  m.state.bodies.velocity[0] = {1, 0, 0};
  Simulation simulation = m.start();
  const double fastest =
      largest(simulation, 500, [&] { return norm(simulation.body(other).velocity); });
  EXPECT_LT(fastest, 0.1);
  EXPECT_EQ(simulation.report()["bodies_not_finite"].value, 0U);
}

}  // namespace
}  // namespace scree
