// Compliant contacts in what engineers build: inclines, silos, drums, inflows, beside known
// answers.
#include <gtest/gtest.h>
#include <numbers>

#include "support/impacts.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kFlowRadius = 5e-3;

/// A contact of two grains lasts about thirty steps of 20 µs, and rebounds little.
PairLaw soft_law(double mu) {
  PairLaw law = linear_law(2e3, 600, mu, 0.3);
  law.force.damping_ratio = 1;
  return law;
}

/// A ball that is let go on an incline, at rest on its spring.
struct Descent {
  double way;           ///< in half a second [m]
  double speed;         ///< then [m/s]
  double acceleration;  ///< in the second half of it [m/s²]
};

Descent descent(PairLaw law, double slope, double length) {
  law.rolling_friction = length;
  const double angle = std::atan(slope);
  World world(law, 2e-5);
  const Vec3 normal{std::sin(angle), 0, std::cos(angle)};
  world.half_space({}, normal);
  const double weight = world.sphere({}, kFlowRadius).mass * kGravity;
  const double sunk = is_compliant(law) ? weight * std::cos(angle) / law.force.k_n : 0;
  const Vec3 start = (kFlowRadius - sunk) * normal;
  world.bodies[0].position = start;
  Simulation simulation = world.simulation();
  run_until(simulation, 0.25);
  const double half_way = norm(body_of(simulation, 0).velocity);
  run_until(simulation, 0.5);
  const Body body = body_of(simulation, 0);
  const double speed = norm(body.velocity);
  return {norm(body.position - start), speed, (speed - half_way) / 0.25};
}

TEST(Incline, HoldsASphereUpToItsRollingLengthByRigidAndByCompliantLaws) {
  const double weight = 1000 * 4.0 / 3 * std::numbers::pi * std::pow(kFlowRadius, 3) * kGravity;
  for (const PairLaw& law : {coulomb(0.5), soft_law(0.5)})
    for (const double slope : {0.05, 0.3}) {
      const double length = slope * kFlowRadius, angle = std::atan(slope);
      // The way in which a rolling spring k_n l² comes to hold all it can. The ball swings through
      // it: what it gains, a moment that is larger by a twentieth has to take.
      const double give =
          is_compliant(law) ? kFlowRadius * weight / (law.force.k_n * length) : 1e-9;
      const Descent held = descent(law, slope, 1.05 * length);
      EXPECT_LT(held.way, 20 * give) << slope;
      // The swing dies away; free, the ball would have more than 0.1 m/s.
      EXPECT_LT(held.speed, 1e-5) << slope;
      for (const double fraction : {0.7, 0.2}) {
        const double rolls = 5.0 / 7 * kGravity * (1 - fraction) * std::sin(angle);
        EXPECT_NEAR(descent(law, slope, fraction * length).acceleration, rolls, 1e-3 * rolls)
            << slope << ", " << fraction;
      }
    }
}

TEST(Incline, LetsASphereSlideThatFrictionCannotHold) {
  // It may not roll: the moment of friction about its centre is less than what resists it.
  for (const PairLaw& law : {coulomb(0.05), soft_law(0.05)}) {
    const double angle = std::atan(0.3);
    const double slides = kGravity * (std::sin(angle) - 0.05 * std::cos(angle));
    EXPECT_NEAR(descent(law, 0.3, kFlowRadius).acceleration, slides, 1e-3 * slides);
  }
}

/// Forces of contacts on all parts [N].
Vec3 force_on_obstacles(const Simulation& simulation) {
  Vec3 sum;
  for (std::uint32_t k = 0; k < simulation.model().obstacles.size(); ++k)
    sum += simulation.contact_force_on_obstacle(k).force;
  return sum;
}

TEST(Silo, OfCompliantGrainsStandsOnItsFloorAndWallsWithAllOfItsWeight) {
  for (const double mu : {0.0, 0.5}) {
    World world = random_pile(60, soft_law(mu), 2e-5, 5);
    world.model.step.local_damping = 0.3;
    double weight = 0;
    for (const Body& body : world.bodies) weight += body.mass * kGravity;
    Simulation simulation = world.simulation();
    run_until(simulation, 2);
    const Vec3 force = force_on_obstacles(simulation);
    EXPECT_NEAR(-force.z, weight, 1e-4 * weight);
    EXPECT_LT(std::hypot(force.x, force.y), 1e-4 * weight);
    // Walls without friction carry none of it.
    if (mu == 0) {
      EXPECT_NEAR(-simulation.contact_force_on_obstacle(0).force.z, weight, 1e-4 * weight);
    }
  }
}

