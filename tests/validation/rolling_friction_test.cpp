// Rolling and spinning friction against closed forms: docs/theory/contact_laws.md.
#include <gtest/gtest.h>

#include "support/random_sets.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kRollingRadius = 0.01;

PairLaw turning(LawKind kind, double mu, double rolling, double spinning, double e = 0) {
  PairLaw law{.kind = kind, .friction = mu, .restitution = e};
  law.rolling_friction = rolling;
  law.spinning_friction = spinning;
  return law;
}
PairLaw rolling(double length, double mu = 0.5) { return turning(LawKind::coulomb, mu, length, 0); }

constexpr LawKind kFrictional[] = {LawKind::coulomb, LawKind::max_dissipation,
                                   LawKind::cone_complementarity, LawKind::polyhedral};

/// A ball that rolls along x on the plane z = 0.
World rolling_ball(const PairLaw& law, double h, double v0) {
  World world(law, h);
  world.half_space({}, {0, 0, 1})
      .sphere({0, 0, kRollingRadius}, kRollingRadius, {v0, 0, 0}, {0, v0 / kRollingRadius, 0});
  return world;
}

TEST(RollingFriction, SlowsABallByFiveSeventhsOfGravityTimesItsLengthOverTheRadius) {
  constexpr double kLength = 4e-4, kStart = 0.3;
  const double a = 5.0 / 7 * kGravity * kLength / kRollingRadius;
  for (const LawKind kind : kFrictional) {
    Simulation simulation = rolling_ball(turning(kind, 0.5, kLength, 0), 1e-3, kStart).simulation();
    for (int k = 1; k <= 500; ++k) {
      simulation.step();
      const Body ball = body_of(simulation, 0);
      ASSERT_NEAR(ball.velocity.x, kStart - a * 1e-3 * k, 1e-8) << name(kind) << ", step " << k;
      ASSERT_NEAR(ball.angular_velocity.y * kRollingRadius, ball.velocity.x, 1e-8);
      ASSERT_LE(simulation.report()["energy_created"].value, 0);
    }
  }
}

TEST(RollingFriction, StopsABallAtTheClosedFormToFirstOrderAndKeepsItThere) {
  constexpr double kLength = 4e-4, kStart = 0.3;
  const double a = 5.0 / 7 * kGravity * kLength / kRollingRadius, way = kStart * kStart / (2 * a);
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    Simulation simulation = rolling_ball(rolling(kLength), h, kStart).simulation();
    const double energy = simulation.report().kinetic_energy;
    run_until(simulation, kStart / a + 2 * h);
    const Body stopped = body_of(simulation, 0);
    EXPECT_NEAR(stopped.position.x, way, kStart * h) << h;
    run_until(simulation, kStart / a + 1);
    const Body later = body_of(simulation, 0);
    EXPECT_NEAR(later.position.x, stopped.position.x, 1e-12);
    EXPECT_LT(norm(later.velocity), 1e-12);
    EXPECT_LT(norm(later.angular_velocity), 1e-10);
    EXPECT_NEAR(simulation.report().dissipated_energy, energy, 1e-8 * energy);
  }
}

TEST(RollingFriction, SlidesWhereFrictionCannotHoldTheBallBackEnough) {
  // |f| = 5/7 m g ℓ/R would be needed: with less, rolling ends before sliding does.
  constexpr double kLength = 5e-3, kStart = 0.3, kFriction = 0.1, kStep = 1e-4;
  Simulation simulation = rolling_ball(rolling(kLength, kFriction), kStep, kStart).simulation();
  const double spin_rate = 2.5 * kGravity * (kLength / kRollingRadius - kFriction) / kRollingRadius;
  const double stops = kStart / kRollingRadius / spin_rate;
  run_until(simulation, stops / 2);
  const double t = simulation.state().time;
  EXPECT_NEAR(body_of(simulation, 0).velocity.x, kStart - kFriction * kGravity * t, 1e-8);
  EXPECT_NEAR(body_of(simulation, 0).angular_velocity.y, kStart / kRollingRadius - spin_rate * t,
              1e-6);
  run_until(simulation, kStart / (kFriction * kGravity) + 2 * kStep);
  EXPECT_NEAR(body_of(simulation, 0).position.x, kStart * kStart / (2 * kFriction * kGravity),
              kStart * kStep);
  EXPECT_LT(norm(body_of(simulation, 0).velocity), 1e-10);
}

