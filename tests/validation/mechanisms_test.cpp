/// Joints beside closed forms and published figures.
#include <gtest/gtest.h>

#include <numbers>

#include "support/mechanisms.hpp"

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
    const BodyId ball =
        mechanism.add_sphere({std::sin(angle), 0, -std::cos(angle)});
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
  EXPECT_LT(highest - lowest, 1e-3);
  std::printf("error %g energy %g %g dissipated %g\n", error, lowest, highest,
              simulation.report().dissipated_energy);
}

}  // namespace
}  // namespace scree
