#include <Eigen/SVD>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/core/error.hpp"
#include "unit/sim/common.hpp"
#include "unit/sim/jointed_balls.hpp"

namespace scree {
namespace {

using namespace test;

TEST(Joints, OfEachKindLeaveFreeWhatTheyAreToAndNothingElse) {
  struct Case {
    JointKind kind;
    int free;
  };
  for (const Case& c :
       {Case{JointKind::fixed, 0}, Case{JointKind::spherical, 3}, Case{JointKind::revolute, 1},
        Case{JointKind::prismatic, 1}, Case{JointKind::cylindrical, 2},
        Case{JointKind::universal, 2}, Case{JointKind::planar, 3}, Case{JointKind::screw, 1}}) {
    // PseudoVelocities and turned every way in turn, it moves in as many as are free.
    Eigen::Matrix<double, 6, 6> moved;
    for (int way = 0; way < 6; ++way) {
      Mechanism m(1e-4, {0, 0, 0});
      const BodyId ball = m.add_sphere({0, 0, 0}, 0.1, 1, {0.4, 0.3, 0.35});
      Joint& joint = m.join(c.kind, kWorld, ball, {0, 0, 0}, {0, 0, 1});
      joint.pitch = 0.3;
      Simulation simulation = m.start();
      Vec3 force, torque;
      (way < 3 ? force : torque)[way % 3] = way < 3 ? 1 : 0.1;
      simulation.apply_force(ball, force, torque);
      step(simulation, 1);
      const Body body = simulation.body(ball);
      for (int k = 0; k < 3; ++k) {
        moved(k, way) = body.velocity[k];
        moved(3 + k, way) = 0.1 * body.angular_velocity[k];
      }
      EXPECT_LT(simulation.report().joint_error, 1e-12);
    }
    // What is pushed moves by 1e-4 m/s.
    const Eigen::JacobiSVD<Eigen::Matrix<double, 6, 6>> svd(moved);
    EXPECT_EQ((svd.singularValues().array() > 1e-9).count(), c.free) << name(c.kind);
  }
}

TEST(AScrew, AdvancesByItsPitchATurn) {
  Mechanism m(1e-3, {0, 0, 0});
  const BodyId nut = m.add_sphere({0, 0, 0});
  Joint& joint = m.join(JointKind::screw, kWorld, nut, {0, 0, 0});
  joint.pitch = 0.02;
  joint.drives = {{.motor = motor(Motor::Kind::velocity, [](double) { return 4 * kPi; })}};
  Simulation simulation = m.start();
  step(simulation, 3000);
  EXPECT_NEAR(simulation.joints()[0].coordinate[0], 12 * kPi, 1e-9);
  EXPECT_NEAR(simulation.body(nut).position.z, 6 * 0.02, 1e-12);
}

TEST(ARope, HoldsWhereItIsTautAndNotBefore) {
  Mechanism m(1e-3);
  const BodyId ball = m.add_sphere({0, 0, 0});
  Joint& joint = m.join(JointKind::rope, kWorld, ball, {0, 0, 0});
  joint.drives = {{.upper = 0.5}};
  Simulation simulation = m.start();
  step(simulation, 200);
  EXPECT_NEAR(simulation.body(ball).position.z, -0.5 * 9.81 * 0.04, 1e-6);
  step(simulation, 2000);
  EXPECT_NEAR(simulation.body(ball).position.z, -0.5, 1e-9);
  EXPECT_NEAR(simulation.joints()[0].effort[0], -9.81, 1e-9);
}

TEST(ATorqueMotor, SpeedsABallUpAsItsInertiaSays) {
  Mechanism m(1e-3, {0, 0, 0});
  hinge_of_ball(m).drives = {{.motor = motor(Motor::Kind::force, [](double t) { return 3 * t; })}};
  Simulation simulation = m.start();
  step(simulation, 1000);
  // φ'' = 3 t / I
  EXPECT_NEAR(simulation.joints()[0].coordinate[0], 0.5 / kInertia, 1e-5);
  const Report& report = simulation.report();
  EXPECT_NEAR(report.wall_work, report.kinetic_energy, 1e-5);
  EXPECT_NEAR(report.dissipated_energy, 0, 1e-5);
}

TEST(APositionMotor, FollowsItsTargetToRounding) {
  Mechanism m(1e-3);
  const auto target = [](double t) { return 0.3 * std::sin(5 * t); };
  hinge_of_ball(m).drives = {{.motor = motor(Motor::Kind::position, target)}};
  Simulation simulation = m.start();
  for (int k = 0; k < 1000; ++k) {
    simulation.step();
    ASSERT_NEAR(simulation.joints()[0].coordinate[0], target(simulation.state().time), 1e-9);
  }
  // Torque: I φ'' (gravity is along the axis).
  const double t = simulation.state().time - 1e-3;
  EXPECT_NEAR(simulation.joints()[0].effort[0], -kInertia * 0.3 * 25 * std::sin(5 * t), 1e-3);
}

TEST(AHinge, ThatTurnsByMoreThanHalfATurnInAStepIsTold) {
  const auto reported_angle = [](Motor::Kind kind, double target) {
    Mechanism m(1e-3, {0, 0, 0});
    const BodyId rod = m.add_rod({0, 0, 0}, {1, 0, 0});
    m.join(JointKind::revolute, kWorld, rod, {0, 0, 0}, {0, 0, 1}).drives = {
        {.motor = motor(kind, [target](double) { return target; })}};
    Simulation simulation = m.start();
    return simulation.step()["excessive_rotation"].value;
  };
  EXPECT_EQ(reported_angle(Motor::Kind::position, 3), 0);
  EXPECT_GT(reported_angle(Motor::Kind::position, 3.2), std::numbers::pi);
  EXPECT_EQ(reported_angle(Motor::Kind::velocity, 3000), 0);
  EXPECT_GT(reported_angle(Motor::Kind::velocity, -4000), std::numbers::pi);
}

TEST(AMotor, IsNoStrongerThanItsMost) {
  Mechanism m(1e-3, {0, 0, 0});
  hinge_of_ball(m).drives = {{.motor = motor(
                                  Motor::Kind::velocity, [](double) { return 1.0; }, 0.5)}};
  Simulation simulation = m.start();
  step(simulation, 1000);
  EXPECT_NEAR(simulation.body({0}).angular_velocity.z, 0.5 / kInertia, 1e-3);
  step(simulation, 2000);
  // A sphere turns by 2 atan(h ω / 2) in a step, and the motor minds by how far it turns.
  EXPECT_NEAR(simulation.body({0}).angular_velocity.z, 2e3 * std::tan(5e-4), 1e-9);
  EXPECT_NEAR(simulation.joints()[0].effort[0], 0, 1e-9);
}

TEST(ALimit, StopsAPendulumAndLetsItGoAgain) {
  Mechanism m(1e-3, {0, -9.81, 0});
  hinge_of_ball(m).drives = {{.lower = -0.7}};
  Simulation simulation = m.start();
  step(simulation, 2000);
  EXPECT_NEAR(simulation.joints()[0].coordinate[0], -0.7, 1e-8);
  // What holds it against its weight.
  EXPECT_NEAR(simulation.joints()[0].effort[0], 9.81 * std::cos(0.7), 1e-6);
}

TEST(ALimit, HoldsAgainstAFastPart) {
  Mechanism m = ball_on_a_cart(5);
  m.model.joints[0].drives = {{.lower = -0.012, .upper = 0.012}};
  Simulation simulation = m.start();
  for (int k = 0; k < 50; ++k) {
    simulation.step();
    ASSERT_GE(simulation.joints()[0].coordinate[0], -0.012 - 1e-9) << "step " << k;
  }
  EXPECT_NEAR(simulation.body({0}).velocity.x, 5, 1e-9);
}

TEST(AMotor, ThatLiftsAtOnceHasDoneTheWorkOfTheLift) {
  Mechanism m(1e-2);
  const BodyId ball = m.add_sphere({0, 0, 0});
  m.join(JointKind::prismatic, kWorld, ball, {0, 0, 0}, {0, 0, 1}).drives = {
      {.motor = motor(Motor::Kind::velocity, [](double) { return 2.0; })}};
  Simulation simulation = m.start();
  const double start = energy_of(simulation.report());
  for (int k = 0; k < 20; ++k) {
    const Report& report = simulation.step();
    EXPECT_NEAR(report.wall_work, energy_of(report) - start, 1e-11) << "step " << k;
    EXPECT_NEAR(report.wall_work, 0.5 * 4 + 9.81 * 2 * (k + 0.5) * 1e-2, 1e-9) << "step " << k;
    EXPECT_NEAR(report.dissipated_energy, 0, 1e-11) << "step " << k;
  }
}

TEST(AJoint, BreaksWhereItBearsMoreThanItsStrength) {
  // A pendulum that is let go level pulls with m g cos(a)(1 + 2 / (I / m l²)), a from hanging down.
  Mechanism m(1e-3, {0, -9.81, 0});
  hinge_of_ball(m).strength = 2 * 9.81;
  Simulation simulation = m.start();
  int steps = 0;
  while (simulation.report()["joints_broken"].value == 0 && ++steps < 2000) simulation.step();
  const Body ball = simulation.body({0});
  // Across the arm the hinge bears (1 − 1/I) m g sin(a), next to nothing.
  EXPECT_NEAR(-ball.position.y, 2 / (1 + 2 / kInertia), 5e-3);
  EXPECT_EQ(simulation.report()["joints_broken"].joint(), 0U);
  EXPECT_NEAR(simulation.joints()[0].broken_at, simulation.state().time, 1e-12);
  EXPECT_FALSE(simulation.joints()[0].is_there);
  // And flies on.
  Simulation again(m.model, simulation.state());
  for (Simulation* run : {&simulation, &again}) {
    step(*run, 100);
    EXPECT_NEAR(run->body({0}).velocity.x, ball.velocity.x, 1e-12);
    EXPECT_NEAR(run->body({0}).velocity.y, ball.velocity.y - 0.981, 1e-9);
    EXPECT_EQ(run->report().joints, 0U);
  }
  EXPECT_EQ(state_hash(simulation.state()), state_hash(again.state()));
}

TEST(AJoint, ThatBearsLessThanItsStrengthHolds) {
  Mechanism m(1e-3, {0, -9.81, 0});
  hinge_of_ball(m).strength = 3 * 9.81;
  Simulation simulation = m.start();
  step(simulation, 2000);
  EXPECT_EQ(simulation.report().joints, 1U);
}

TEST(APart, BearsWhatHangsOnItByItsJoints) {
  Mechanism m(1e-3);
  m.model.obstacles.push_back({"wall", Sphere{0.01}, {{-1, 0, 0.5}, {}}, 0});
  m.state = initial_state(m.model);
  const BodyId ball = m.add_sphere({1, 0.25, 0}, 0.1, 2);
  m.join(JointKind::fixed, obstacle_id(0), ball, {0, 0, 0});
  Simulation simulation = m.start();
  step(simulation, 100);
  const ObstacleLoad before = simulation.state().obstacle_loads[0];
  step(simulation, 100);
  const ObstacleLoad& after = simulation.state().obstacle_loads[0];
  const Vec3 force = (after.impulse - before.impulse) / 0.1,
             torque = (after.angular_impulse - before.angular_impulse) / 0.1;
  const Vec3 weight{0, 0, -2 * 9.81}, expected = cross(Vec3{2, 0.25, -0.5}, weight);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(force[k], weight[k], 1e-6);
    EXPECT_NEAR(torque[k], expected[k], 1e-6);
  }
}

TEST(APart, ThatDragsABallDoesTheWorkThatItsJointTakes) {
  Mechanism cart = ball_on_a_cart(2);
  cart.model.joints[0].drives = {{.friction = 3}};
  Simulation simulation = cart.start();
  step(simulation, 100);
  // 3 N over 2 m/s, until the ball has their speed.
  EXPECT_NEAR(simulation.state().obstacle_loads[0].work, 3 * 2 * 0.1, 0.02);
  EXPECT_NEAR(simulation.report().wall_work, simulation.state().obstacle_loads[0].work, 1e-9);
  EXPECT_NEAR(simulation.state().obstacle_loads[0].impulse.x, -3 * 0.1, 0.01);
}

TEST(Friction, StopsATurningBallAsItsTorqueSays) {
  Mechanism m(1e-3, {0, 0, 0});
  hinge_of_ball(m).drives = {{.friction = 0.5}};
  m.state.bodies.velocity[0] = {0, 2, 0};
  m.state.bodies.angular_velocity[0] = {0, 0, 2};
  Simulation simulation = m.start();
  step(simulation, 6000);
  // φ = ω² I / (2 T)
  EXPECT_NEAR(simulation.joints()[0].coordinate[0], 4 * kInertia / 2 / 0.5 / 1, 1e-2);
  EXPECT_LT(std::abs(simulation.body({0}).angular_velocity.z), 1e-12);
  EXPECT_NEAR(simulation.report().dissipated_energy, 0.5 * kInertia * 4, 1e-2);
}

TEST(Friction, OfTheForceThatAJointHoldsWithStopsASliderAsCoulombSays) {
  Mechanism m(1e-4);
  const BodyId ball = m.add_sphere({0, 0, 0});
  m.join(JointKind::prismatic, kWorld, ball, {0, 0, 0}, {1, 0, 0}).drives = {
      {.friction_of_force = 0.3}};
  m.state.bodies.velocity[0] = {2, 0, 0};
  Simulation simulation = m.start();
  step(simulation, 1000);
  EXPECT_NEAR(simulation.joints()[0].effort[0], -0.3 * 9.81, 1e-6);
  step(simulation, 9000);
  EXPECT_NEAR(simulation.body(ball).position.x, 4 / (2 * 0.3 * 9.81), 1e-3);
  EXPECT_LT(norm(simulation.body(ball).velocity), 1e-12);
}

TEST(Friction, OfTheForceOnAPinTakesWhatTheSwingOfAWheelBringsAsWell) {
  // A wheel out of balance: the pin bears m ω² e, and friction takes μ ρ times that.
  Mechanism m(1e-4, {0, 0, 0});
  hinge_of_ball(m).drives = {{.friction_of_force = 0.2 * 0.05}};
  m.state.bodies.velocity[0] = {0, 2, 0};
  m.state.bodies.angular_velocity[0] = {0, 0, 2};
  Simulation simulation = m.start();
  step(simulation, 10'000);
  // ω' = −(μ ρ m e / I) ω², but for the force that turns it, of 1e-4 of that.
  const double rate = 0.2 * 0.05 / kInertia;
  EXPECT_NEAR(simulation.body({0}).angular_velocity.z, 2 / (1 + 2 * rate), 2e-4);
}

/// A rod of 1 m and 1 kg, hinged at one end, whose other end is a ball of 1 kg on a floor.
TEST(AHingedRod, RestsOnAFloorWithTheForceOfItsWeightUnderEveryLaw) {
  for (const LawKind kind : kLawKinds) {
    Mechanism m(traits(kind).compliant ? 1e-5 : 1e-3);
    PairLaw law{.kind = kind, .friction = 0.5};
    law.facets = 8;
    law.force.k_n = 1e6;
    law.force.normal_damping = 1e3;
    m.model.laws = LawTable(1, law);
    m.model.obstacles.push_back({"floor", HalfSpace{}, {}, 0});
    m.state = initial_state(m.model);
    const BodyId rod = m.add_rod({0, 0, 0.1}, {0.8, 0, 0.1}), ball = m.add_sphere({1, 0, 0.1}, 0.1);
    // Friction, along the floor, has no moment about a hinge there.
    m.join(JointKind::revolute, kWorld, rod, {0, 0, 0}, {0, 1, 0});
    m.join(JointKind::fixed, rod, ball, {0.8, 0, 0.1});
    Simulation simulation = m.start();
    step(simulation, traits(kind).compliant ? 20000 : 200);
    // Moments about the hinge: 0.4 m g + 1 m g, over an arm of 1 m.
    const bool bilateral = !traits(kind).unilateral && !traits(kind).compliant;
    const double force = simulation.contact_force_on_obstacle(0).force.z;
    if (!bilateral)
      EXPECT_NEAR(force, -1.4 * 9.81, 9.81 * (traits(kind).compliant ? 5e-3 : 1e-6)) << name(kind);
    EXPECT_LT(simulation.report().joint_error, 1e-9) << name(kind);
    EXPECT_TRUE(simulation.report().converged) << name(kind);
  }
}

/// Mechanisms beside a heap: what a run can meet at once.
Mechanism busy_world() {
  Mechanism m(1e-3);
  m.model.laws = LawTable(1, PairLaw{.kind = LawKind::coulomb, .friction = 0.4});
  m.model.obstacles.push_back({"floor", HalfSpace{}, {{0, 0, -2}, {}}, 0});
  m.state = initial_state(m.model);
  for (int k = 0; k < 12; ++k) {
    const Vec3 top{0.5 * k, 0, 0};
    BodyId last = kWorld;
    for (int link = 0; link < 6; ++link) {
      const Vec3 at = top + Vec3{0.3 * link, 0, 0};
      const BodyId next = m.add_rod(at, at + Vec3{0.3, 0, 0}, 0.5);
      Joint& joint =
          m.join(link % 2 ? JointKind::universal : JointKind::revolute, last, next, at, {0, 1, 0});
      joint.drives = {
          {.lower = -1, .upper = 1, .stiffness = 0.5, .damping = 0.01, .friction = 0.02}};
      last = next;
    }
  }
  for (int k = 0; k < 60; ++k)
    m.add_sphere({0.31 * (k % 10), 0.25 * (k / 10), -1.7 + 0.01 * (k % 7)}, 0.12);
  return m;
}

TEST(Joints, GiveTheSameBitsOnAnyNumberOfThreadsAndAfterARestart) {
  const Mechanism m = busy_world();
  Simulation one = m.start(1), three = m.start(3);
  step(one, 300);
  step(three, 300);
  EXPECT_EQ(state_hash(one.state()), state_hash(three.state()));
  Simulation again(m.model, one.state(), 2);
  step(one, 100);
  step(again, 100);
  EXPECT_EQ(state_hash(one.state()), state_hash(again.state()));
  EXPECT_GT(one.report().contacts, 0U);
  EXPECT_TRUE(one.report().converged);
  EXPECT_LT(one.report().joint_error, 1e-9);
}

TEST(Bodies, ThatAreJoinedTouchOnlyIfTheyAreToldTo) {
  for (const bool collide : {false, true}) {
    Mechanism m(1e-3);
    const BodyId a = m.add_sphere({0, 0, 0}, 0.1), b = m.add_sphere({0.15, 0, 0}, 0.1);
    m.join(JointKind::spherical, kWorld, a, {0, 0, 0});
    m.join(JointKind::spherical, a, b, {0, 0, 0}).collide = collide;
    Simulation simulation = m.start();
    step(simulation, 10);
    EXPECT_EQ(simulation.report().contacts > 0, collide);
  }
}

TEST(Joints, ThatContradictEachOtherAreTold) {
  Mechanism m(1e-3);
  m.model.obstacles.push_back({.name = "puller",
                               .shape = Sphere{0.01},
                               .pose = {{2, 0, 0}, {}},
                               .material = 0,
                               .motion = [](double) {
                                 return Twist{{0.1, 0, 0}, {}};
                               }});
  m.state = initial_state(m.model);
  const BodyId rod = m.add_rod({0, 0, 0}, {2, 0, 0});
  m.join(JointKind::spherical, kWorld, rod, {0, 0, 0});
  m.join(JointKind::spherical, rod, obstacle_id(0), {2, 0, 0});
  Simulation simulation = m.start();
  step(simulation, 50);
  const Report& report = simulation.report();
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report["joint_velocity"].value, 0.01);
  EXPECT_EQ(report.joints_missed, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(report["bodies_not_finite"].value, 0U);
  EXPECT_LT(norm(simulation.body(rod).velocity), 1);
}

TEST(AJoint, OfABodyThatIsRemovedIsGone) {
  Mechanism m(1e-3);
  const BodyId a = m.add_sphere({0, 0, 0}), b = m.add_sphere({0, 0, -1});
  m.join(JointKind::spherical, kWorld, a, {0, 0, 0});
  m.join(JointKind::distance, a, b, {0, 0, 0}).length = 1;
  m.model.joints[1].b = m.end(b, {0, 0, -1}, {0, 0, 1});
  Simulation simulation = m.start();
  step(simulation, 10);
  simulation.remove(a);
  step(simulation, 100);
  EXPECT_EQ(simulation.report().joints, 0U);
  EXPECT_FALSE(simulation.joints()[1].is_there);
  EXPECT_NEAR(simulation.body(b).velocity.z, -0.981, 1e-9);
}

std::string refusal(const Mechanism& m) {
  try {
    m.start();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(AJoint, ThatCannotBeIsRefusedByNameAndWithTheReason) {
  const auto refused = [](const std::function<void(Joint&)>& change, const std::string& reason) {
    Mechanism m(1e-3);
    Joint& joint = hinge_of_ball(m);
    joint.name = "elbow";
    change(joint);
    const std::string reported = refusal(m);
    EXPECT_NE(reported.find("elbow"), std::string::npos) << reported;
    EXPECT_NE(reported.find(reason), std::string::npos) << reported;
  };
  refused([](Joint& j) { j.a = j.b; }, "itself");
  refused([](Joint& j) { j.b.body = {7}; }, "body 7, which does not exist");
  refused([](Joint& j) { j.b = {obstacle_id(3), {}}; }, "obstacle that does not exist");
  refused([](Joint& j) { j.a.frame.position = {0.25, 0, 0}; }, "0.25 m apart");
  refused([](Joint& j) { j.a.frame.orientation = rotation({1, 0, 0}, kPi); }, "rotated");
  refused([](Joint& j) { j.drives = {{.lower = 1, .upper = -1}}; }, "upper one");
  refused([](Joint& j) { j.drives = {{.lower = 1}}; }, "outside its limits");
  refused([](Joint& j) { j.drives = {{}, {}}; }, "drives 2 coordinates");
  refused([](Joint& j) { j.drives = {{.motor = {.kind = Motor::Kind::force}}}; },
          "without a target");
  refused(
      [](Joint& j) {
        j.drives = {
            {.upper = 1, .motor = motor(Motor::Kind::velocity, [](double) { return 1.0; })}};
      },
      "set max");
}

TEST(AMotor, WithoutATargetEndsTheRunAndSaysSo) {
  Mechanism m(1e-3);
  hinge_of_ball(m).drives = {{.motor = motor(Motor::Kind::velocity, [](double t) {
                                return t < 0.01 ? 1.0 : std::nan("");
                              })}};
  Simulation simulation = m.start();
  step(simulation, 20);
  ASSERT_TRUE(simulation.report().motion_fault);
  EXPECT_EQ(simulation.report().motion_fault->joint, 0U);
  EXPECT_EQ(simulation.state().step, 10U);
}

}  // namespace
}  // namespace scree
