// Constant cohesion against closed forms: docs/theory/contact_laws.md.
#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "scree/sim/accuracy.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kStickyRadius = 0.01, kStickyStep = 1e-3;

PairLaw sticky(double cohesion, LawKind kind = LawKind::coulomb, double mu = 0.5, double e = 0) {
  PairLaw law{.kind = kind, .friction = mu, .restitution = e};
  law.cohesion = cohesion;
  return law;
}
double mass_of_ball() { return World({}, kStickyStep).sphere({}, kStickyRadius).mass; }

constexpr LawKind kLaws[] = {LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation,
                             LawKind::cone_complementarity, LawKind::polyhedral};

TEST(Cohesion, HoldsABallUnderACeilingUpToItsWeight) {
  const double weight = mass_of_ball() * kGravity;
  for (const LawKind kind : kLaws)
    for (const double fraction : {0.999, 1.001}) {
      World world(sticky(fraction * weight, kind), kStickyStep);
      world.half_space({}, {0, 0, -1}).sphere({0, 0, -kStickyRadius}, kStickyRadius);
      Simulation simulation = world.simulation();
      run_until(simulation, 0.5);
      const double fallen = -kStickyRadius - body_of(simulation, 0).position.z;
      if (fraction > 1) {
        EXPECT_NEAR(fallen, 0, 1e-12) << name(kind);
        const ContactRecord record = simulation.contacts().at(0);
        EXPECT_NEAR(dot(record.impulse, record.normal), -weight * kStickyStep, 1e-9 * weight);
        EXPECT_NE(record.kind, ContactClass::separating);
        EXPECT_EQ(record.cone_violation, 0);
        EXPECT_LT(record.residual, 1e-12);
      } else {
        // Held back by the pull while within the slop, then free.
        EXPECT_GT(fallen, 0.1) << name(kind);
      }
    }
}

TEST(Cohesion, BreaksOnceAPullExceedsItAndTheWeight) {
  constexpr double kCohesion = 0.7;
  const double weight = mass_of_ball() * kGravity;
  for (const double fraction : {0.999, 1.001}) {
    World world(sticky(kCohesion), kStickyStep);
    world.half_space({}, {0, 0, 1}).sphere({0, 0, kStickyRadius}, kStickyRadius);
    Simulation simulation = world.simulation();
    for (int k = 0; k < 500; ++k) {
      simulation.apply_force({0}, {0, 0, fraction * (kCohesion + weight)});
      simulation.step();
    }
    const double lifted = body_of(simulation, 0).position.z - kStickyRadius;
    if (fraction < 1)
      EXPECT_NEAR(lifted, 0, 1e-12);
    else
      EXPECT_GT(lifted, 0.01);
  }
}

TEST(Cohesion, AddsToTheLoadThatFrictionGoesBy) {
  // A box that slides: the cone is μ (r_n + h F_c).
  constexpr double kCohesion = 0.2, kFriction = 0.3, kSpeed = 0.5;
  World world(sticky(kCohesion, LawKind::coulomb, kFriction), kStickyStep);
  Body& box = world.half_space({}, {0, 0, 1}).box({0, 0, 0.01}, {0.08, 0.08, 0.02});
  box.velocity = {kSpeed, 0, 0};
  const double deceleration = kFriction * (kGravity + kCohesion / box.mass);
  Simulation simulation = world.simulation();
  run_until(simulation, 0.5 * kSpeed / deceleration);
  EXPECT_NEAR(body_of(simulation, 0).velocity.x, kSpeed - deceleration * simulation.state().time,
              1e-6);
  run_until(simulation, kSpeed / deceleration + 2 * kStickyStep);
  EXPECT_NEAR(body_of(simulation, 0).position.x, kSpeed * kSpeed / (2 * deceleration),
              kSpeed * kStickyStep);
}

