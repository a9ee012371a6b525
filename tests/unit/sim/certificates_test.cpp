/// What a step certifies of its contacts and of the energy they take.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

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
        ASSERT_EQ(report["energy_created"].value, 0) << name(kind) << " step " << k;
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
  // Apart with 0.1 m/s: the gap term works along with the impulse m/2 · 0.1, half of which is
  // left as kinetic energy.
  EXPECT_NEAR(report.bias_work, 0.5 * mass * 0.01, 1e-15);
  EXPECT_NEAR(report.dissipated_energy, -0.25 * mass * 0.01, 1e-15);
  EXPECT_NEAR(simulation.contacts().at(0).dissipated_energy, -0.25 * mass * 0.01, 1e-15);
  EXPECT_EQ(report["energy_created"].value, 0);
}

/// A column of balls whose floor falls away faster than they can: the impulses that held them
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
    EXPECT_EQ(solved.step()["energy_created"].value, 0) << solved.state().time;

  world.model.solver.max_sweeps = 1;
  Simulation unfinished = world.simulation();
  unfinished.step();
  double created = 0;
  while (unfinished.state().time < 0.12) created += unfinished.step()["energy_created"].value;
  EXPECT_GT(created, 0);
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

TEST(Certificates, SayOfAllContactsOfBoxesWhatEachOfThemSays) {
  for (const LawKind kind : {LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation,
                             LawKind::cone_complementarity, LawKind::polyhedral})
    for (const int sweeps : {2, 50}) {
      const double mu = kind == LawKind::frictionless ? 0 : 0.4;
      World world = random_boxes(80, {kind, mu, 0}, 1e-3, 3);
      world.model.solver.max_sweeps = sweeps;
      Simulation simulation = world.simulation();
      run_until(simulation, 0.2);
      double worst = 0;
      std::size_t loaded = 0, sliding = 0;
      for (const ContactRecord& contact : simulation.contacts()) {
        worst = std::max(worst, contact.residual);
        loaded += contact.kind != ContactClass::separating;
        sliding += contact.kind == ContactClass::sliding;
      }
      const Report& report = simulation.report();
      EXPECT_GT(loaded, 50u) << name(kind);
      EXPECT_NEAR(report.worst_residual, worst, 1e-12) << name(kind) << ", " << sweeps;
      EXPECT_EQ(report.contacts_loaded, loaded) << name(kind) << ", " << sweeps;
      EXPECT_EQ(report.contacts_sliding, sliding) << name(kind) << ", " << sweeps;
      EXPECT_EQ(report["local_failures"].value, 0u) << name(kind);
    }
}

TEST(Certificates, FindNoCouplingOfNormalAndTangentialMotionWhereSurfacesAreSpheres) {
  Simulation simulation = shaken_balls(coulomb(0.3)).simulation();
  simulation.step();
  const auto contacts = simulation.contacts();
  EXPECT_FALSE(contacts.empty());
  for (const ContactRecord& c : contacts) EXPECT_EQ(c.painleve_number, 0);
}

/// Velocity after the step of a ball's surface in the direction of a unit vector, or of an obstacle
/// that does not turn.
Vec3 surface_velocity(const Simulation& simulation, BodyId id, const Vec3& direction) {
  if (is_obstacle(id)) return simulation.state().obstacles[0].twist.linear;
  const Body body = body_of(simulation, id.value);
  return body.velocity + cross(body.angular_velocity, body.radius * direction);
}

double spin(const Simulation& simulation, BodyId id) {
  return is_obstacle(id) ? 0 : norm(body_of(simulation, id.value).angular_velocity);
}

TEST(Certificates, TellRelativeVelocitiesOfTheBodiesWhereTheyTouch) {
  std::vector<PairLaw> laws;
  for (const LawKind kind : kSolvedJointly) laws.push_back({kind, 0.3, 0});
  laws.push_back({.kind = LawKind::cundall_strack,
                  .friction = 0.3,
                  .force = {.k_n = 1e3, .k_t = 1e3, .normal_damping = 0.05}});
  for (const PairLaw& law : laws) {
    World world = shaken_balls(law);
    // ω of balls of equal moments of inertia is that of the solve.
    for (Body& body : world.bodies) body.prototype = 0;
    if (is_compliant(law)) world.model.step.h = 1e-4;
    Simulation simulation = world.simulation();
    std::size_t seen = 0;
    for (int k = 0; k < 200; ++k) {
      simulation.step();
      for (const ContactRecord& c : simulation.contacts()) {
        const Vec3 expected = surface_velocity(simulation, c.b, -c.normal) -
                              surface_velocity(simulation, c.a, c.normal);
        // Springs act in the middle of an overlap, which shortens the arms.
        const double shorter = is_compliant(law) ? std::abs(c.gap) : 0;
        ASSERT_LT(norm(c.relative_velocity - expected),
                  1e-12 + shorter * (spin(simulation, c.a) + spin(simulation, c.b)))
            << name(law.kind) << " step " << k;
        ++seen;
      }
    }
    EXPECT_GT(seen, 200u) << name(law.kind);
  }
}

TEST(Certificates, TellRelativeVelocitiesOfBoxesWhereTheyTouch) {
  World world = random_boxes(40, coulomb(0.3), 2e-4, 3);
  Simulation simulation = world.simulation();
  std::size_t seen = 0;
  for (int k = 0; k < 600; ++k) {
    std::map<std::uint64_t, Vec3> before;
    for (std::size_t i = 0; i < simulation.state().bodies.size(); ++i)
      before[simulation.state().bodies.id[i].value] = simulation.state().bodies.position[i];
    simulation.step();
    const auto velocity_of = [&](BodyId id, const Vec3& point) {
      if (is_obstacle(id)) return Vec3{};
      const Body body = body_of(simulation, id.value);
      return body.velocity + cross(body.angular_velocity, point - before.at(id.value));
    };
    for (const ContactRecord& c : simulation.contacts()) {
      const Vec3 half_gap = c.gap / 2 * c.normal;
      const Vec3 expected =
          velocity_of(c.b, c.point + half_gap) - velocity_of(c.a, c.point - half_gap);
      // ω of the state has turned on by the step's gyroscopic moment: h ω² over the radius.
      ASSERT_LT(norm(c.relative_velocity - expected), 0.01) << "step " << k;
      ++seen;
    }
  }
  EXPECT_GT(seen, 200u);
}

}  // namespace
}  // namespace scree
