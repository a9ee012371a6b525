/// Local damping changes how bodies move, not where they rest: statics says what bears them.
#include <gtest/gtest.h>

#include "support/mechanisms.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kDampedStiffness = 1e6;

/// Springs of 1e6 N/m between bodies, and a floor.
Mechanism soft_world() {
  Mechanism m(2e-5);
  PairLaw law{.kind = LawKind::cundall_strack, .restitution = 0.3};
  law.force.k_n = kDampedStiffness;
  m.model.laws = LawTable(1, law);
  m.model.obstacles.push_back({.name = "floor", .shape = HalfSpace{}, .material = 0});
  m.model.step.local_damping = 0.3;
  m.state = initial_state(m.model);
  return m;
}

double borne_by_floor(Simulation& simulation) {
  return -simulation.contact_force_on_obstacle(0).force.z;
}

void step_until(Simulation& simulation, double time) {
  while (simulation.state().time < time) simulation.step();
}

TEST(LocalDamping, LetsAMotorPressWithWhatItHas) {
  Mechanism m = soft_world();
  const BodyId ball = m.add_sphere({0, 0, 0.1}, 0.1, 0.1);
  JointDrive press;
  press.motor = {.kind = Motor::Kind::force, .target = [](double) { return 50.0; }};
  m.join(JointKind::prismatic, kWorld, ball, {0, 0, 0.1}, {0, 0, -1}).drives = {press};
  Simulation simulation = m.start();
  step_until(simulation, 0.1);
  EXPECT_NEAR(borne_by_floor(simulation), 50 + 0.1 * kGravity, 1e-6);
}

TEST(LocalDamping, LetsAHingeBearItsShare) {
  Mechanism m = soft_world();
  const BodyId beam = m.add_sphere({0.5, 0, 0.1}, 0.05, 1), foot = m.add_sphere({1, 0, 0.1});
  m.join(JointKind::revolute, kWorld, beam, {0, 0, 0.1}, {0, 1, 0});
  m.join(JointKind::fixed, beam, foot, {0.7, 0, 0.1});
  Simulation simulation = m.start();
  step_until(simulation, 0.2);
  EXPECT_NEAR(borne_by_floor(simulation), 1.5 * kGravity, 1e-4);
  EXPECT_NEAR(norm(simulation.joints()[0].force), 0.5 * kGravity, 1e-4);
}

TEST(LocalDamping, LetsASpringStretchAsItsLoadSays) {
  constexpr double kSoft = 500;
  Mechanism m = soft_world();
  const BodyId ball = m.add_sphere({0, 0, 5}, 0.05, 1);
  JointDrive spring;
  spring.stiffness = kSoft;
  spring.rest = 1;
  spring.damping = 40;
  m.model.step.h = 1e-4;
  Joint& rope = m.join(JointKind::rope, kWorld, ball, {0, 0, 5});
  rope.a.frame.position = {0, 0, 6};
  rope.drives = {spring};
  Simulation simulation = m.start();
  step_until(simulation, 1);
  EXPECT_NEAR(5 - simulation.body(ball).position.z, kGravity / kSoft, 1e-6);
}

TEST(LocalDamping, DampsWhatNoRowHolds) {
  Mechanism m = soft_world();
  const BodyId ball = m.add_sphere({0, 0, 0.1});
  Simulation simulation = m.start();
  step_until(simulation, 0.1);
  EXPECT_NEAR(borne_by_floor(simulation), kGravity, 1e-6);
  EXPECT_LT(norm(simulation.body(ball).velocity), 1e-8);
  EXPECT_GT(simulation.report().dissipated_energy, 0);
}

}  // namespace
}  // namespace scree