TEST(Cohesion, OfAPairIsTheSameWhateverTheNumberOfItsPoints) {
  for (const double fraction : {0.999, 1.001}) {
    World world({}, kStickyStep);
    const double weight = world.box({}, {0.02, 0.02, 0.02}).mass * kGravity;
    World under(sticky(fraction * weight), kStickyStep);
    under.half_space({}, {0, 0, -1}).box({0, 0, -0.01}, {0.02, 0.02, 0.02});
    Simulation simulation = under.simulation();
    run_until(simulation, 0.5);
    const double fallen = -0.01 - body_of(simulation, 0).position.z;
    if (fraction > 1)
      EXPECT_NEAR(fallen, 0, 1e-10);
    else
      EXPECT_GT(fallen, 0.1);
  }
}

TEST(Cohesion, DoesNotAttractAcrossAGap) {
  World world(sticky(10), kStickyStep);
  world.model.gravity = {};
  world.half_space({}, {0, 0, 1}).sphere({0, 0, 1.005 * kStickyRadius}, kStickyRadius);
  Simulation simulation = world.simulation();
  run_until(simulation, 0.1);
  EXPECT_EQ(body_of(simulation, 0).position.z, 1.005 * kStickyRadius);
}

TEST(Cohesion, HangsAChainAndBreaksItAtTheTop) {
  // Three balls under a ceiling: the upper contact carries all of them.
  const double weight = mass_of_ball() * kGravity;
  for (const double fraction : {2.99, 3.01}) {
    World world(sticky(fraction * weight), kStickyStep);
    world.half_space({}, {0, 0, -1});
    for (int k = 0; k < 3; ++k) world.sphere({0, 0, -(1 + 2 * k) * kStickyRadius}, kStickyRadius);
    Simulation simulation = world.simulation();
    run_until(simulation, 0.5);
    const double top = body_of(simulation, 0).position.z, below = body_of(simulation, 1).position.z;
    EXPECT_NEAR(top - below, 2 * kStickyRadius, 1e-6);  // the links between them hold
    if (fraction > 3)
      EXPECT_NEAR(top, -kStickyRadius, 1e-10);
    else
      EXPECT_LT(top, -0.1);
  }
}

TEST(Cohesion, HoldsAChainThatIsPulledByLessAtAnyAccuracyAndStep) {
  // The ends are pulled apart by a fraction of F_c.
  constexpr double kCohesion = 0.05, kBead = 2.75e-3;
  for (const Accuracy accuracy : {Accuracy::draft, Accuracy::engineering, Accuracy::reference})
    for (const double h : {1e-3, 1e-4, 1e-5})
      for (const int beads : {2, 10})
        for (const double fraction : {0.9, 1.1}) {
          World world(sticky(kCohesion), h);
          world.model.solver = solver_settings(accuracy);
          world.model.gravity = {};
          for (int k = 0; k < beads; ++k) world.sphere({2 * k * kBead, 0, 0}, kBead);
          Simulation simulation = world.simulation();
          const BodyId last{static_cast<std::uint64_t>(beads - 1)};
          for (int k = 0; k < 300; ++k) {
            simulation.apply_force({0}, {-fraction * kCohesion, 0, 0});
            simulation.apply_force(last, {fraction * kCohesion, 0, 0});
            simulation.step();
          }
          const double length = simulation.body(last).position.x - simulation.body({0}).position.x,
                       stretch = length - 2 * (beads - 1) * kBead, time = simulation.state().time;
          const auto what = [&] {
            return std::string(name(accuracy)) + ", h " + std::to_string(h) + ", " +
                   std::to_string(beads) + " beads";
          };
          if (fraction < 1)
            EXPECT_LT(std::abs(stretch), 1e-3 * kBead) << what();
          else  // at least one of the ends flies off
            EXPECT_GT(stretch, 0.1 * kCohesion / world.bodies[0].mass * time * time / 4) << what();
        }
}

TEST(Cohesion, MakesNoEnergyThatIsNotItsOwnPotential) {
  for (const LawKind kind : kLaws)
    for (const bool boxes : {false, true}) {
      const PairLaw law = sticky(0.05, kind, 0.4, 0.7);
      World world =
          boxes ? random_boxes(30, law, kStickyStep, 7) : random_pile(40, law, kStickyStep, 5);
      Simulation simulation = world.simulation();
      const double start =
          simulation.report().kinetic_energy + simulation.report().potential_energy;
      for (int k = 0; k < 300; ++k) {
        const Report& report = simulation.step();
        ASSERT_LE(report.kinetic_energy + report.potential_energy, start * (1 + 1e-6));
        if (report.converged)
          ASSERT_EQ(report["energy_created"].value, 0) << name(kind) << boxes << ", step " << k;
        ASSERT_NEAR(report.kinetic_energy + report.potential_energy + report.dissipated_energy,
                    start, (boxes ? 1e-4 : 1e-6) * start);  // boxes do not turn freely exactly
      }
    }
}

