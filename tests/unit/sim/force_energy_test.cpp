// What contacts with compliant laws hold, take and give of energy.
#include <gtest/gtest.h>

#include "support/random_impacts.hpp"
#include "support/soft_piles.hpp"

namespace scree {
namespace {

using namespace test;

TEST(ForceEnergy, ClosesWithKineticAndPotentialEnergyAndTheWorkOfWalls) {
  PairLaw with_moments = soft();
  with_moments.rolling_friction = 2e-4;
  with_moments.spinning_friction = 1e-4;
  PairLaw sticky = soft();
  sticky.cohesion = 1e-3;
  sticky.force.damping_ratio = 0.5;
  for (const PairLaw& law : {soft(), with_moments, sticky}) {
    World world = soft_pile(60, law, 3);
    world.obstacle(Box{{0.02, 0.02, 0.002}}, {{0.02, 0.02, 0.004}, {}}, [](double t) {
      return Twist{{0, 0, 0.1 * std::cos(20 * t)}, {0, 0, 2}};
    });
    Simulation simulation = world.simulation();
    const double start = total_energy(simulation.step());
    double taken = 0;
    for (int k = 0; k < 4000; ++k) {
      const Report& report = simulation.step();
      taken = report.dissipated_energy;
      ASSERT_NEAR(total_energy(report), start, 1e-6 * std::abs(taken) + 1e-12) << report.step;
    }
    EXPECT_GT(taken, 1e-4);
    const ForceEnergy& books = simulation.report().force_energy;
    EXPECT_GT(books.damped, 0);
    EXPECT_GT(books.slid, 0);
    EXPECT_GE(books.elastic_normal, 0);
    if (law.rolling_friction > 0) {
      EXPECT_GT(books.rolled, 0);
    }
  }
}

/// Gravity's half kick of the first step is in the books.
TEST(ForceEnergy, IsTheSameBeforeTheFirstStepAsAfterIt) {
  World world(soft(), 1e-3);
  world.half_space({}, {0, 0, 1});
  const double mass = world.sphere({0, 0, 1}, 0.01).mass;
  world.sphere({0.3, 0, 1}, 0.01, {0.2, 0, 3});
  Simulation flight = world.simulation();
  const double at_start = total_energy(flight.report());
  for (int k = 0; k < 20; ++k) {
    const Report& report = flight.step();
    EXPECT_NEAR(total_energy(report), at_start, 1e-14 * at_start);
    EXPECT_NEAR(report.wall_work, -2 * mass * kGravity * kGravity * 1e-6 / 8, 1e-14 * at_start);
  }
}

TEST(ForceEnergy, OfAHertzPileClosesAsWell) {
  World world = soft_pile(60, soft(), 4);
  PairLaw law = hertz_law(0.4, 0.6);
  law.force.k_n = 1e7;
  law.force.k_t = 1e7;
  world.model.laws = LawTable(1, law);
  Simulation simulation = world.simulation();
  const double start = total_energy(simulation.report());
  for (int k = 0; k < 4000; ++k) {
    const Report& report = simulation.step();
    ASSERT_NEAR(total_energy(report), start, 1e-6 * report.dissipated_energy + 1e-12);
  }
  EXPECT_GT(simulation.report().dissipated_energy, 1e-5);
}

TEST(ForceEnergy, IsNeverMadeByRandomImpacts) {
  for (const double restitution : {1.0, 0.8})
    for (const ImpactKind kind :
         {ImpactKind::wall, ImpactKind::spheres, ImpactKind::capsule, ImpactKind::cylinder}) {
      const PairLaw law = linear_law(1e5, 3e4, 0.4, restitution);
      EXPECT_LT(max_gained(law, kind, 50, 300, 5), restitution < 1 ? 1e-9 : 2e-5);
      EXPECT_LT(max_gained(law, kind, 200, 100, 6), 1e-9);
    }
}

TEST(ForceEnergy, OfElasticImpactsWithoutFrictionIsThatBeforeToTheFourthOrder) {
  for (const ImpactKind kind : {ImpactKind::wall, ImpactKind::spheres}) {
    const PairLaw law = linear_law(1e5, 0, 0, 1);
    for (const auto& [steps, bound] : {std::pair{50.0, 2e-5}, {100.0, 2e-6}, {200.0, 2e-7}}) {
      RandomStream random{7};
      for (int k = 0; k < 200; ++k) {
        const double gain = gain_of_energy(random_impact(law, kind, steps, random));
        EXPECT_LT(std::abs(gain), bound) << steps << " steps, impact " << k;
      }
    }
  }
}

TEST(ForceEnergy, OfAnElasticImpactIsNotMadeByCohesion) {
  PairLaw law = linear_law(1e5, 0, 0, 1);
  law.cohesion = 1e-3;
  for (const ImpactKind kind : {ImpactKind::wall, ImpactKind::spheres})
    EXPECT_LT(max_gained(law, kind, 50, 200, 9), 5e-5);
}

/// An elastic ball that grazes a capsule, touching its side first and a cap last, or the reverse:
/// what it gains or loses of its energy.
double change_over_a_border(double z, double along, double steps) {
  const double r = 0.005, side = 0.0026 + r;
  PairLaw law = hertz_law(0);
  law.force.k_n = 5e7;
  law.force.k_t = 1.5e7;
  World world(law, 1);
  world.obstacle(Capsule{0.0026, 0.02}, {});
  const double mass = world.sphere({side * (1 + 1e-7), 0, z}, r, {-0.4, 0, along}).mass;
  // As long as an impact of 0.4 m/s on a spring of R* = r.
  const double stiffness = law.force.k_n * std::sqrt(r);
  world.model.step.h = 2.943 * std::pow(1.25 * mass / stiffness, 0.4) * std::pow(0.4, -0.2) / steps;
  world.model.gravity = {};
  return std::abs(gain_of_energy(world));
}

TEST(ForceEnergy, IsKeptWhereABallRollsFromTheSideOfACapsuleToItsCap) {
  for (const auto& [z, along] : {std::pair{0.0199, 0.4}, {0.0201, -0.4}}) {
    EXPECT_LT(change_over_a_border(z, along, 50), 2e-4);
    EXPECT_LT(change_over_a_border(z, along, 400), 2e-6);
  }
}

TEST(ForceEnergy, OfAShearSpringIsNoMoreThanFrictionLetsItHold) {
  World world(linear_law(1e4, 3e3, 0.4, 0.5), 2e-5);
  world.half_space({}, {0, 0, 1});
  const double weight = world.sphere({0, 0, 0.005}, 0.005, {1, 0, 0}).mass * kGravity;
  world.bodies[0].position.z -= weight / 1e4;
  Simulation simulation = world.simulation();
  const double max_value = std::pow(0.4 * weight, 2) / (2 * 3e3);
  for (int k = 0; k < 200; ++k)
    EXPECT_LT(simulation.step().force_energy.elastic_shear, 1.01 * max_value);
}

TEST(ForceEnergy, OfPointsIsThatOfTheOverlapWhereAHandHasPutTheBody) {
  PairLaw law = soft(0.3);
  World world(law, 5e-5);
  world.half_space({}, {0, 0, 1});
  const double mass = world.box({0, 0, 0.005}, {0.01, 0.01, 0.01}).mass;
  const double overlap = mass * kGravity / law.force.k_n;
  Simulation simulation = world.simulation();
  run_until(simulation, 0.1);
  EXPECT_NEAR(0.005 - simulation.body({0}).position.z, overlap, 1e-6 * overlap);
  simulation.move_to({0}, {0, 0, 0.005 - 4 * overlap});
  run_until(simulation, 0.3);
  EXPECT_NEAR(0.005 - simulation.body({0}).position.z, overlap, 1e-6 * overlap);
}

}  // namespace
}  // namespace scree