TEST(SpinningFriction, StopsABallThatSpinsAboutTheVertical) {
  constexpr double kLength = 2e-4, kSpin = 20, kStep = 1e-3;
  const double rate = 2.5 * kGravity * kLength / (kRollingRadius * kRollingRadius);
  for (const LawKind kind : {LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation,
                             LawKind::cone_complementarity, LawKind::polyhedral}) {
    World world(turning(kind, 0.5, 0, kLength), kStep);
    world.half_space({}, {0, 0, 1})
        .sphere({0, 0, kRollingRadius}, kRollingRadius, {}, {0, 0, kSpin});
    Simulation simulation = world.simulation();
    run_until(simulation, kSpin / rate / 2);
    EXPECT_NEAR(body_of(simulation, 0).angular_velocity.z, kSpin - rate * simulation.state().time,
                1e-7)
        << name(kind);
    run_until(simulation, kSpin / rate + 2 * kStep);
    EXPECT_EQ(body_of(simulation, 0).angular_velocity.z, 0) << name(kind);
  }
}

double acceleration_on_incline(const PairLaw& law, double angle) {
  constexpr double kTime = 0.5;
  World world(law, 1e-3);
  const Vec3 normal{std::sin(angle), 0, std::cos(angle)};
  world.half_space({}, normal).sphere(kRollingRadius * normal, kRollingRadius);
  Simulation simulation = world.simulation();
  run_until(simulation, kTime);
  return norm(body_of(simulation, 0).velocity) / kTime;
}

TEST(RollingFriction, HoldsABallOnAnInclineUpToItsLengthOverTheRadius) {
  for (const double slope : {0.02, 0.1, 0.3}) {
    const double angle = std::atan(slope);
    EXPECT_LT(acceleration_on_incline(rolling(1.001 * slope * kRollingRadius), angle), 1e-10);
    for (const double fraction : {0.999, 0.7, 0.2}) {
      const double length = fraction * slope * kRollingRadius;
      EXPECT_NEAR(
          acceleration_on_incline(rolling(length), angle),
          5.0 / 7 * kGravity * (std::sin(angle) - length / kRollingRadius * std::cos(angle)), 1e-7)
          << slope << ", " << fraction;
    }
  }
}

TEST(SpinningFriction, BringsTwoBallsThatArePressedTogetherToOneSpin) {
  constexpr double kLength = 3e-4, kPress = 2, kSpin = 15, kStep = 1e-3;
  World world(turning(LawKind::coulomb, 0.5, 0, kLength), kStep);
  world.model.gravity = {};
  const double mass = world.sphere({0, 0, 0}, kRollingRadius, {}, {kSpin, 0, 0}).mass;
  world.sphere({2 * kRollingRadius, 0, 0}, kRollingRadius);
  Simulation simulation = world.simulation();
  const double rate = kLength * kPress / (0.4 * mass * kRollingRadius * kRollingRadius);
  const auto press_until = [&](double t) {
    while (simulation.state().time + kStep / 2 < t) {
      simulation.apply_force({0}, {kPress, 0, 0});
      simulation.apply_force({1}, {-kPress, 0, 0});
      simulation.step();
    }
  };
  const double stops = kSpin / (2 * rate);
  press_until(stops / 2);
  const double turned = rate * simulation.state().time;
  EXPECT_NEAR(body_of(simulation, 0).angular_velocity.x, kSpin - turned, 1e-7);
  EXPECT_NEAR(body_of(simulation, 1).angular_velocity.x, turned, 1e-7);
  press_until(stops + 2 * kStep);
  EXPECT_NEAR(body_of(simulation, 0).angular_velocity.x, kSpin / 2, 1e-9);
  EXPECT_NEAR(body_of(simulation, 1).angular_velocity.x, kSpin / 2, 1e-9);
}

TEST(RollingFriction, SlowsTwoBallsThatRollOnEachOther) {
  // Like gears: opposite spins, no slip, ω relative is twice that of each.
  constexpr double kLength = 3e-4, kPress = 2, kSpin = 15, kStep = 1e-3;
  World world(rolling(kLength), kStep);
  world.model.gravity = {};
  const double mass = world.sphere({0, 0, 0}, kRollingRadius, {}, {0, 0, kSpin}).mass;
  world.sphere({2 * kRollingRadius, 0, 0}, kRollingRadius, {}, {0, 0, -kSpin});
  Simulation simulation = world.simulation();
  // Friction between them stays zero by symmetry; the couple acts on both.
  const double rate = kLength * kPress / (0.4 * mass * kRollingRadius * kRollingRadius);
  for (int k = 1; k <= 400; ++k) {
    simulation.apply_force({0}, {kPress, 0, 0});
    simulation.apply_force({1}, {-kPress, 0, 0});
    simulation.step();
    const double spin = std::max(0.0, kSpin - rate * kStep * k);
    ASSERT_NEAR(body_of(simulation, 0).angular_velocity.z, spin, 1e-7) << "step " << k;
    ASSERT_NEAR(body_of(simulation, 1).angular_velocity.z, -spin, 1e-7) << "step " << k;
  }
}

