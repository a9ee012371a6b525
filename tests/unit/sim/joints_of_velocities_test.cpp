/// Joints that couple velocities alone: motions known in closed form.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/core/error.hpp"
#include "unit/sim/jointed_balls.hpp"

namespace scree {
namespace {

using namespace test;

/// A sleigh in a plane, its edge 0.05 m behind its centre, that spins at 5 rad/s.
constexpr double kBehind = 0.05, kSpin = 5;
Mechanism sleigh(double h) {
  Mechanism m(h, {0, 0, 0});
  const BodyId body = m.add_sphere({0, 0, 0});
  m.state.bodies.velocity[0] = {0, kBehind * kSpin, 0};
  m.state.bodies.angular_velocity[0] = {0, 0, kSpin};
  m.join(JointKind::planar, kWorld, body, {0, 0, 0});
  m.join(JointKind::knife_edge, kWorld, body, {-kBehind, 0, 0}, {0, 1, 0});
  return m;
}

TEST(AKnifeEdge, TurnsTheSpinOfAChaplyginSleighIntoSpeed) {
  // In the middle of steps, where velocities are.
  const auto error = [](double h) {
    Simulation simulation = sleigh(h).start();
    const double k = std::sqrt(0.4 * 0.01 + kBehind * kBehind), V = k * kSpin;
    double largest = 0;
    for (int n = 1; n * h <= 1; ++n) {
      simulation.step();
      const double t = (n - 0.5) * h, spin = kSpin / std::cosh(kBehind * V * t / (k * k));
      largest = std::max(largest, std::abs(simulation.body({0}).angular_velocity.z - spin));
    }
    return largest;
  };
  EXPECT_LT(error(1e-3), 1e-4);
  EXPECT_NEAR(std::log2(error(4e-3) / error(2e-3)), 2, 0.2);
}

TEST(AKnifeEdge, KeepsTheEnergyAndNeverSlidesAside) {
  Simulation simulation = sleigh(1e-3).start();
  const double start = simulation.report().kinetic_energy;
  Vec3 last = simulation.body({0}).position;
  double aside = 0;
  for (int n = 0; n < 2000; ++n) {
    const Vec3 across = rotate(simulation.body({0}).orientation, {0, 1, 0}),
               edge = last - rotate(simulation.body({0}).orientation, {kBehind, 0, 0});
    simulation.step();
    const Body body = simulation.body({0});
    const Vec3 now = body.position - rotate(body.orientation, {kBehind, 0, 0});
    aside = std::max(
        aside, std::abs(dot(now - edge, 0.5 * (across + rotate(body.orientation, {0, 1, 0})))));
    last = body.position;
  }
  EXPECT_LT(aside, 1e-12);
  EXPECT_NEAR(simulation.report().kinetic_energy / start, 1, 1e-4);
  EXPECT_LT(simulation.report().joint_error, 1e-12);
}

TEST(Rolling, DownASlopeTakesFiveSeventhsOfTheAcceleration) {
  Mechanism m(1e-3, {2, 0, -9});
  const BodyId ball = m.add_sphere({0, 0, 0.1});
  m.join(JointKind::rolling, kWorld, ball, {0, 0, 0.1}).length = 0.1;
  Simulation simulation = m.start();
  step(simulation, 1000);
  EXPECT_NEAR(simulation.body({0}).position.x, 5.0 / 7, 1e-9);
  EXPECT_NEAR(simulation.body({0}).position.z, 0.1, 1e-12);
}

TEST(Rolling, OnATurntableGoesRoundACircleAtTwoSeventhsOfItsSpeed) {
  constexpr double kTable = 7, kSpeed = 0.3, kRadius = 0.1, kStart = 0.5;
  Mechanism m(1e-3, {0, 0, -9.81});
  m.model.obstacles.push_back({.name = "table",
                               .shape = Sphere{0.01},
                               .pose = {{0, 0, -1}, {}},
                               .material = 0,
                               .motion = [](double) {
                                 return Twist{{}, {0, 0, kTable}};
                               }});
  m.state = initial_state(m.model);
  const BodyId ball = m.add_sphere({kStart, 0, kRadius}, kRadius);
  m.state.bodies.velocity[0] = {kSpeed, 0, 0};
  m.state.bodies.angular_velocity[0] = {kTable * kStart / kRadius, kSpeed / kRadius, 0};
  m.join(JointKind::rolling, obstacle_id(0), ball, {kStart, 0, kRadius}).length = kRadius;
  Simulation simulation = m.start();
  const double of_circle = 2 * kTable / 7, radius = kSpeed / of_circle;
  double largest = 0;
  for (int n = 1; n <= 3000; ++n) {
    simulation.step();
    const double angle = of_circle * n * 1e-3;
    const Vec3 exact{kStart + radius * std::sin(angle), radius * (1 - std::cos(angle)), kRadius};
    largest = std::max(largest, norm(simulation.body({0}).position - exact));
  }
  EXPECT_LT(largest, 1e-4);
}

TEST(Rolling, NeedsARadius) {
  Mechanism m(1e-3);
  const BodyId ball = m.add_sphere({0, 0, 0.1});
  m.join(JointKind::rolling, kWorld, ball, {0, 0, 0.1});
  EXPECT_THROW(m.start(), InputError);
}

}  // namespace
}  // namespace scree