/// A drum of eight flat walls that turns about the y axis, with its two ends.
World drum(const PairLaw& law, double spin) {
  constexpr double kInner = 0.03;
  World world(law, 2e-5);
  const Vec3 turning{0, spin, 0};
  for (int side = 0; side < 8; ++side) {
    const double angle = 2 * std::numbers::pi * side / 8;
    const Vec3 out{std::cos(angle), 0, std::sin(angle)};
    world.half_space(kInner * out, -out);
    world.model.obstacles.back().motion = [=](double t) {
      return Twist{cross(turning, kInner * rotate(rotation({0, 1, 0}, spin * t), out)), turning};
    };
  }
  world.half_space({0, -0.012, 0}, {0, 1, 0}).half_space({0, 0.012, 0}, {0, -1, 0});
  RandomStream random{3};
  for (int k = 0; k < 24; ++k)
    world.sphere({0.0105 * (k % 4) - 0.016, k % 8 < 4 ? -0.0055 : 0.0055, 0.0105 * (k / 8) - 0.012},
                 kFlowRadius * random.uniform(0.8, 1));
  return world;
}

TEST(Drum, GivesItsGrainsThePowerOfItsTorqueAndTheyTakeItAll) {
  const double spin = 8;
  Simulation simulation = drum(soft_law(0.5), spin).simulation();
  const double turn = 2 * std::numbers::pi / spin;
  run_until(simulation, turn);  // until it flows steadily
  const Report first = simulation.report();
  double work = 0;
  while (simulation.state().time < 3 * turn) {
    simulation.step();
    double torque = 0;
    for (std::uint32_t side = 0; side < 8; ++side)
      torque += simulation.contact_force_on_obstacle(side, Vec3{}).torque.y;
    work -= torque * spin * simulation.model().step.h;
  }
  const Report& last = simulation.report();
  const double booked = last.wall_work - first.wall_work;
  EXPECT_GT(work, 1e-3);
  EXPECT_NEAR(booked, work, 1e-5 * work);
  // What the grains hold at the ends of two whole turns is little beside what went through them.
  const double taken = last.dissipated_energy - first.dissipated_energy;
  EXPECT_NEAR(taken, work, 0.1 * work);
}

TEST(Inflow, OfCompliantGrainsHasTheRateOfItsPlateAndLosesNone) {
  constexpr double kSpeed = 0.5, kAdvance = 0.02, kLength = 0.2;
  World world(soft_law(0.4), 2e-5);
  world.model.gravity = {};
  world.half_space({-0.01, 0, 0}, {1, 0, 0});
  Inflow inflow{.name = "inflow", .plate = 0, .velocity = {kSpeed, 0, 0}, .advance = kAdvance};
  inflow.layer = {{0, -0.02, 0}, {0, 0, 0}, {0, 0.02, 0}};
  inflow.radius = kFlowRadius;
  world.model.inflows.push_back(inflow);
  constexpr double kFar = std::numeric_limits<double>::infinity();
  world.model.outflows.push_back({"exit", {kLength, -kFar, -kFar}, {kFar, kFar, kFar}});
  Simulation simulation = world.simulation();
  std::size_t entered = 0, left = 0;
  while (simulation.state().time < 2) {
    const Report& report = simulation.step();
    entered += report.bodies_added;
    left += report.bodies_removed;
    ASSERT_EQ(report.bodies, entered - left);
    ASSERT_EQ(report.bodies_skipped, 0U);
  }
  const double layers = 2 * kSpeed / kAdvance;
  // A layer more or less is there at that moment.
  EXPECT_NEAR(static_cast<double>(entered), 3 * layers, 3.5);
  EXPECT_NEAR(static_cast<double>(entered - left), 3 * kLength / kAdvance, 3.5);
  // In steady flow what enters with its energy leaves with it: nothing slows the grains.
  const Report& report = simulation.report();
  const double mass = 1000 * 4.0 / 3 * std::numbers::pi * std::pow(kFlowRadius, 3);
  EXPECT_NEAR(report.kinetic_energy,
              static_cast<double>(report.bodies) * mass * kSpeed * kSpeed / 2, 1e-9);
  EXPECT_NEAR(report.wall_work, report.kinetic_energy, 1e-9);
  EXPECT_NEAR(report.dissipated_energy, 0, 1e-12);
}

}  // namespace
}  // namespace scree