TEST(RollingFriction, HoldsABoxOnAnInclineByAsMuchAsItsLengthWidensIt) {
  // Tips where the vertical through the centre passes the foot by more than ℓ.
  constexpr double kWidth = 0.02, kHeight = 0.1, kLength = 2e-3;
  for (const double fraction : {0.98, 1.02}) {
    const double angle = std::atan(fraction * (kWidth / 2 + kLength) / (kHeight / 2));
    World world(rolling(kLength, 2), 1e-3);
    const Vec3 normal{std::sin(angle), 0, std::cos(angle)};
    world.half_space({}, normal)
        .box(kHeight / 2 * normal, {kWidth, kWidth, kHeight}, rotation_between({0, 0, 1}, normal));
    Simulation simulation = world.simulation();
    run_until(simulation, 1);
    const Vec3 up = rotate(body_of(simulation, 0).orientation, {0, 0, 1});
    if (fraction < 1)
      EXPECT_GT(dot(up, normal), 1 - 1e-6) << fraction;
    else
      EXPECT_LT(dot(up, normal), 0.9) << fraction;
  }
}

TEST(RollingFriction, TurnsABallThatATurntableCarriesAlong) {
  // Spinning friction alone: the ball on the axis takes on the table's turning.
  constexpr double kLength = 2e-4, kTable = 5, kStep = 1e-3;
  World world(turning(LawKind::coulomb, 0.5, 0, kLength), kStep);
  world.obstacle(Cylinder{0.1, 0.05}, {{0, 0, -0.05}, {}}, [](double) {
    return Twist{{}, {0, 0, kTable}};
  });
  const double mass = world.sphere({0, 0, kRollingRadius}, kRollingRadius).mass;
  Simulation simulation = world.simulation();
  const double rate = 2.5 * kGravity * kLength / (kRollingRadius * kRollingRadius);
  run_until(simulation, kTable / rate / 2);
  EXPECT_NEAR(body_of(simulation, 0).angular_velocity.z, rate * simulation.state().time, 1e-6);
  run_until(simulation, kTable / rate + 5 * kStep);
  EXPECT_NEAR(body_of(simulation, 0).angular_velocity.z, kTable, 1e-6);
  // What the table gives is the ball's energy, and as much again that friction takes.
  const double energy = 0.5 * 0.4 * mass * kRollingRadius * kRollingRadius * kTable * kTable;
  EXPECT_NEAR(simulation.report().wall_work, 2 * energy, 0.01 * energy);
  EXPECT_NEAR(simulation.report().dissipated_energy, energy, 0.01 * energy);
}

