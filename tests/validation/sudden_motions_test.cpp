/// Mechanisms that whip: beside integrations in coordinates of their own, with tiny steps.
#include <array>
#include <gtest/gtest.h>
#include <numbers>

#include "support/mechanisms.hpp"

namespace scree {
namespace {

using test::energy_of;
using test::Mechanism;

/// A box of 1 kg and 1 m along x. For contacts, which nothing here has, it is a ball.
BodyId add_box(Mechanism& m, double middle, double thickness) {
  const double radius = 0.5, along = thickness * thickness / (6 * radius * radius),
               across = (1 + thickness * thickness) / (12 * radius * radius);
  return m.add_sphere({middle, 0, 0}, radius, 1, {along, across, across});
}

constexpr double kLength = 0.3, kHangingRadius = 0.05;  // of what hangs on the box [m]

/// A box on a hinge, level, and a ball that hangs from its end.
Mechanism whip(double mass, double h) {
  Mechanism m(h);
  const BodyId box = add_box(m, 0.5, 0.1),
               ball = m.add_sphere({1, 0, -kLength}, kHangingRadius, mass);
  m.join(JointKind::revolute, kWorld, box, {0, 0, 0}, {0, 1, 0});
  m.join(JointKind::spherical, box, ball, {1, 0, 0});
  return m;
}

/// Where that ball is, by Runge and Kutta's method in two angles: of the box below level, of the
/// ball from hanging down.
Vec3 reference_of_whip(double mass, double time) {
  using Angles = std::array<double, 4>;  // and their rates
  constexpr double kStep = 2e-5, g = 9.81;
  const double A = (1 + 0.01) / 12 + 0.25 + mass,
               B = mass * (kLength * kLength + 0.4 * kHangingRadius * kHangingRadius),
               C = mass * kLength;
  const auto rates = [&](const Angles& y) {
    const double s = std::sin(y[0] - y[1]), c = std::cos(y[0] - y[1]);
    const double of_box = (0.5 + mass) * g * std::cos(y[0]) + C * c * y[3] * y[3],
                 of_ball = -mass * g * kLength * std::sin(y[1]) - C * c * y[2] * y[2],
                 determinant = A * B - C * C * s * s;
    return Angles{y[2], y[3], (B * of_box - C * s * of_ball) / determinant,
                  (A * of_ball - C * s * of_box) / determinant};
  };
  const auto moved = [](const Angles& y, const Angles& rate, double by) {
    Angles to;
    for (std::size_t k = 0; k < y.size(); ++k) to[k] = y[k] + by * rate[k];
    return to;
  };
  Angles y{};
  const int steps = static_cast<int>(std::lround(time / kStep));
  for (int k = 0; k < steps; ++k) {
    const Angles first = rates(y), second = rates(moved(y, first, kStep / 2)),
                 third = rates(moved(y, second, kStep / 2)), fourth = rates(moved(y, third, kStep));
    y = moved(y, first, kStep / 6);
    y = moved(y, second, kStep / 3);
    y = moved(y, third, kStep / 3);
    y = moved(y, fourth, kStep / 6);
  }
  return {std::cos(y[0]) - kLength * std::sin(y[1]), 0, -std::sin(y[0]) - kLength * std::cos(y[1])};
}

double miss_of_whip(double mass, double h, double time) {
  Simulation simulation = whip(mass, h).start();
  const int steps = static_cast<int>(std::lround(time / h));
  for (int k = 0; k < steps; ++k) simulation.step();
  return norm(simulation.body({1}).position - reference_of_whip(mass, time));
}

TEST(AHeavyBallOnALightRod, GoesItsWayToSecondOrder) {
  for (const double mass : {1.0, 30.0, 70.0}) {
    const double coarse = miss_of_whip(mass, 5e-4, 2), fine = miss_of_whip(mass, 2.5e-4, 2);
    EXPECT_LT(coarse, 2.5e-4) << mass;
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << mass << ": " << coarse << ' ' << fine;
  }
}

TEST(AHeavyBallOnALightRod, KeepsItsEnergyThoughItWhips) {
  for (const double mass : {30.0, 40.0, 70.0, 100.0, 1000.0}) {
    // A thousandfold load is more than such steps can follow.
    const bool is_followed = mass <= 100;
    Simulation simulation = whip(mass, 1e-3).start();
    const double begin = energy_of(simulation.step());
    double max_energy = 0, work = 0;
    for (int k = 1; k < 4000; ++k) {
      const Report& report = simulation.step();
      max_energy = std::max(max_energy, report.kinetic_energy);
      work += report["joint_work"].value;
    }
    const double made = energy_of(simulation.report()) - begin;
    if (is_followed) EXPECT_NEAR(made, 0, 0.05 * max_energy) << mass;
    // What is made is reported.
    EXPECT_NEAR(work, made, (is_followed ? 1e-6 : 1e-3) * max_energy) << mass;
    EXPECT_EQ(simulation.report()["energy_created"].value, 0) << mass;
  }
}

/// Two rods of 1 kg and 1 m, the first on a spherical joint, the second on a universal one whose
/// axes are across the rods; the second turns when it is let go.
Mechanism rods_on_a_universal_joint(double h) {
  Mechanism m(h);
  const BodyId first = add_box(m, 0.5, 0.05), second = add_box(m, 1.5, 0.05);
  m.state.bodies.angular_velocity[second.value] = {5, 0, 3};
  m.join(JointKind::spherical, kWorld, first, {0, 0, 0});
  Joint& joint = m.join(JointKind::universal, first, second, {1, 0, 0});
  // z of the frame along y, and x along z.
  const Quaternion axes = rotation(Vec3{1, 1, 1} / std::sqrt(3.0), -2 * std::numbers::pi / 3);
  joint.a.frame.orientation = joint.b.frame.orientation = axes;
  return m;
}

/// Largest distance of the far end from its height by Runge and Kutta's method, of order 4 with
/// steps that keep their error below 1e-12, in the angular velocities of both rods with one
/// multiplier, at t = 1, 2, … 5 s.
double miss_of_rods(double h) {
  constexpr std::array<double, 5> kHeights{-1.025491, -1.862672, -1.219889, -0.027669, -0.652785};
  Simulation simulation = rods_on_a_universal_joint(h).start();
  double max_energy = 0;
  for (const double height : kHeights) {
    const int steps = static_cast<int>(std::lround(1 / h));
    for (int k = 0; k < steps; ++k) simulation.step();
    const Body rod = simulation.body({1});
    const double end = rod.position.z + rotate(rod.orientation, {0.5, 0, 0}).z;
    max_energy = std::max(max_energy, std::abs(end - height));
  }
  return max_energy;
}

TEST(AUniversalJoint, LetsRodsGoTheirWayToSecondOrder) {
  const double coarse = miss_of_rods(1e-3), fine = miss_of_rods(5e-4);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << coarse << ' ' << fine;
}

TEST(AUniversalJoint, BentByARightAngleTellsWhatItMakes) {
  // From 5.5 s on the rods spin at up to 175 rad/s, and one spin turns into the other at once. How
  // well steps follow that is chance.
  for (const double h : {5e-4, 2.5e-4}) {
    Simulation simulation = rods_on_a_universal_joint(h).start();
    const double begin = energy_of(simulation.step());
    const int steps = static_cast<int>(std::lround(10 / h));
    double max_energy = 0, work = 0;
    for (int k = 1; k < steps; ++k) {
      const Report& report = simulation.step();
      max_energy = std::max(max_energy, report.kinetic_energy);
      work += report["joint_work"].value;
    }
    EXPECT_NEAR(work, energy_of(simulation.report()) - begin, 1e-4 * max_energy) << h;
  }
}

}  // namespace
}  // namespace scree
