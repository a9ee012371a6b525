/// Joints beside closed forms and published figures.
#include "support/mechanisms.hpp"

#include <gtest/gtest.h>
#include <numbers>

namespace scree {
namespace {

using test::energy_of;
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

TEST(AClosedLoop, DoesNotDriftOpen) {
  EXPECT_LT(test::largest_error(test::crank_rocker(1e-3), 10'000), 1e-10);
}

TEST(AClosedLoop, ThatIsClosedByItsVelocitiesDoesNotDriftEither) {
  Mechanism m = test::crank_rocker(1e-3);
  m.model.step.overlap_correction = OverlapCorrection::velocities;
  EXPECT_LT(test::largest_error(m, 10'000), 1e-10);
}

TEST(AJointThatStandsOpen, IsClosedInOneStepByVelocitiesAndKeepsTheSpeed) {
  // A ball on an arm, 5e-8 m off: closing it gives it 5e-8 m over h.
  for (const auto mode : {OverlapCorrection::positions, OverlapCorrection::velocities}) {
    Mechanism m(1e-3, {0, 0, 0});
    const BodyId ball = m.add_sphere({1, 0, 0});
    m.join(JointKind::spherical, kWorld, ball, {1, 0, 0});
    m.model.step.overlap_correction = mode;
    m.state.bodies.position[0].x += 5e-8;
    Simulation simulation = m.start();
    EXPECT_LT(simulation.step().joint_error, 1e-13);
    const double left = mode == OverlapCorrection::velocities ? -5e-5 : 0;
    EXPECT_NEAR(simulation.body(ball).velocity.x, left, 1e-12);
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

/// Andrews' squeezing mechanism, with the data and the solution of the Test Set for Initial Value
/// Problems: seven bodies in a plane, a spring, and a torque on the crank.
class Squeezer {
 public:
  explicit Squeezer(double h) : m_(h, {0, 0, 0}) {
    const double beta = kStart, theta = 0, gamma = 0.455279819163070380, phi = 0.222668390165885885,
                 delta = 0.487364979543842550, omega = -0.222668390165885885,
                 epsilon = 1.23054744454982119;
    const Vec3 a{-0.06934, -0.00227, 0}, b{-0.03635, 0.03273, 0}, c{0.014, 0.072, 0};
    const auto at = [](double angle) { return Vec3{std::cos(angle), std::sin(angle), 0}; };
    const auto across = [](double angle) { return Vec3{std::sin(angle), -std::cos(angle), 0}; };
    const Vec3 pin = 0.007 * at(beta), e = pin - 0.028 * at(beta + theta);
    const BodyId k1 = add(0.00092 * at(beta), 0.04325, 2.194e-6),
                 k2 = add(pin - 0.0115 * at(beta + theta), 0.00365, 4.410e-7),
                 k3 = add(b + 0.01874 * across(gamma) + 0.01043 * at(gamma), 0.02373, 5.255e-6),
                 k4 = add(a + 0.04 * at(delta) + (0.02 - 0.01421) * across(phi + delta), 0.00706,
                          5.667e-7),
                 k5 = add(a + 0.02308 * at(delta) - 0.00916 * across(delta), 0.07050, 1.169e-5),
                 k6 = add(a + 0.04 * across(epsilon) + (0.02 - 0.01421) * at(omega + epsilon),
                          0.00706, 5.667e-7),
                 k7 = add(a + 0.01228 * across(epsilon) - 0.00449 * at(epsilon), 0.05498, 1.912e-5);
    hinge(kWorld, k1, {}).drives = {
        {.motor = {.kind = Motor::Kind::force, .target = [](double) { return 0.033; }}}};
    hinge(k1, k2, pin);
    hinge(k2, k3, e);
    hinge(k3, kWorld, b);
    hinge(k2, k4, e);
    hinge(k4, k5, a + 0.04 * at(delta));
    hinge(k5, kWorld, a);
    hinge(k2, k6, e);
    hinge(k6, k7, a + 0.04 * across(epsilon));
    hinge(k7, kWorld, a);
    Joint& spring = m_.join(JointKind::rope, kWorld, k3, c);
    spring.b = m_.end(k3, b + 0.02 * at(gamma) + 0.018 * across(gamma), {0, 0, 1});
    spring.drives = {{.stiffness = 4530, .rest = 0.07785}};
  }

  /// Of the crank at t = 0.03 s [rad].
  double crank() const {
    Simulation simulation = m_.start();
    while (simulation.state().time < 0.03 - 1e-9) simulation.step();
    EXPECT_LT(simulation.report().joint_error, 1e-11);
    return kStart + simulation.joints()[0].coordinate[0];
  }

 private:
  static constexpr double kStart = -0.0617138900142764496;

  BodyId add(const Vec3& centre, double mass, double inertia) {
    constexpr double kRadius = 1e-3;
    const double j = inertia / (mass * kRadius * kRadius);
    return m_.add_sphere(centre, kRadius, mass, {j, j, j});
  }
  Joint& hinge(BodyId a, BodyId b, const Vec3& at) {
    return m_.join(JointKind::revolute, a, b, at);
  }

  Mechanism m_;
};

TEST(AndrewsSqueezer, TurnsItsCrankAsPublishedToSecondOrder) {
  constexpr double kPublished = 0.1581077119629904e2;
  const double coarse = Squeezer(1e-5).crank() - kPublished,
               fine = Squeezer(5e-6).crank() - kPublished;
  EXPECT_LT(std::abs(coarse), 5e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << coarse << ' ' << fine;
  EXPECT_LT(std::abs((4 * fine - coarse) / 3), 1e-5);
}

}  // namespace
}  // namespace scree