TEST(Cohesion, MakesNoEnergyWhereImpactsAreSolvedByPhases) {
  for (const bool boxes : {false, true}) {
    const PairLaw law = sticky(0.05, LawKind::coulomb, 0.4, 0.7);
    World world =
        boxes ? random_boxes(30, law, kStickyStep, 7) : random_pile(40, law, kStickyStep, 5);
    world.model.step.impacts = ImpactLaw::energetic;
    Simulation simulation = world.simulation();
    const double start = simulation.report().kinetic_energy + simulation.report().potential_energy;
    double compression = 0;
    for (int k = 0; k < 300; ++k) {
      const Report& report = simulation.step();
      compression += report.impact_work.compression;
      ASSERT_LE(report.kinetic_energy + report.potential_energy, start * (1 + 1e-6));
      if (report.converged) ASSERT_EQ(report["energy_created"].value, 0) << boxes << ", step " << k;
      ASSERT_NEAR(report.kinetic_energy + report.potential_energy + report.dissipated_energy, start,
                  (boxes ? 1e-4 : 1e-6) * start);  // boxes do not turn freely exactly
    }
    EXPECT_GT(compression, 0);
  }
}

TEST(Cohesion, OfAPairThatAnImpactPartsIsNoEnergyFromNowhere) {
  // A ball hits one of two that hold each other, and these give back what went through them. What
  // attracts them acted before they part.
  World world(sticky(0.3, LawKind::coulomb, 0.5, 1), kStickyStep);
  world.model.gravity = {};
  world.model.step.impacts = ImpactLaw::poisson;
  world.model.materials = {{"stone", 1000}, {"lead", 1000}};
  world.model.laws = LawTable(2, sticky(0.3, LawKind::coulomb, 0.5, 1));
  world.model.laws.assign(0, 1, {LawKind::coulomb, 0.5, 0});
  world.sphere({0, 0, 0}, kStickyRadius, {0.02, 0, 0}).material = 1;
  world.sphere({2 * kStickyRadius, 0, 0}, kStickyRadius);
  world.sphere({4 * kStickyRadius, 0, 0}, kStickyRadius);
  Simulation simulation = world.simulation();
  const Report& report = simulation.step();
  EXPECT_GT(body_of(simulation, 2).velocity.x, body_of(simulation, 1).velocity.x + 1e-3);
  EXPECT_EQ(report["energy_created"].value, 0);
}

TEST(Cohesion, BooksTheWorkOfPullingABallOff) {
  // With rolling friction, too: the ledger closes over every step.
  PairLaw law = sticky(0.3);
  law.rolling_friction = 1e-3;
  World world(law, kStickyStep);
  world.half_space({}, {0, 0, 1})
      .sphere({0, 0, kStickyRadius}, kStickyRadius, {0.2, 0, 0}, {0, 20, 0});
  Simulation simulation = world.simulation();
  const double start = simulation.report().kinetic_energy + simulation.report().potential_energy;
  double before = 0;
  for (int k = 0; k < 300; ++k) {
    simulation.apply_force({0}, {0, 0, k > 20 ? 0.5 : 0.1});
    const Report& report = simulation.step();
    ASSERT_NEAR(report.kinetic_energy + report.potential_energy + report.dissipated_energy,
                start + report.wall_work, 1e-10);
    double reported = 0;
    for (const ContactRecord& contact : simulation.contacts())
      reported += contact.dissipated_energy;
    ASSERT_NEAR(reported, report.dissipated_energy - before, 1e-12);
    before = report.dissipated_energy;
  }
  EXPECT_GT(body_of(simulation, 0).position.z, 1.5 * kStickyRadius);
}

}  // namespace
}  // namespace scree
