// Problems with closed forms; numbers as in the literature table of the project's validation page.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/sim/accuracy.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

struct OnIncline {
  double acceleration;          ///< down the slope [m/s²]
  double angular_acceleration;  ///< [rad/s²]
};

OnIncline run_on_incline(double angle, double mu) {
  constexpr double kRadius = 0.01, kTime = 0.5;
  World world(coulomb(mu), 1e-3);
  const Vec3 normal{std::sin(angle), 0, std::cos(angle)};
  world.half_space({}, normal).sphere(kRadius * normal, kRadius);
  Simulation simulation = world.simulation();
  run_until(simulation, kTime);
  const Body ball = body_of(simulation, 0);
  return {norm(ball.velocity) / kTime, norm(ball.angular_velocity) / kTime};
}

TEST(SphereOnIncline, RollsWithFiveSeventhsOfTheSlopesAcceleration) {
  for (const double angle : {0.1, 0.4, 0.8}) {
    const OnIncline run = run_on_incline(angle, 1.01 * 2.0 / 7 * std::tan(angle));
    EXPECT_NEAR(run.acceleration, 5.0 / 7 * kGravity * std::sin(angle), 1e-6);
    EXPECT_NEAR(run.angular_acceleration, run.acceleration / 0.01, 1e-4);
  }
}

TEST(SphereOnIncline, SlidesWhereFrictionIsBelowTwoSeventhsOfTheSlope) {
  for (const double angle : {0.1, 0.4, 0.8}) {
    const double mu = 0.7 * 2.0 / 7 * std::tan(angle);
    const OnIncline run = run_on_incline(angle, mu);
    EXPECT_NEAR(run.acceleration, kGravity * (std::sin(angle) - mu * std::cos(angle)), 1e-6);
    EXPECT_NEAR(run.angular_acceleration, 2.5 * mu * kGravity * std::cos(angle) / 0.01, 1e-3);
  }
}

TEST(ConeComplementarity, LetsABoxSlideLikeCoulombAtAnyStep) {
  // Height h μ |u_t|; acceleration g (sin α − μ cos α).
  constexpr double kFriction = 0.4, kHalfHeight = 0.05;
  const double angle = 25 * std::numbers::pi / 180,
               expected = kGravity * (std::sin(angle) - kFriction * std::cos(angle));
  for (const double h : {1e-3, 1e-4, 2e-5}) {
    SCOPED_TRACE(h);
    World world({LawKind::cone_complementarity, kFriction, 0}, h);
    world.model.solver = solver_settings(Accuracy::engineering);
    world.model.gravity = kGravity * Vec3{std::sin(angle), 0, -std::cos(angle)};
    world.half_space({}, {0, 0, 1}).box({0, 0, kHalfHeight}, {0.2, 0.2, 2 * kHalfHeight});
    Simulation simulation = world.simulation();
    const double begin = h < 1e-4 ? 0.05 : 0.3, lasts = h < 1e-4 ? 0.05 : 0.2;
    run_until(simulation, begin);
    const double before = simulation.body({0}).velocity.x;
    run_until(simulation, begin + lasts);
    const Body box = simulation.body({0});
    EXPECT_NEAR((box.velocity.x - before) / lasts, expected, 1e-3);
    EXPECT_NEAR(box.position.z - kHalfHeight, h * kFriction * box.velocity.x, 1e-7);
    EXPECT_NEAR(box.position.y, 0, 1e-6);
    EXPECT_LT(norm(box.angular_velocity), 1e-3);
  }
}

TEST(ConeComplementarity, LiftsASlidingSphereOffTheIncline) {
  // u_n + g/h = μ |u_t| after every step: the sphere slides at a height of h μ times its slip.
  constexpr double kRadius = 0.01, kStep = 1e-3, kAngle = 0.4;
  const double mu = 0.7 * 2.0 / 7 * std::tan(kAngle);
  World world({LawKind::cone_complementarity, mu, 0}, kStep);
  const Vec3 normal{std::sin(kAngle), 0, std::cos(kAngle)};
  world.half_space({}, normal).sphere(kRadius * normal, kRadius);
  Simulation simulation = world.simulation();
  for (int k = 1; k <= 300; ++k) {
    simulation.step();
    const Body ball = body_of(simulation, 0);
    const Vec3 at_contact = ball.velocity - cross(ball.angular_velocity, kRadius * normal);
    const double slip = norm(at_contact - dot(at_contact, normal) * normal);
    ASSERT_NEAR(dot(ball.position, normal) - kRadius, kStep * mu * slip, 1e-9) << "step " << k;
  }
}

struct SlipToRoll {
  double time, distance, speed;
};

/// A sphere of 1 mm set down with speed u0: when it rolls, how far it slid, how fast it then is.
SlipToRoll slip_to_roll(double mu, double u0, double h) {
  constexpr double kRadius = 5e-4;
  World world(coulomb(mu), h);
  world.half_space({}, {0, 0, 1}).sphere({0, 0, kRadius}, kRadius, {u0, 0, 0});
  Simulation simulation = world.simulation();
  for (;;) {
    simulation.step();
    const Body ball = body_of(simulation, 0);
    if (ball.velocity.x - kRadius * ball.angular_velocity.y < 1e-9)
      return {simulation.state().time, ball.position.x, ball.velocity.x};
  }
}

