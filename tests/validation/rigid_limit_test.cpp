// Ever stiffer springs beside the rigid law: where the limit of compliant contacts is the rigid
// answer, at which order in k_n, and where it is another one.
#include <gtest/gtest.h>

#include "support/impacts.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kStiffRadius = 0.005;
constexpr double kStiffnesses[] = {1e4, 1e5, 1e6, 1e7};  ///< k_n [N/m]

double impact_time(double mass, double k_n) { return std::numbers::pi * std::sqrt(mass / k_n); }

/// −d log error / d log k_n, by the first and the last.
double order_in_stiffness(const std::vector<double>& errors) {
  return -std::log(errors.back() / errors.front()) /
         std::log(kStiffnesses[errors.size() - 1] / kStiffnesses[0]);
}

std::string listed(const std::vector<double>& errors) {
  std::string text = "errors in millionths:";
  for (const double e : errors) text += " " + std::to_string(1e6 * e);
  return text;
}

/// Every error is smaller than the one before, and together they fall with k_n to the power
/// −`order`.
void expect_order(const std::vector<double>& errors, double order, double within) {
  for (std::size_t k = 1; k < errors.size(); ++k) EXPECT_LT(errors[k], errors[k - 1]);
  EXPECT_NEAR(order_in_stiffness(errors), order, within) << listed(errors);
}

/// A ball that touches a floor and has this velocity, until `time`; `h` apart from that of springs.
Body thrown_at_floor(const PairLaw& law, const Vec3& velocity, double time, double h,
                     bool gravity = true) {
  World world(law, h);
  // Springs begin within a step, not with the first one, whose friction has no way yet.
  const double apart = is_compliant(law) ? 1e-7 * kStiffRadius : 0;
  world.half_space({}, {0, 0, 1}).sphere({0, 0, kStiffRadius + apart}, kStiffRadius, velocity);
  if (!gravity) world.model.gravity = {};
  Simulation simulation = world.simulation();
  run_until(simulation, time);
  return body_of(simulation, 0);
}

double ball_mass() { return 1000 * 4.0 / 3 * std::numbers::pi * std::pow(kStiffRadius, 3); }

/// A normal impact at 1 m/s, the ball sliding at `along`.
struct ObliqueImpact {
  double friction, restitution, along;
  double damping_ratio = 0;  ///< of the tangential dashpot
};

/// |difference| of velocity and R ω from the rigid closed form after an impact that slides all
/// along [m/s].
double off_the_rigid_form(const Body& ball, const ObliqueImpact& of, double time, double gravity) {
  const double e = of.restitution, friction = of.friction * (1 + e);
  const Vec3 velocity{of.along - friction, 0, e - gravity * time};
  return norm(ball.velocity - velocity) +
         norm(kStiffRadius * ball.angular_velocity - Vec3{0, 2.5 * friction, 0});
}

std::vector<double> errors_of_impacts(const ObliqueImpact& of, bool gravity) {
  std::vector<double> errors;
  for (const double k : kStiffnesses) {
    PairLaw law = linear_law(k, 2.0 / 7 * k, of.friction, of.restitution);
    law.force.damping_ratio = of.damping_ratio;
    const double h = impact_time(ball_mass(), k) / 500, until = 750 * h;
    const Body ball = thrown_at_floor(law, {of.along, 0, -1}, until, h, gravity);
    // Springs have the velocity of half a step ago.
    errors.push_back(off_the_rigid_form(ball, of, until - h / 2, gravity ? kGravity : 0));
  }
  return errors;
}

TEST(RigidLimit, OfImpactsIsWhatCoulombsLawGives) {
  for (const ObliqueImpact& of : {ObliqueImpact{0, 0.6, 0}, ObliqueImpact{0.1, 0.6, 3}}) {
    const Body ball =
        thrown_at_floor(coulomb(of.friction, of.restitution), {of.along, 0, -1}, 1e-3, 1e-6);
    EXPECT_LT(off_the_rigid_form(ball, of, 1e-3, kGravity), 2e-5);
  }
}

TEST(RigidLimit, OfNormalImpactsIsReachedAsTheTimeOfAnImpactInWhichGravityActs) {
  for (const double e : {0.3, 0.6, 1.0}) {
    // Without gravity springs of any stiffness give the rigid rebound.
    for (const double error : errors_of_impacts({0, e, 0}, false)) EXPECT_LT(error, 2e-5);
    expect_order(errors_of_impacts({0, e, 0}, true), 0.5, 0.05);
  }
}

TEST(RigidLimit, OfImpactsThatSlideAllAlongIsReachedAsThatOfNormalOnes) {
  for (const ObliqueImpact& of : {ObliqueImpact{0.1, 1, 3, 0}, ObliqueImpact{0.1, 0.6, 3, 1}}) {
    for (const double error : errors_of_impacts(of, false)) EXPECT_LT(error, 5e-5);
    expect_order(errors_of_impacts(of, true), 0.5, 0.05);
  }
}

/// A normal dashpot pushes from the first touch on, a spring alone gives friction once it is
/// stretched: that takes the same part of an impact at any stiffness. A tangential dashpot mends
/// it.
TEST(RigidLimit, OfImpactsThatSlideMissesFrictionIfTheNormalDashpotStandsAlone) {
  const std::vector<double> errors = errors_of_impacts({0.1, 0.6, 3, 0}, false);
  const double friction = 3.5 * 0.1 * 1.6;
  for (const double error : errors) {
    EXPECT_NEAR(error, errors[0], 5e-5);  // by where in a step the impact begins
    EXPECT_GT(error, 3e-3 * friction);
    EXPECT_LT(error, 6e-3 * friction);
  }
}

