/// Joints beside closed forms and published figures.
#include "support/mechanisms.hpp"

#include <gtest/gtest.h>
#include <numbers>

namespace scree {
namespace {

using test::Mechanism;
constexpr double kPi = std::numbers::pi;

/// A pendulum of length 1 m that hangs from the origin and starts at rest at an angle from
/// hanging down; the sphere at its end has radius 0.1 m.
struct Pendulum {
  static constexpr double kReduced = 1 + 0.4 * 0.01;  // I / (m l) [m]
  Mechanism mechanism;

  Pendulum(double angle, double h) : mechanism(h) {
    const BodyId ball = mechanism.add_sphere({std::sin(angle), 0, -std::cos(angle)});
    mechanism.join(JointKind::revolute, kWorld, ball, {0, 0, 0}, {0, -1, 0});
  }
  static double period(double angle) {
    return 4 * test::elliptic_k(std::sin(angle / 2)) * std::sqrt(kReduced / 9.81);
  }
};

/// Period between passes through the lowest point in the same direction, by the crossing of x = 0.
double measured_period(double angle, double h, int periods) {
  Simulation simulation = Pendulum(angle, h).mechanism.start();
  double before = simulation.body({0}).position.x, first = 0;
  int passes = 0;
  for (;;) {
    simulation.step();
    const double x = simulation.body({0}).position.x;
    if (before > 0 && x <= 0) {
      const double at = simulation.state().time - h * x / (x - before);
      if (passes == 0) first = at;
      if (passes == periods) return (at - first) / periods;
      ++passes;
    }
    before = x;
  }
}

TEST(APendulum, SwingsAsTheEllipticIntegralSays) {
  for (const double angle : {0.1, kPi / 4, kPi / 2, 2 * kPi / 3})
    EXPECT_NEAR(measured_period(angle, 1e-3, 3) / Pendulum::period(angle), 1, 1e-5) << angle;
}

TEST(APendulum, HasAPeriodOfSecondOrderInTheStep) {
  const double exact = Pendulum::period(kPi / 2);
  const double coarse = measured_period(kPi / 2, 8e-3, 4) - exact,
               fine = measured_period(kPi / 2, 4e-3, 4) - exact;
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15) << coarse << ' ' << fine;
}

TEST(APendulum, KeepsItsLengthAndItsEnergy) {
  Simulation simulation = Pendulum(kPi / 2, 1e-3).mechanism.start();
  double error = 0, lowest = 1e9, highest = -1e9;
  for (int k = 0; k < 100'000; ++k) {
    const Report& report = simulation.step();
    EXPECT_TRUE(report.converged);
    error = std::max(error, report.joint_error);
    const double energy = report.kinetic_energy + report.potential_energy;
    lowest = std::min(lowest, energy);
    highest = std::max(highest, energy);
  }
  EXPECT_LT(error, 1e-10);
  EXPECT_LT(highest - lowest, 2e-4);
  EXPECT_LT(std::abs(simulation.report().dissipated_energy), 2e-4);
}

/// Energy of the whole, half a step back.
double energy_of(const Report& report) {
  return report.kinetic_energy + report.potential_energy + report.joint_energy;
}

/// N rhombs of rods of 1 m and 1 kg in a row, upright, whose joint B0 moves at 1 m/s.
Mechanism four_bars(int loops, double h) {
  Mechanism m(h);
  const auto upright = [&](int k) {
    const double x = k;
    const BodyId rod = m.add_rod({x, 0, 0}, {x, 0, 1});
    m.state.bodies.velocity.back() = {0.5, 0, 0};
    m.state.bodies.angular_velocity.back() = {0, 1, 0};
    m.join(JointKind::revolute, kWorld, rod, {x, 0, 0}, {0, 1, 0});
    return rod;
  };
  BodyId last = upright(0);
  for (int k = 1; k <= loops; ++k) {
    const double x = k;
    const BodyId next = upright(k), across = m.add_rod({x - 1, 0, 1}, {x, 0, 1});
    m.state.bodies.velocity.back() = {1, 0, 0};
    m.join(JointKind::revolute, last, across, {x - 1, 0, 1}, {0, 1, 0});
    m.join(JointKind::revolute, across, next, {x, 0, 1}, {0, 1, 0});
    last = next;
  }
  return m;
}

/// Of B0, the upper end of the first rod.
Vec3 tip_of_first(const Simulation& simulation) {
  const Body rod = simulation.body({0});
  return rod.position + rotate(rod.orientation, {0.5, 0, 0});
}

/// Six hinges along the edges of a cube, each across the one before: a mechanism that moves though
/// its constraints, counted, say that it cannot.
Mechanism bricard(double h) {
  Mechanism m(h);
  const Vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vec3 axis[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  BodyId last = kWorld;
  for (int k = 0; k < 5; ++k) {
    const BodyId rod = m.add_rod(corner[k], corner[k + 1]);
    m.join(JointKind::revolute, last, rod, corner[k], axis[k]);
    last = rod;
  }
  m.join(JointKind::revolute, last, kWorld, corner[5], axis[5]);
  return m;
}

TEST(TwoFourBars, PassTheirSingularPlacesAsPublished) {
  // IFToMM's benchmark A02.
  Simulation simulation = four_bars(2, 5e-4).start();
  const double energy = energy_of(simulation.report());
  double drift = 0, apart = 0;
  const auto run_to = [&](double t) {
    while (simulation.state().time < t - 1e-9) {
      const Report& report = simulation.step();
      drift = std::max(drift, std::abs(energy_of(report) - energy));
      apart = std::max(apart, report.joint_error);
    }
    return tip_of_first(simulation);
  };
  const Vec3 at_1 = run_to(1);
  EXPECT_NEAR(at_1.x, -0.19502030194944, 1e-4);
  EXPECT_NEAR(at_1.z, -0.98079920566217, 1e-4);
  const Vec3 at_2 = run_to(2);
  EXPECT_NEAR(at_2.x, 0.057815795768, 1e-4);
  EXPECT_NEAR(at_2.z, 0.998327267863, 1e-4);
  run_to(10);
  EXPECT_LT(drift, 0.1);
  EXPECT_LT(apart, 1e-6);  // next to singular places, where hardly anything closes it
}

TEST(Bricard, MovesWithItsEnergyKept) {
  Simulation simulation = bricard(1e-3).start();
  const double energy = energy_of(simulation.report());
  const double height = simulation.body({2}).position.z;
  double drift = 0, apart = 0, moved = 0, residual = 0;
  for (int k = 0; k < 3'000; ++k) {
    const Report& report = simulation.step();
    drift = std::max(drift, std::abs(energy_of(report) - energy));
    apart = std::max(apart, report.joint_error);
    residual = std::max(residual, report.residual);
    moved = std::max(moved, std::abs(simulation.body({2}).position.z - height));
  }
  EXPECT_GT(moved, 0.5);
  EXPECT_LT(drift, 0.1);
  EXPECT_LT(apart, 1e-8);
  EXPECT_LT(residual, 1e-6);
}

TEST(AChain, OfAHundredLinksHoldsAWeightAMillionTimesThatOfALink) {
  for (const double tilt : {0.0, 0.5}) {
    Mechanism m(1e-3);
    const Vec3 along{std::sin(tilt), 0, -std::cos(tilt)};
    constexpr double kLink = 0.1;
    BodyId last = kWorld;
    for (int k = 0; k < 100; ++k) {
      const BodyId link = m.add_rod(k * kLink * along, (k + 1) * kLink * along, 1e-3);
      m.join(JointKind::spherical, last, link, k * kLink * along);
      last = link;
    }
    const BodyId weight = m.add_sphere(100 * kLink * along, 0.02, 1e3);
    m.join(JointKind::fixed, last, weight, 100 * kLink * along);
    Simulation simulation = m.start();
    double apart = 0;
    bool converged = true;
    for (int k = 0; k < 300; ++k) {
      const Report& report = simulation.step();
      apart = std::max(apart, report.joint_error);
      converged = converged && report.converged;
    }
    EXPECT_TRUE(converged) << simulation.report().residual;
    EXPECT_LT(apart, 1e-8 * kLink) << tilt;
    // The weight, that of the links, and in the moving chain what turns it.
    const Vec3 force = simulation.joints()[0].force;
    if (tilt == 0) EXPECT_NEAR(force.z, (1e3 + 0.1) * 9.81, 1e-6 * 1e4);
  }
}

TEST(ADoublePendulum, KeepsItsEnergy) {
  Mechanism m(1e-3);
  const BodyId upper = m.add_rod({0, 0, 0}, {1, 0, 0}), lower = m.add_rod({1, 0, 0}, {1, 0, 1});
  m.join(JointKind::revolute, kWorld, upper, {0, 0, 0}, {0, 1, 0});
  m.join(JointKind::revolute, upper, lower, {1, 0, 0}, {0, 1, 0});
  Simulation simulation = m.start();
  const double energy = energy_of(simulation.report());
  double drift = 0;
  for (int k = 0; k < 20'000; ++k)
    drift = std::max(drift, std::abs(energy_of(simulation.step()) - energy));
  EXPECT_LT(drift, 0.01);
}

}  // namespace
}  // namespace scree