TEST(RollingFriction, MakesNoEnergyWhereABodyRebounds) {
  // One pair at a time: of several Newton's hypothesis itself can make energy.
  RandomStream random{3, 0};
  const auto any = [&](double size) {
    return size * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  for (const LawKind kind : kFrictional)
    for (int trial = 0; trial < 50; ++trial) {
      World world(turning(kind, 0.4, 2e-3, 2e-3, 0.9), 1e-3);
      world.model.gravity = {};
      world.half_space({}, {0, 0, 1});
      const Quaternion turned = normalised({1, random.uniform(-1, 1), random.uniform(-1, 1), 0});
      Body& body = trial % 2 == 0
                       ? world.sphere({0, 0, 1.2 * kRollingRadius}, kRollingRadius)
                       : world.box({0, 0, 2 * kRollingRadius}, {0.02, 0.03, 0.01}, turned);
      body.velocity = any(0.2) - Vec3{0, 0, 0.5};
      body.angular_velocity = any(40);
      Simulation simulation = world.simulation();
      const double rounding = 1e-12 * simulation.report().kinetic_energy;
      double dissipated = 0;
      for (int k = 0; k < 100; ++k) {
        const Report& report = simulation.step();
        ASSERT_GE(report.dissipated_energy, dissipated - rounding) << name(kind) << trial;
        ASSERT_EQ(report["energy_created"].value, 0) << name(kind) << ", trial " << trial;
        dissipated = report.dissipated_energy;
      }
      ASSERT_GT(dissipated, 0);
    }
}

TEST(RollingFriction, MakesNoEnergyInAPileThatRebounds) {
  for (const LawKind kind : kFrictional)
    for (const bool boxes : {false, true}) {
      const PairLaw law = turning(kind, 0.4, 1e-3, 1e-3, 0.8);
      World world = boxes ? random_boxes(30, law, 1e-3, 7) : random_pile(40, law, 1e-3, 5);
      Simulation simulation = world.simulation();
      for (int k = 0; k < 150; ++k)
        ASSERT_EQ(simulation.step()["energy_created"].value, 0)
            << name(kind) << boxes << ", step " << k;
    }
}

TEST(RollingFriction, IsCertifiedAndToldContactByContact) {
  constexpr double kLength = 4e-4, kStep = 1e-3;
  Simulation simulation = rolling_ball(rolling(kLength), kStep, 0.3).simulation();
  simulation.step();
  const double mass = body_of(simulation, 0).mass;
  const ContactRecord record = simulation.contacts().at(0);
  const double weight = mass * kGravity * kStep;
  EXPECT_NEAR(norm(record.impulse - Vec3{0, 0, 0}), weight, 0.01 * weight);
  // The obstacle is B: what acts on it rolls along.
  EXPECT_NEAR(record.angular_impulse.y, kLength * weight, 1e-8 * weight);
  EXPECT_LT(record.residual, 1e-9);
  EXPECT_NEAR(simulation.contact_force({0}).torque.y,
              -0.4 * mass * kRollingRadius * 5.0 / 7 * kGravity * kLength / kRollingRadius, 1e-8);
  EXPECT_NEAR(record.dissipated_energy, simulation.report().dissipated_energy, 1e-12);
  EXPECT_TRUE(simulation.report().converged);
}

TEST(RollingFriction, ObeysItsLawInEveryContactOfAPile) {
  constexpr double kRolling = 6e-4, kSpinning = 3e-4, kTolerance = 1e-4;
  World world = random_pile(25, turning(LawKind::coulomb, 0.4, kRolling, kSpinning), 1e-3, 3);
  world.model.solver.tolerance = kTolerance;
  world.model.solver.max_sweeps = 20000;
  // E_s allows 1e-4 of |q|, here less than 0.5 m/s: 1e-2 rad/s on a radius of 5 mm.
  constexpr double kMissed = 1e-2;
  Simulation simulation = world.simulation();
  const auto spin_of = [&](BodyId id) {
    return is_obstacle(id) ? Vec3{} : body_of(simulation, id.value).angular_velocity;
  };
  int rolls = 0, holds = 0, missed = 0;
  for (int k = 0; k < 200; ++k) {
    const double before = simulation.report().dissipated_energy;
    const bool converged = simulation.step().converged;
    missed += !converged;
    double dissipated = 0;
    for (const ContactRecord& c : simulation.contacts()) {
      dissipated += c.dissipated_energy;
      const double r_n = dot(c.impulse, c.normal), m_n = dot(c.angular_impulse, c.normal);
      const Vec3 m_t = c.angular_impulse - m_n * c.normal;
      ASSERT_LE(std::abs(m_n), kSpinning * r_n * (1 + 1e-12));
      ASSERT_LE(norm(m_t), kRolling * r_n * (1 + 1e-12));
      const Vec3 turn = spin_of(c.b) - spin_of(c.a);
      const Vec3 roll = turn - dot(turn, c.normal) * c.normal;
      if (r_n <= 1e-7 || !converged) continue;
      const bool held = norm(m_t) < 0.99 * kRolling * r_n;
      if (held) {
        EXPECT_LT(norm(roll), kMissed) << "step " << k;
        ++holds;
      } else if (norm(roll) > 1) {
        EXPECT_LT(norm(m_t / norm(m_t) + roll / norm(roll)), 2 * kMissed) << "step " << k;
        ++rolls;
      }
    }
    ASSERT_NEAR(dissipated,
                simulation.report().dissipated_energy - before + simulation.report().push_work,
                1e-10);
  }
  // Sweeps are all there is: jams keep what presses them, and lose it slowly.
  EXPECT_LE(missed, 10);
  EXPECT_GT(rolls, 100);
  EXPECT_GT(holds, 100);
}

TEST(RollingFriction, GoesByTheImpulseOfTheWholeImpact) {
  // A ball that lands at 1 m/s passes on (1 + e) m v: its spin and its roll change by that times
  // ℓ / I, whatever says what impacts give back, and |m| = ℓ r_n while it turns.
  constexpr double kLength = 1e-3, kSpin = 100;
  for (const ImpactLaw impacts : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::energetic})
    for (const LawKind kind : kFrictional)
      for (const double e : {1.0, 0.5}) {
        World world(turning(kind, 0, kLength, kLength, e), 1e-4);
        world.model.gravity = {};
        world.model.step.impacts = impacts;
        world.model.solver.tolerance = 1e-12;
        world.half_space({}, {0, 0, 1});
        world.sphere({0, 0, kRollingRadius}, kRollingRadius, {0, 0, -1}, {0, -kSpin, kSpin});
        Simulation simulation = world.simulation();
        const double energy = simulation.report().kinetic_energy;
        const Report& report = simulation.step();
        ASSERT_TRUE(report.converged);
        const Body ball = body_of(simulation, 0);
        const double change = 2.5 * kLength * (1 + e) / (kRollingRadius * kRollingRadius);
        EXPECT_NEAR(ball.velocity.z, e, 1e-9);
        EXPECT_NEAR(norm(ball.angular_velocity - Vec3{0, change - kSpin, kSpin - change}), 0, 1e-7)
            << name(impacts) << ", " << name(kind) << ", " << e;
        const ContactRecord contact = simulation.contacts().front();
        const double r_n = norm(contact.impulse);
        EXPECT_NEAR(r_n, (1 + e) * ball.mass, 1e-9 * ball.mass);
        EXPECT_NEAR(norm(contact.angular_impulse), std::sqrt(2.0) * kLength * r_n,
                    1e-9 * kLength * r_n);
        EXPECT_LT(contact.residual, 1e-9);
        EXPECT_LE(report.kinetic_energy, energy);
        EXPECT_EQ(report["energy_created"].value, 0);
      }
}