/// With k_t/k_n the spring swings a fixed part of its period in an impact, however stiff it is.
TEST(RigidLimit, OfAnImpactThatSticksIsNotTheRigidAnswer) {
  const double angle = 5 * std::numbers::pi / 180, speed = 3.9;
  const Vec3 velocity = speed * Vec3{std::sin(angle), 0, -std::cos(angle)};
  const auto kept = [&](const PairLaw& law, double h, double until) {
    return thrown_at_floor(law, velocity, until, h, false).velocity.x / velocity.x;
  };
  // The experiment found 0.948. Rigid, without tangential restitution: it leaves rolling.
  EXPECT_NEAR(kept(coulomb(0.092, 1), 1e-6, 1e-4), 5.0 / 7, 1e-9);
  for (const double k : kStiffnesses) {
    const double h = impact_time(ball_mass(), k) / 2000;
    EXPECT_NEAR(kept(linear_law(k, 1.48 / 1.72 * k, 0.092), h, 3000 * h), 0.806424679, 2e-4) << k;
  }
}

TEST(RigidLimit, OfABallThatRestsIsReachedAsItsWeightSinksIn) {
  std::vector<double> errors;
  for (const double k : {1e4, 1e5, 1e6}) {
    const PairLaw law = linear_law(k, 2.0 / 7 * k, 0.4, 0.3);
    const double h = impact_time(ball_mass(), k) / 50;
    errors.push_back(
        std::abs(thrown_at_floor(law, {0, 0, -0.2}, 0.3, h).position.z - kStiffRadius));
    EXPECT_NEAR(errors.back(), ball_mass() * kGravity / k, 1e-6 * errors.back()) << k;
  }
  EXPECT_NEAR(thrown_at_floor(coulomb(0.4, 0.3), {0, 0, -0.2}, 0.3, 1e-4).position.z, kStiffRadius,
              1e-9);
  expect_order(errors, 1, 1e-3);
}

/// Slides for 2 v/(7 μ g), then rolls with 5/7 v: the rigid closed form.
TEST(RigidLimit, OfABallThatSlidesAndThenRollsIsReached) {
  const double mu = 0.4, speed = 0.5, slides = 2 * speed / (7 * mu * kGravity), until = 2 * slides;
  const double way = 12 * speed * speed / (49 * mu * kGravity) + 5.0 / 7 * speed * (until - slides);
  std::vector<double> places, speeds;
  for (const double k : kStiffnesses) {
    PairLaw law = linear_law(k, 2.0 / 7 * k, mu, 0.3);
    law.force.damping_ratio = 1;
    World world(law, until / std::round(50 * until / impact_time(ball_mass(), k)));
    world.half_space({}, {0, 0, 1});
    world.sphere({0, 0, kStiffRadius - ball_mass() * kGravity / k}, kStiffRadius, {speed, 0, 0});
    Simulation simulation = world.simulation();
    run_until(simulation, until);
    const Body ball = body_of(simulation, 0);
    places.push_back(std::abs(ball.position.x - way) / way);
    speeds.push_back(std::abs(ball.velocity.x - 5.0 / 7 * speed) / speed);
  }
  EXPECT_LT(places.back(), 1e-5) << listed(places);
  EXPECT_LT(speeds.back(), 1e-5) << listed(speeds);
  EXPECT_GT(order_in_stiffness(places), 0.45) << listed(places);
}

/// Rigid and soft in one scene: stone on stone is rigid, all that touches rubber is soft.
TEST(RigidLimit, OfABoxOnSoftGrainsIsThatOfRigidOnes) {
  const auto height_of_box = [&](const PairLaw& law, double h) {
    World world(coulomb(0.4), h);
    world.model.materials = {{"stone", 1000}, {"rubber", 1000}};
    world.model.laws = LawTable(2, coulomb(0.4));
    world.model.laws.assign(0, 1, law);
    world.model.laws.assign(1, 1, law);
    world.half_space({}, {0, 0, 1});
    for (int k = 0; k < 4; ++k)
      world.sphere({0.03 * (k % 2), 0.03 * (k / 2), 0.01}, 0.01).material = 1;
    world.box({0.015, 0.015, 0.03}, {0.05, 0.05, 0.02});
    world.model.step.local_damping = law.kind == LawKind::coulomb ? 0 : 0.3;
    Simulation simulation = world.simulation();
    run_until(simulation, 0.5);
    return body_of(simulation, 4).position.z;
  };
  const double rigid = height_of_box(coulomb(0.4), 1e-4);
  EXPECT_NEAR(rigid, 0.03, 1e-8);
  const double grain = 1000 * 4.0 / 3 * std::numbers::pi * 1e-6;
  std::vector<double> errors;
  for (const double k : {1e4, 1e5, 1e6}) {
    const PairLaw law = linear_law(k, 0.3 * k, 0.4, 0.3);
    errors.push_back(std::abs(height_of_box(law, impact_time(grain, k) / 60) - rigid));
  }
  expect_order(errors, 1, 0.01);
}

}  // namespace
}  // namespace scree
