/// Gears and racks: what couples the coordinates of two joints.
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "unit/sim/common.hpp"
#include "unit/sim/jointed_balls.hpp"

namespace scree {
namespace {

using namespace test;
constexpr double kBall = 0.4 * 0.01;  ///< inertia of a ball of 1 kg and 0.1 m [kg m²]

/// A ball on a hinge of the world through its centre, along an axis.
std::uint32_t add_wheel(Mechanism& m, const Vec3& at, double mass, const Vec3& axis = {0, 0, 1},
                        BodyId of = kWorld) {
  m.join(JointKind::revolute, of, m.add_sphere(at, 0.1, mass), at, axis);
  return static_cast<std::uint32_t>(m.model.joints.size() - 1);
}

/// Two wheels side by side, the second of three times the mass; the first turns `ratio` times as
/// far as the second, and has a torque.
Mechanism two_wheels(double ratio, double torque) {
  Mechanism m(1e-3, {0, 0, 0});
  const std::uint32_t first = add_wheel(m, {0, 0, 0}, 1), second = add_wheel(m, {0.25, 0, 0}, 3);
  m.model.joints[first].drives = {
      {.motor = motor(Motor::Kind::force, [torque](double) { return torque; })}};
  m.gear(JointKind::gear, first, second, ratio);
  return m;
}

TEST(AGear, ReflectsTheInertiaOfItsSecondWheelByTheSquareOfItsRatio) {
  for (const double ratio : {-3.0, -0.5, 1.0, 20.0}) {
    constexpr double kTorque = 0.02;
    Simulation simulation = two_wheels(ratio, kTorque).start();
    step(simulation, 500);
    const double reflected = kBall + 3 * kBall / (ratio * ratio),
                 acceleration = kTorque / reflected;
    const auto joints = simulation.joints();
    // Balls turn by 2 atan(h ω / 2) in a step: 1e-5 of it at 5 rad/s.
    EXPECT_NEAR(joints[0].coordinate[0] / (0.5 * acceleration * 0.25), 1, 1e-3) << ratio;
    EXPECT_NEAR(joints[0].coordinate[0], ratio * joints[1].coordinate[0], 1e-12) << ratio;
    // What the second wheel takes, and what the first feels of it.
    EXPECT_NEAR(joints[2].effort[1] / (3 * kBall * acceleration / ratio), 1, 1e-3) << ratio;
    EXPECT_NEAR(joints[2].effort[0], -joints[2].effort[1] / ratio, 1e-12) << ratio;
    EXPECT_NEAR(joints[2].torque.z, joints[2].effort[0], 1e-12) << ratio;
    EXPECT_EQ(joints[2].coordinate[0], joints[0].coordinate[0]);
    EXPECT_EQ(joints[2].coordinate[1], joints[1].coordinate[0]);
    const Report& report = simulation.report();
    EXPECT_TRUE(report.converged);
    // Energy swings by the square of what a ball turns in a step.
    EXPECT_NEAR(report.wall_work / report.kinetic_energy, 1, 1e-6) << ratio;
    EXPECT_NEAR(report.dissipated_energy / report.kinetic_energy, 0, 1e-6) << ratio;
  }
}

TEST(ATrainOfGears, MultipliesItsRatios) {
  Mechanism m(1e-3, {0, 0, 0});
  for (int k = 0; k < 4; ++k) add_wheel(m, {0.25 * k, 0, 0}, 1);
  m.model.joints[3].drives = {{.motor = motor(Motor::Kind::velocity, [](double) { return 0.7; })}};
  m.gear(JointKind::gear, 0, 1, -2);
  m.gear(JointKind::gear, 1, 2, -3);
  m.gear(JointKind::gear, 2, 3, -5);
  Simulation simulation = m.start();
  step(simulation, 20'000);
  const auto joints = simulation.joints();
  EXPECT_NEAR(joints[3].coordinate[0], 14, 1e-9);
  EXPECT_NEAR(joints[0].coordinate[0], -2 * 3 * 5 * joints[3].coordinate[0], 1e-9);
  EXPECT_GT(std::abs(joints[0].coordinate[0]), 60 * 2 * kPi);
  EXPECT_LT(simulation.report().joint_error, 1e-11);
}

TEST(AGear, CountsTurnsAcrossARestart) {
  Mechanism m = two_wheels(-7, 0.03);
  Simulation whole = m.start();
  step(whole, 3000);
  ASSERT_GT(std::abs(whole.joints()[0].coordinate[0]), 3 * 2 * kPi);
  Simulation again(m.model, whole.state(), 2);
  step(whole, 500);
  step(again, 500);
  EXPECT_EQ(state_hash(whole.state()), state_hash(again.state()));
  EXPECT_LT(again.report().joint_error, 1e-12);
}

TEST(ARack, LetsAWeightFallAsFastAsTheInertiaOfItsPinionAllows) {
  for (const double radius : {0.1, -0.03}) {
    Mechanism m(1e-3);
    const std::uint32_t pinion = add_wheel(m, {0, 0, 0}, 1, {0, 1, 0});
    const BodyId weight = m.add_sphere({0.3, 0, 0}, 0.1, 2);
    m.join(JointKind::prismatic, kWorld, weight, {0.3, 0, 0}, {0, 0, 1});
    m.gear(JointKind::rack, pinion + 1, pinion, radius);
    Simulation simulation = m.start();
    step(simulation, 300);
    const double acceleration = -2 * 9.81 / (2 + kBall / (radius * radius)),
                 fallen = 0.5 * acceleration * 0.09;
    const auto joints = simulation.joints();
    EXPECT_NEAR(joints[1].coordinate[0] / fallen, 1, 2e-3) << radius;
    EXPECT_NEAR(joints[1].coordinate[0], radius * joints[0].coordinate[0], 1e-12);
    // The teeth: what holds the weight back, and what turns the pinion.
    EXPECT_NEAR(joints[2].force.z, 2 * (9.81 + acceleration), 0.02) << radius;
    EXPECT_NEAR(joints[2].effort[1], -radius * joints[2].effort[0], 1e-12);
    // The pinion turns by up to 0.03 rad in a step.
    const Report& report = simulation.report();
    EXPECT_NEAR(report.dissipated_energy / report.kinetic_energy, 0, 1e-4) << radius;
  }
}

TEST(ARopeOverAPulley, IsAGearOfTwoRopesAndMovesAsAtwoodSays) {
  Mechanism m(1e-3);
  const BodyId light = m.add_sphere({0, 0, -2}, 0.1, 1), heavy = m.add_sphere({1, 0, -1}, 0.1, 3);
  for (const BodyId ball : {light, heavy}) {
    const Vec3 at = m.pose(ball).position;
    Joint& rope = m.join(JointKind::rope, kWorld, ball, {at.x, 0, 0});
    rope.b = m.end(ball, at, {0, 0, 1});
  }
  m.gear(JointKind::gear, 0, 1, -1).offset = 3;
  Simulation simulation = m.start();
  step(simulation, 300);
  const double acceleration = 9.81 * (3 - 1) / (3 + 1);
  EXPECT_NEAR(simulation.body(light).position.z, -2 + 0.5 * acceleration * 0.09, 2e-3);
  EXPECT_NEAR(simulation.joints()[0].coordinate[0] + simulation.joints()[1].coordinate[0], 3,
              1e-12);
  // Tension: 2 m₁ m₂ g / (m₁ + m₂), which shortens both.
  EXPECT_NEAR(simulation.joints()[2].effort[0], -2 * 3 * 9.81 / 4, 1e-6);
  EXPECT_NEAR(simulation.joints()[2].effort[1], -2 * 3 * 9.81 / 4, 1e-6);
}

/// Sun, planet and ring of a planetary gear on a carrier, with z_s = 20, z_p = 10 and z_r = 40
/// teeth. Angles of sun, planet and ring are against the carrier.
Mechanism planetary() {
  Mechanism m(1e-3, {0, 0, 0});
  const BodyId carrier = m.add_sphere({0, 0, 0}, 0.05, 2);
  m.join(JointKind::revolute, kWorld, carrier, {0, 0, 0});
  const std::uint32_t sun = add_wheel(m, {0, 0, 0}, 1, {0, 0, 1}, carrier),
                      planet = add_wheel(m, {0.3, 0, 0}, 0.5, {0, 0, 1}, carrier),
                      ring = add_wheel(m, {0, 0, 1}, 4, {0, 0, 1}, carrier);
  m.gear(JointKind::gear, sun, planet, -10.0 / 20);
  m.gear(JointKind::gear, ring, planet, 10.0 / 40);
  return m;
}

TEST(APlanetaryGear, WhoseRingIsHeldTurnsItsSunByOnePlusTheRatioOfTeeth) {
  Mechanism m = planetary();
  m.join(JointKind::fixed, kWorld, {3}, {0, 0, 1});
  m.model.joints[0].drives = {{.motor = motor(Motor::Kind::velocity, [](double) { return 2.0; })}};
  Simulation simulation = m.start();
  step(simulation, 5000);
  EXPECT_NEAR(simulation.joints()[0].coordinate[0], 10, 1e-9);
  // ω_s = ω_c (1 + z_r / z_s), ω_p = ω_c (1 − z_r / z_p)
  EXPECT_NEAR(simulation.joints()[1].coordinate[0], 10 * 2, 1e-8);
  EXPECT_NEAR(simulation.body({1}).angular_velocity.z, 2 * (1 + 40.0 / 20), 1e-4);
  EXPECT_NEAR(simulation.body({2}).angular_velocity.z, 2 * (1 - 40.0 / 10), 1e-4);
  EXPECT_NEAR(simulation.body({3}).angular_velocity.z, 0, 1e-12);
}

TEST(APlanetaryGear, ThatNothingHoldsKeepsItsAngularMomentumAndSharesItsSpeeds) {
  Mechanism m = planetary();
  m.model.joints[1].drives = {
      {.motor = motor(Motor::Kind::force, [](double t) { return t < 0.1 ? 0.05 : 0.0; })}};
  Simulation simulation = m.start();
  step(simulation, 1000);
  double momentum = 0;
  for (const std::uint64_t id : {0, 1, 2, 3}) {
    const Body body = simulation.body({id});
    momentum += 0.4 * body.mass * body.radius * body.radius * body.angular_velocity.z +
                body.mass * cross(body.position, body.velocity).z;
  }
  // The motor acts between carrier and sun, and nothing from outside about the axis.
  EXPECT_NEAR(momentum, 0, 1e-10);
  EXPECT_GT(simulation.report().kinetic_energy, 1e-4);
  EXPECT_TRUE(simulation.report().converged);
}

TEST(AGear, OnAPartThatTurnsAsPrescribedDoesTheWorkOfThePart) {
  // The carrier is an obstacle; the sun is held; the planet rolls about it.
  Mechanism m(1e-3, {0, 0, 0});
  m.model.obstacles.push_back(
      {.name = "carrier", .shape = Sphere{0.01}, .pose = {}, .material = 0, .motion = [](double t) {
         return Twist{{}, {0, 0, 3 * t}};
       }});
  m.state = initial_state(m.model);
  const std::uint32_t sun = add_wheel(m, {0, 0, 0}, 1, {0, 0, 1}, obstacle_id(0)),
                      planet = add_wheel(m, {0.3, 0, 0}, 1, {0, 0, 1}, obstacle_id(0));
  m.join(JointKind::fixed, kWorld, {0}, {0, 0, 0});
  m.gear(JointKind::gear, sun, planet, -0.5);
  Simulation simulation = m.start();
  step(simulation, 1000);
  const double speed = 3 * 0.9995;  // of the middle of the last step
  EXPECT_NEAR(simulation.body({1}).angular_velocity.z, 3 * speed, 1e-4);
  EXPECT_LT(simulation.report().joint_error, 1e-12);
  const Report& report = simulation.report();
  EXPECT_NEAR(report.kinetic_energy, 0.5 * (kBall * 9 + 0.09) * speed * speed, 1e-5);
  EXPECT_NEAR(report.wall_work / report.kinetic_energy, 1, 1e-3);
  const ObstacleLoad& load = simulation.state().obstacle_loads[0];
  EXPECT_NEAR(load.work, report.wall_work, 1e-9);
  // ω' is 3 rad/s²: the carrier brings (9 I + m r²) 3 N m for 1 s.
  EXPECT_NEAR(load.angular_impulse.z, -(9 * kBall + 0.09) * 3, 1e-3);
}

TEST(Gears, InARingOfThreeThatCannotTurnStandStillAndHold) {
  Mechanism m(1e-3, {0, 0, 0});
  for (int k = 0; k < 3; ++k) add_wheel(m, {0.25 * k, 0, 0}, 1);
  m.model.joints[0].drives = {{.motor = motor(Motor::Kind::force, [](double) { return 0.1; })}};
  m.gear(JointKind::gear, 0, 1, -1);
  m.gear(JointKind::gear, 1, 2, -1);
  m.gear(JointKind::gear, 2, 0, -1);
  Simulation simulation = m.start();
  step(simulation, 200);
  EXPECT_TRUE(simulation.report().converged);
  EXPECT_NEAR(simulation.joints()[0].coordinate[0], 0, 1e-12);
  // In a ring of four nothing is held: one gear says what the others say already.
  Mechanism four(1e-3, {0, 0, 0});
  for (int k = 0; k < 4; ++k) add_wheel(four, {0.25 * k, 0, 0}, 1);
  four.model.joints[0].drives = m.model.joints[0].drives;
  for (std::uint32_t k = 0; k < 4; ++k) four.gear(JointKind::gear, k, (k + 1) % 4, -1);
  Simulation turning = four.start();
  step(turning, 200);
  EXPECT_TRUE(turning.report().converged);
  EXPECT_NEAR(turning.joints()[2].coordinate[0] / (0.5 * 0.1 / (4 * kBall) * 0.04), 1, 0.01);
}

TEST(AGear, BreaksWhereItsTeethBearMoreThanTheirStrength) {
  Mechanism m = two_wheels(1, 0.02);
  // Three quarters of the torque go through it.
  m.model.joints[2].torque_strength = 0.76 * 0.02;
  Simulation holds = m.start();
  step(holds, 100);
  EXPECT_EQ(holds.report().joints, 3U);
  m.model.joints[2].torque_strength = 0.74 * 0.02;
  Simulation breaks = m.start();
  step(breaks, 100);
  EXPECT_EQ(breaks.report().joints, 2U);
  EXPECT_FALSE(breaks.joints()[2].is_there);
}

TEST(AGear, IsGoneWithOneOfItsJoints) {
  Mechanism m = two_wheels(1, 0.02);
  Simulation simulation = m.start();
  step(simulation, 10);
  simulation.remove({1});
  step(simulation, 10);
  EXPECT_EQ(simulation.report().joints, 1U);
  EXPECT_FALSE(simulation.joints()[2].is_there);
}

TEST(AGear, IsSolvedAlikeByEveryMethodThatKnowsOfJoints) {
  std::vector<double> turned;
  for (const SolverKind kind :
       {SolverKind::gauss_seidel, SolverKind::automatic, SolverKind::newton}) {
    Mechanism m = planetary();
    m.join(JointKind::fixed, kWorld, {3}, {0, 0, 1});
    m.state.bodies.angular_velocity[0] = {0, 0, 1};
    m.model.solver.method = kind;
    Simulation simulation = m.start();
    step(simulation, 100);
    EXPECT_TRUE(simulation.report().converged) << name(kind);
    turned.push_back(simulation.joints()[1].coordinate[0]);
  }
  EXPECT_GT(std::abs(turned[0]), 1e-3);
  EXPECT_NEAR(turned[1], turned[0], 1e-8);
  EXPECT_NEAR(turned[2], turned[0], 1e-8);
}

TEST(BodiesOfAGear, TouchOnlyIfTheyAreToldTo) {
  for (const bool collide : {false, true}) {
    Mechanism m(1e-3, {0, 0, 0});
    for (const double x : {0.0, 0.19}) add_wheel(m, {x, 0, 0}, 1);
    m.gear(JointKind::gear, 0, 1, -1).collide = collide;
    Simulation simulation = m.start();
    step(simulation, 2);
    EXPECT_EQ(simulation.report().contacts > 0, collide);
  }
}

TEST(AGear, ThatCannotBeIsRefusedByNameAndWithTheReason) {
  const auto refused = [](const std::function<void(Joint&)>& change, const std::string& reason) {
    Mechanism m = two_wheels(2, 0);
    m.join(JointKind::prismatic, kWorld, m.add_sphere({0, 1, 0}), {0, 1, 0});
    std::swap(m.model.joints[2], m.model.joints[3]);
    Joint& gear = m.model.joints[3];
    gear.name = "teeth";
    change(gear);
    std::string reported;
    try {
      m.start();
    } catch (const InputError& error) {
      reported = error.what();
    }
    EXPECT_NE(reported.find("teeth"), std::string::npos) << reported;
    EXPECT_NE(reported.find(reason), std::string::npos) << reported;
  };
  refused([](Joint& j) { j.geared[1].joint = 3; }, "come before it");
  refused([](Joint& j) { j.geared[1].coordinate = 1; }, "does not have");
  refused([](Joint& j) { j.geared[1].joint = 2; }, "use a rack");
  refused([](Joint& j) { j.kind = JointKind::rack; }, "is a rack");
  refused([](Joint& j) { j.geared[1].joint = 0; }, "with itself");
  refused([](Joint& j) { j.ratio = 0; }, "ratio of 0");
  refused([](Joint& j) { j.offset = 0.5; }, "offset would be 0");
  refused([](Joint& j) { j.drives = {{}}; }, "has drives");
}

}  // namespace
}  // namespace scree