TEST(SlipToRoll, EndsAtTheClosedFormToFirstOrderInTheStep) {
  for (const auto& [mu, u0] : {std::pair{0.2, 1.0}, std::pair{0.5, 2.0}}) {
    const double time = 2 * u0 / (7 * mu * kGravity),
                 distance = 12 * u0 * u0 / (49 * mu * kGravity);
    for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
      const SlipToRoll run = slip_to_roll(mu, u0, h);
      EXPECT_NEAR(run.speed, 5.0 / 7 * u0, 1e-6);
      EXPECT_NEAR(run.time, time, h * 1.001);
      EXPECT_NEAR(run.distance, distance, h * u0);
    }
  }
}

/// Heights of the centre at the tops of successive bounces, dropped from h0.
std::vector<double> bounce_heights(double restitution, double h0, double radius, double h,
                                   int count) {
  World world(coulomb(0, restitution), h);
  world.half_space({}, {0, 0, 1}).sphere({0, 0, h0}, radius);
  Simulation simulation = world.simulation();
  std::vector<double> tops;
  for (double before = 0; static_cast<int>(tops.size()) < count;) {
    simulation.step();
    const Body ball = body_of(simulation, 0);
    if (before > 0 && ball.velocity.z <= 0) tops.push_back(ball.position.z);
    before = ball.velocity.z;
  }
  return tops;
}

TEST(BouncingBall, LosesHeightByRestitutionSquaredAndConvergesAtFirstOrder) {
  constexpr double kRadius = 0.1, kStart = 0.5;
  for (const double e : {0.5, 0.7, 0.9}) {
    double error_before = 0;
    for (const double h : {4e-4, 1e-4, 2.5e-5}) {
      const std::vector<double> tops = bounce_heights(e, kStart, kRadius, h, 3);
      double error = 0;
      for (int k = 0; k < 3; ++k)
        error = std::max(
            error, std::abs(tops[k] - ((kStart - kRadius) * std::pow(e, 2 * k + 2) + kRadius)));
      EXPECT_LT(error, 20 * h) << "e " << e << ", h " << h;
      if (error_before > 0) EXPECT_LT(error, 0.6 * error_before) << "e " << e << ", h " << h;
      error_before = error;
    }
  }
}

TEST(BouncingBall, ComesToRest) {
  World world(coulomb(0.3, 0.7), 1e-4);
  world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.1}, 0.01);
  Simulation simulation = world.simulation();
  run_until(simulation, 2);
  EXPECT_LT(norm(body_of(simulation, 0).velocity), 1e-9);
  EXPECT_NEAR(body_of(simulation, 0).position.z, 0.01, 1e-6);
}

TEST(ObliqueHardImpact, FollowsNewtonAndCoulombExactly) {
  // Kharaz' sphere: J_t = min(μ (1+e) m v_n, 2/7 m v_t); sticks below 32.52° from the normal.
  constexpr double kMu = 0.092, kE = 0.98, kSpeed = 3.9, kRadius = 0.0025;
  for (const double degrees : {5.0, 10.0, 20.0, 30.0, 32.5, 32.54, 40.0, 60.0, 80.0}) {
    const double angle = degrees * std::numbers::pi / 180, v_n = kSpeed * std::cos(angle),
                 v_t = kSpeed * std::sin(angle);
    World world(coulomb(kMu, kE), 1e-5);
    world.model.gravity = {};
    world.half_space({}, {0, 0, 1}).sphere({0, 0, kRadius + 1e-5}, kRadius, {v_t, 0, -v_n});
    Simulation simulation = world.simulation();
    for (int k = 0; k < 10; ++k) simulation.step();
    const Body ball = body_of(simulation, 0);
    const double j_t = std::min(kMu * (1 + kE) * v_n, 2.0 / 7 * v_t);
    EXPECT_NEAR(ball.velocity.z, kE * v_n, 1e-12) << degrees;
    EXPECT_NEAR(ball.velocity.x, v_t - j_t, 1e-12) << degrees;
    EXPECT_NEAR(ball.angular_velocity.y, 2.5 * j_t / kRadius, 1e-8) << degrees;
  }
}

TEST(FreeBody, TumblesWithThePublishedPeriodInsideASimulation) {
  World world(coulomb(0), 1e-3);
  world.model.gravity = {};
  world.model.prototypes.push_back({Sphere{1}, {1, 2, 3}});
  Body& nut = world.sphere({}, 1, {}, {0.01, 1, 0.01});
  nut.prototype = 1, nut.mass = 1;
  Simulation simulation = world.simulation();
  const double energy = simulation.report().kinetic_energy;
  EXPECT_NEAR(energy, 1.0002, 1e-12);
  run_until(simulation, 39.10573419726872);
  // After a period of ω (body frame) it is where it was; the middle axis has gone through both of
  // its turns.
  const Body after = body_of(simulation, 0);
  const Vec3 w = rotate_back(after.orientation, after.angular_velocity);
  EXPECT_NEAR(w.x, 0.01, 2e-4);
  EXPECT_NEAR(w.y, 1, 2e-4);
  EXPECT_NEAR(w.z, 0.01, 2e-4);
  EXPECT_NEAR(simulation.report().kinetic_energy, energy, 1e-6);
}

}  // namespace
}  // namespace scree
