/// Springs of joints, soft and stiff beyond what the step can follow: their swings and their books.
#include <cmath>
#include <gtest/gtest.h>

#include "unit/sim/jointed_balls.hpp"

namespace scree {
namespace {

using namespace test;

TEST(ASpring, SwingsWithItsPeriodAndKeepsItsEnergyHoweverStiff) {
  for (const double k : {50.0, 5e7}) {
    Mechanism m(1e-3, {0, 0, 0});
    const double rest = k > 100 ? 1e-3 : 0.1;
    hinge_of_ball(m).drives = {{.stiffness = k, .rest = rest}};
    Simulation simulation = m.start();
    const auto energy = [&] {
      const Report& r = simulation.report();
      return r.kinetic_energy + r.potential_energy + r.joint_energy;
    };
    const double start = energy();
    EXPECT_NEAR(start, 0.5 * k * rest * rest, 1e-9 * k);
    double max_value = 0;
    for (int step = 0; step < 2000; ++step) {
      simulation.step();
      max_value = std::max(max_value, energy());
    }
    EXPECT_LT(max_value, 1.01 * start) << k;
    if (k > 100) continue;
    const double exact = 0.1 - 0.1 * std::cos(std::sqrt(k / kInertia) * 2);
    EXPECT_NEAR(simulation.joints()[0].coordinate[0], exact, 1e-4);
  }
}

TEST(ASpring, SwingsAsWideAsItIsPulledHoweverStiffAndItsBooksClose) {
  for (const double swing : {0.01, 0.3, 1.0, 3.0, 30.0, 1000.0}) {
    Simulation simulation = ball_on_a_spring(swing).start();
    const double start = energy_of(simulation.report());
    // The step of the trapezoidal rule.
    const double phase = 2 * std::atan(swing / 2);
    for (int k = 1; k <= 300; ++k) {
      const Report& report = simulation.step();
      ASSERT_NEAR(simulation.body({0}).position.x, 0.01 * (1 - std::cos(k * phase)), 1e-8)
          << swing << ", step " << k;
      ASSERT_NEAR(energy_of(report) / start, 1, 1e-6) << swing << ", step " << k;
      ASSERT_NEAR(report.dissipated_energy / start, 0, 1e-6) << swing << ", step " << k;
      ASSERT_NEAR(report["spring_swing"].value / swing, 1, 1e-6);
    }
  }
}

TEST(ASpring, HasAPeriodOfSecondOrderInTheStep) {
  // Places after one second, of a swing of 20 rad/s.
  const auto error = [](double h) {
    Simulation simulation = ball_on_a_spring(20 * h, h).start();
    step(simulation, static_cast<int>(std::lround(1 / h)));
    return simulation.body({0}).position.x - 0.01 * (1 - std::cos(20.0));
  };
  EXPECT_NEAR(std::log2(error(4e-3) / error(2e-3)), 2, 0.1);
}

TEST(AStiffSpringWithADamper, ComesToRestAndHasDissipatedAllOfItsEnergy) {
  for (const double swing : {0.1, 2.0, 100.0}) {
    Mechanism m = ball_on_a_spring(swing);
    m.model.joints[0].drives[0].damping = 0.2 * swing / 1e-3;
    Simulation simulation = m.start();
    const double start = energy_of(simulation.report());
    step(simulation, 5000);
    const Report& report = simulation.report();
    EXPECT_NEAR(simulation.body({0}).position.x, 0.01, 1e-9) << swing;
    EXPECT_NEAR(energy_of(report) / start, 0, 1e-6) << swing;
    EXPECT_NEAR(report.dissipated_energy / start, 1, 1e-6) << swing;
  }
}

/// A ball of 1 kg on a slider along x, with a position motor of the frequency `omega`.
Mechanism ball_on_a_motor(double omega, double damping_ratio, double h,
                          std::function<double(double)> target) {
  Mechanism m(h, {0, 0, 0});
  const BodyId ball = m.add_sphere({0, 0, 0});
  Joint& slider = m.join(JointKind::prismatic, kWorld, ball, {0, 0, 0}, {1, 0, 0});
  slider.drives = {{.motor = motor(Motor::Kind::position, std::move(target))}};
  slider.drives[0].motor.stiffness = omega * omega;
  slider.drives[0].motor.damping = 2 * damping_ratio * omega;
  return m;
}

TEST(APositionMotorWithGains, SwingsWithTheFrequencyAndTheDampingThatItIsGiven) {
  const double omega = 10, ratio = 0.094, decay = ratio * omega,
               of_swing = omega * std::sqrt(1 - ratio * ratio);
  const auto error = [&](double h) {
    Simulation simulation = ball_on_a_motor(omega, ratio, h, [](double) { return 0.01; }).start();
    double largest = 0;
    for (double t = h; t < 2; t += h) {
      simulation.step();
      const double exact = 1 - std::exp(-decay * t) * (std::cos(of_swing * t) +
                                                       decay / of_swing * std::sin(of_swing * t));
      largest = std::max(largest, std::abs(simulation.body({0}).position.x / 0.01 - exact));
    }
    return largest;
  };
  EXPECT_LT(error(5e-3), 0.01);
  EXPECT_LT(error(1e-3), 0.002);
}

TEST(APositionMotorWithGains, IsStableHoweverStiffAndLittleDampedItIs) {
  for (const double omega : {1e2, 1e4, 1e6})
    for (const double ratio : {0.0, 1e-3, 1.0, 1e3}) {
      Simulation simulation =
          ball_on_a_motor(omega, ratio, 1e-3, [](double) { return 0.01; }).start();
      double largest = 0;
      for (int k = 0; k < 4000; ++k) largest = std::max(largest, simulation.step().kinetic_energy);
      EXPECT_LE(largest, 0.5 * (0.01 / 1e-3) * (0.01 / 1e-3) + 1e-12) << omega << ", " << ratio;
      if (ratio <= 1) EXPECT_LT(simulation.report().kinetic_energy, 1e-9) << omega << ", " << ratio;
    }
}

TEST(APositionMotorWithGains, LagsARampByItsDampingUnlessThatActsOnTheError) {
  for (const double ratio : {0.02, 0.7})
    for (const bool damps_error : {false, true}) {
      Mechanism m = ball_on_a_motor(40, ratio, 5e-3, [](double t) { return 0.3 * t; });
      m.model.joints[0].drives[0].motor.damps_error = damps_error;
      Simulation simulation = m.start();
      step(simulation, 4000);
      const double lag = damps_error ? 0 : 0.3 * 2 * ratio / 40;
      EXPECT_NEAR(simulation.body({0}).position.x, 0.3 * 20 - lag, 1e-9) << ratio;
    }
}

TEST(AStiffSpring, ThatPressesOnALimitOrAFloorHasTheEnergyOfItsStretchAlone) {
  for (const bool limit : {true, false}) {
    Mechanism m(1e-3, {0, 0, 0});
    m.model.obstacles.push_back({"floor", HalfSpace{}, {{0, 0, -0.1}, {}}, 0});
    m.state = initial_state(m.model);
    const BodyId ball = m.add_sphere({0, 0, 0});
    Joint& joint = m.join(JointKind::prismatic, kWorld, ball, {0, 0, 0}, {0, 0, 1});
    joint.drives = {{.stiffness = 1e7, .rest = -0.01}};
    if (limit) joint.drives[0].lower = 0;
    Simulation simulation = m.start();
    for (int k = 0; k < 20; ++k) {
      const Report& report = simulation.step();
      ASSERT_NEAR(report.joint_energy, 500, 1e-3) << limit;
      ASSERT_NEAR(report.dissipated_energy, 0, 1e-3) << limit;
    }
  }
}

TEST(TwoSpringsOfOneBody, KeepTheirEnergyTogether) {
  Mechanism m = ball_on_a_spring(2);
  m.join(JointKind::rope, kWorld, {0}, {-1, 0, 0}).drives = {{.stiffness = 3e6, .rest = 0.98}};
  m.model.joints[1].b = m.end({0}, {0, 0, 0}, {0, 0, 1});
  Simulation simulation = m.start();
  const double start = energy_of(simulation.report());
  for (int k = 0; k < 300; ++k)
    ASSERT_NEAR(energy_of(simulation.step()) / start, 1, 1e-5) << "step " << k;
}

TEST(ASpring, OnAPartThatMovesHasNoForceWhileItsBodyMovesAlong) {
  Mechanism m = ball_on_a_cart(0.1);
  m.model.joints[0].drives = {{.stiffness = 1e4}};
  m.state.bodies.velocity[0] = {0.1, 0, 0};
  Simulation simulation = m.start();
  for (int k = 0; k < 100; ++k) {
    simulation.step();
    ASSERT_NEAR(simulation.joints()[0].effort[0], 0, 1e-6) << "step " << k;
  }
}

/// Bodies of 1 kg that hang one below the other on sliders: more driven rows than a dense matrix
/// takes.
Mechanism hanging_sliders(int count, const std::function<JointDrive(double below)>& drive) {
  Mechanism m(1e-3);
  m.model.solver = {.method = SolverKind::gauss_seidel, .tolerance = 1e-9, .max_sweeps = 1000};
  BodyId last = kWorld;
  for (int k = 0; k < count; ++k) {
    const Vec3 at{0, 0, -0.3 * (k + 1)};
    const BodyId body = m.add_sphere(at);
    m.join(JointKind::prismatic, last, body, at).drives = {drive(count - k)};
    last = body;
  }
  return m;
}

TEST(ManyDrives, OfSlidersThatFallToTheirLimitsBearWhatHangsBelow) {
  constexpr int kCount = 150;
  const Mechanism m = hanging_sliders(
      kCount, [](double) { return JointDrive{.lower = -1e-6, .upper = 0.001, .friction = 1}; });
  Simulation simulation = m.start();
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(simulation.step().converged) << k;
  // The last ones, which bear little more than friction holds, come down last.
  const std::vector<JointRecord> joints = simulation.joints();
  for (int k = 0; k < kCount; ++k) {
    const auto at = static_cast<std::size_t>(k);
    EXPECT_NEAR(joints[at].coordinate[0], -1e-6, 1e-12) << k;
    EXPECT_NEAR(joints[at].effort[0], (kCount - k) * 9.81, 1e-4) << k;
  }
}

TEST(ManyDrives, OfSpringsThatAreStretchedAsTheWeightBelowAsksStayAtRest) {
  constexpr int kCount = 150;
  constexpr double kStiffness = 1e5;
  const Mechanism m = hanging_sliders(kCount, [](double below) {
    return JointDrive{.stiffness = kStiffness, .rest = below * 9.81 / kStiffness, .damping = 10};
  });
  Simulation simulation = m.start();
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(simulation.step().converged) << k;
  for (const JointRecord& joint : simulation.joints()) EXPECT_NEAR(joint.coordinate[0], 0, 1e-9);
}

}  // namespace
}  // namespace scree