TEST(RollingFriction, MakesNoEnergyInRandomSetsOfImpacts) {
  RandomStream random{91};
  for (int trial = 0; trial < 300; ++trial) {
    World world = random_set(ImpactLaw::energetic, trial % 2 == 0, random);
    const MaterialId count = static_cast<MaterialId>(world.model.materials.size());
    for (MaterialId i = 0; i < count; ++i)
      for (MaterialId j = i; j < count; ++j) {
        PairLaw law = world.model.laws(i, j);
        law.rolling_friction = random.uniform(0, 5e-3);
        law.spinning_friction = random.uniform(0, 5e-3);
        world.model.laws.assign(i, j, law);
      }
    for (Body& body : world.bodies)
      body.angular_velocity +=
          100 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const SetOfImpacts set = step_of(world);
    EXPECT_LE(set.after, set.before * (1 + 1e-9)) << trial;
    EXPECT_LE(set.report.impact_work.expansion,
              set.report.impact_work.compression * (1 + 1e-9) + 1e-15)
        << trial;
  }
}

/// Of a block of spheres that slumps on a floor: the mean height when all is at rest [m].
double height_of_heap(double length, int count) {
  const PairLaw law = turning(LawKind::coulomb, 0.5, length, length);
  World world(law, 1e-3);
  world.model.solver.tolerance = 1e-4;
  world.model.solver.max_sweeps = 300;
  world.half_space({}, {0, 0, 1});
  RandomStream random{11, 0};
  for (int k = 0; k < count; ++k) {
    const auto jitter = [&] { return 0.05 * kRollingRadius * random.uniform(-1, 1); };
    world.sphere(
        {k % 6 * 2.1 * kRollingRadius + jitter(), k / 6 % 6 * 2.1 * kRollingRadius + jitter(),
         kRollingRadius + k / 36 * 2.01 * kRollingRadius},
        kRollingRadius * random.uniform(0.85, 1.0));
  }
  Simulation simulation = world.simulation();
  run_until(simulation, 2);
  double height = 0, speed = 0;
  for (std::size_t i = 0; i < simulation.state().bodies.size(); ++i) {
    height += simulation.state().bodies.position[i].z / count;
    speed = std::max({speed, norm(simulation.state().bodies.velocity[i]),
                      kRollingRadius * norm(simulation.state().bodies.angular_velocity[i])});
  }
  if (length > 0) EXPECT_LT(speed, 1e-4);
  return height;
}

TEST(RollingFriction, MakesAHeapSteeperAndBringsItToRest) {
  const double without = height_of_heap(0, 216), with = height_of_heap(0.1 * kRollingRadius, 216);
  RecordProperty("height_without", std::to_string(without));
  RecordProperty("height_with", std::to_string(with));
  EXPECT_GT(with, 1.25 * without) << without;
}

}  // namespace
}  // namespace scree
