/// What a step certifies of its contacts and of the energy they take.
#include <algorithm>
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr LawKind kSolvedJointly[] = {LawKind::frictionless, LawKind::coulomb,
                                      LawKind::max_dissipation, LawKind::cone_complementarity,
                                      LawKind::polyhedral};

/// Balls of two kinds, every other one loaded, over a floor that shakes.
World shaken_balls(const PairLaw& law) {
  World world(law, 1e-3);
  world.model.prototypes.push_back({Sphere{1}, {0.2, 0.4, 0.5}});
  world.obstacle(HalfSpace{}, {{0, 0, 0}, {}}, [](double t) {
    return Twist{{0.3 * std::cos(80 * t), 0, 0.4 * std::cos(60 * t)}, {}};
  });
  RandomStream random{5, 0};
  for (int k = 0; k < 27; ++k) {
    Body& body =
        world.sphere({0.021 * (k % 3), 0.021 * (k / 3 % 3), 0.0101 + 0.0205 * (k / 9)}, 0.01,
                     {random.uniform(-1, 1), random.uniform(-1, 1), -1},
                     {random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)});
    body.prototype = static_cast<PrototypeId>(k % 2);
    body.orientation = rotation({random.normal(), random.normal(), random.normal()}, 1);
  }
  return world;
}

TEST(Certificates, SumDissipationOverContactsToThatOfTheStep) {
  for (const LawKind kind : kSolvedJointly)
    for (const double restitution : {0.0, 0.6}) {
      Simulation simulation = shaken_balls({kind, 0.3, restitution}).simulation();
      double before = 0;
      for (int k = 0; k < 100; ++k) {
        const Report& report = simulation.step();
        double sum = 0;
        for (const ContactRecord& c : simulation.contacts()) sum += c.dissipated_energy;
        ASSERT_NEAR(sum, report.dissipated_energy - before, 1e-12 * report.kinetic_energy)
            << name(kind) << " step " << k;
        before = report.dissipated_energy;
      }
      EXPECT_GT(before, 0) << name(kind);
    }
}

TEST(Certificates, FindNoEnergyMadeByAnyLawThatWasSolved) {
  for (const LawKind kind : kSolvedJointly)
    for (const double restitution : {0.0, 1.0}) {
      Simulation simulation = shaken_balls({kind, 0.3, restitution}).simulation();
      for (int k = 0; k < 200; ++k) {
        const Report& report = simulation.step();
        ASSERT_TRUE(report.converged)
            << name(kind) << " step " << k << " residual " << report.residual;
        ASSERT_EQ(report.energy_created, 0) << name(kind) << " step " << k;
      }
    }
}

TEST(Certificates, TellGapTermsThatPushOverlapsApartFromEnergyThatIsMade) {
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.model.step.overlap_correction = OverlapCorrection::velocities;
  world.model.step.recovery_speed = 0.1;
  const double mass = world.sphere({}, 0.01).mass;
  world.sphere({0.018, 0, 0}, 0.01);
  Simulation simulation = world.simulation();
  const Report& report = simulation.step();
  // Apart with 0.1 m/s: the gap term works along with the percussion m/2 · 0.1, half of which is
  // left as kinetic energy.
  EXPECT_NEAR(report.bias_work, 0.5 * mass * 0.01, 1e-15);
  EXPECT_NEAR(report.dissipated_energy, -0.25 * mass * 0.01, 1e-15);
  EXPECT_NEAR(simulation.contacts().at(0).dissipated_energy, -0.25 * mass * 0.01, 1e-15);
  EXPECT_EQ(report.energy_created, 0);
}

/// A column of balls whose floor falls away faster than they can: the percussions that held them
/// are in the way.
World column_that_loses_its_floor() {
  World world(coulomb(0.4), 1e-3);
  world.obstacle(Box{{1, 1, 0.01}}, {{0, 0, -0.01}, {}}, [](double t) {
    return Twist{{0, 0, t < 0.1 ? 0.0 : -5.0}, {}};
  });
  for (int k = 0; k < 20; ++k) world.sphere({0, 0, 0.01 + 0.02 * k}, 0.01);
  return world;
}

TEST(Certificates, TellOfEnergyThatAnUnfinishedSolveMakes) {
  World world = column_that_loses_its_floor();
  Simulation solved = world.simulation();
  while (solved.state().time < 0.12)
    EXPECT_EQ(solved.step().energy_created, 0) << solved.state().time;

  world.model.solver.tolerance = 100;
  Simulation unfinished = world.simulation();
  unfinished.step();
  double created = 0;
  while (unfinished.state().time < 0.12) created += unfinished.step().energy_created;
  EXPECT_GT(created, 0);
  EXPECT_TRUE(unfinished.report().converged) << "the tolerance asked for no better";
}

TEST(Certificates, NameTheWorstContactOfAStep) {
  for (const LawKind kind : {LawKind::coulomb, LawKind::cone_complementarity}) {
    World world = random_pile(300, {kind, 0.4, 0}, 1e-3, 3);
    world.model.solver.max_sweeps = 3;
    Simulation simulation = world.simulation();
    EXPECT_EQ(simulation.worst_contact().residual, 0) << "before the first step";
    run_until(simulation, 0.1);
    const WorstContact worst = simulation.worst_contact();
    const auto contacts = simulation.contacts();
    const auto& largest = *std::ranges::max_element(contacts, {}, &ContactRecord::residual);
    EXPECT_GT(worst.residual, 0);
    EXPECT_EQ(worst.a, largest.a);
    EXPECT_EQ(worst.b, largest.b);
    EXPECT_EQ(worst.kind, largest.kind);
    EXPECT_EQ(worst.residual, largest.residual);
    EXPECT_NEAR(worst.residual, simulation.report().worst_residual, 1e-12 * worst.residual);
  }
}

TEST(Certificates, FindNoCouplingOfNormalAndTangentialMotionWhereSurfacesAreSpheres) {
  Simulation simulation = shaken_balls(coulomb(0.3)).simulation();
  simulation.step();
  const auto contacts = simulation.contacts();
  EXPECT_FALSE(contacts.empty());
  for (const ContactRecord& c : contacts) EXPECT_EQ(c.painleve_number, 0);
}

}  // namespace
}  // namespace scree
