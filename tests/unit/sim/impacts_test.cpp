#include <cmath>
#include <gtest/gtest.h>

#include "scree/laws/restitution.hpp"
#include "scree/solvers/tangents.hpp"
#include "support/random_sets.hpp"

namespace scree {
namespace {

using namespace test;

constexpr std::array kByPhases{ImpactLaw::poisson, ImpactLaw::energetic};

double kinetic(const Simulation& simulation) { return simulation.report().kinetic_energy; }

/// Spheres in a row along x that touch, without gravity; the first comes with 1 m/s.
World cradle(int count, double e, ImpactLaw impacts) {
  World world(coulomb(0.3, e), 1e-4);
  world.model.gravity = {};
  world.model.step.impacts = impacts;
  for (int k = 0; k < count; ++k) world.sphere({0.02 * k, 0, 0}, 0.01, {k == 0 ? 1.0 : 0.0, 0, 0});
  return world;
}

TEST(Impacts, InACradleLeaveWhatClosedFormsSay) {
  for (const ImpactLaw law : kImpactLaws)
    for (const int count : {2, 3, 5, 9})
      for (const double e : {1.0, 0.6, 0.2}) {
        Simulation simulation = cradle(count, e, law).simulation();
        const Report& report = simulation.step();
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report["energy_created"].value, 0);
        const double n = count;
        EXPECT_NEAR(body_of(simulation, 0).velocity.x, (1 + e) / n - e, 1e-8);
        for (int k = 1; k < count; ++k)
          EXPECT_NEAR(body_of(simulation, static_cast<std::uint64_t>(k)).velocity.x, (1 + e) / n,
                      1e-8)
              << name(law) << " " << count << " " << e;
      }
}

TEST(Impacts, OfAColumnLeaveAllOfItWithTheSameSpeed) {
  // However far sweeps come in a step: what they leave goes to the portfolio.
  for (const ImpactLaw law : kImpactLaws)
    for (const SolverKind method : {SolverKind::gauss_seidel, SolverKind::automatic}) {
      World world(coulomb(0, 0.5), 1e-4);
      world.model.gravity = {};
      world.model.solver.method = method;
      world.model.step.impacts = law;
      world.half_space({0, 0, 0}, {0, 0, 1});
      for (int k = 0; k < 10; ++k) world.sphere({0, 0, 0.01 + 0.02 * k}, 0.01, {0, 0, -1});
      Simulation simulation = world.simulation();
      ASSERT_TRUE(simulation.step().converged);
      for (std::uint64_t k = 0; k < 10; ++k)
        EXPECT_NEAR(body_of(simulation, k).velocity.z, 0.5, 1e-8) << name(law);
    }
}

TEST(Impacts, OfABallAloneAreTheSameUnderEachLaw) {
  // Oblique and spinning, with gravity: speeds and spins after ten bounces, to rounding.
  std::vector<Vec3> velocity, spin;
  for (const ImpactLaw law : kImpactLaws) {
    World world(coulomb(0.3, 0.8), 1e-4);
    world.model.step.impacts = law;
    world.half_space({0, 0, 0}, {0, 0, 1});
    world.sphere({0, 0, 0.5}, 0.01, {0.4, 0.1, 0}, {20, -30, 5});
    Simulation simulation = world.simulation();
    double before = 0;
    int bounces = 0;
    for (int k = 0; k < 20000; ++k) {
      simulation.step();
      const double now = body_of(simulation, 0).velocity.z;
      if (before < 0 && now > 0) {
        EXPECT_NEAR(now, -0.8 * before, 1e-12);
        ++bounces;
      }
      before = now;
    }
    EXPECT_GE(bounces, 5);
    velocity.push_back(body_of(simulation, 0).velocity);
    spin.push_back(body_of(simulation, 0).angular_velocity);
  }
  for (std::size_t k = 1; k < velocity.size(); ++k) {
    EXPECT_LT(norm(velocity[k] - velocity[0]), 1e-10);
    EXPECT_LT(norm(spin[k] - spin[0]), 1e-8);
  }
}

TEST(Impacts, OfOnePointOfABoxArePoissonsOfOneContact) {
  // A corner hits: W couples normal and tangential motion. The closed form for one contact is
  // impact(), which has tests of its own.
  RandomStream random{61};
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const double mu = random.uniform(0, 1.5), e = random.uniform();
    const Quaternion turned = normalised({random.uniform(-1, 1), random.uniform(-1, 1),
                                          random.uniform(-1, 1), random.uniform(-1, 1)});
    World world(coulomb(mu, e), 1e-6);
    world.model.gravity = {};
    world.model.step.impacts = trial % 2 == 0 ? ImpactLaw::poisson : ImpactLaw::energetic;
    world.half_space({0, 0, 0}, {0, 0, 1});
    const Vec3 half{0.02, 0.03, 0.01};
    Body& box = world.box({}, 2.0 * half, turned);
    // The lowest corner stands on the plane.
    Vec3 lowest{0, 0, 1};
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at = rotate(turned, {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                      corner & 4 ? half.z : -half.z});
      if (at.z < lowest.z) lowest = at;
    }
    box.position.z = -lowest.z;
    box.velocity = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 0)};
    box.angular_velocity = {random.uniform(-20, 20), random.uniform(-20, 20), 0};
    const Body start = box;
    Simulation simulation = world.simulation();
    const Report& report = simulation.step();
    if (report.contacts != 1 || report.impact_work.compression == 0) continue;

    // W and u⁻ of the corner, B the plane: u = −(v + ω × arm), in the frame (n, t1, t2).
    const Vec3 n{0, 0, -1};
    Vec3 t1, t2;
    tangents(n, t1, t2);
    const Vec3 axes[] = {n, t1, t2};
    const Vec3 moments =
        start.mass * start.radius * start.radius * world.model.prototypes[start.prototype].inertia;
    double W[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Vec3 a = rotate_back(turned, cross(lowest, axes[i])),
                   b = rotate_back(turned, cross(lowest, axes[j]));
        W[i][j] = (i == j) / start.mass + a.x * b.x / moments.x + a.y * b.y / moments.y +
                  a.z * b.z / moments.z;
      }
    const Vec3 v = -(start.velocity + cross(start.angular_velocity, lowest));
    const Impact closed = impact(coulomb(mu, e), RestitutionHypothesis::poisson,
                                 {W[0][0], W[0][1], W[0][2], W[1][1], W[1][2], W[2][2]},
                                 {dot(v, n), dot(v, t1), dot(v, t2)});
    // From there on the law may have several answers.
    if (painleve_number({W[0][0], W[0][1], W[0][2], W[1][1], W[1][2], W[2][2]}, mu) >= 1) continue;
    if (closed.limited) continue;
    ++compared;
    const Vec3 change = body_of(simulation, 0).velocity - start.velocity;
    const Vec3 r = closed.r.x * n + closed.r.y * t1 + closed.r.z * t2;
    EXPECT_LT(norm(change + r / start.mass), 1e-6 * norm(r) / start.mass)
        << "trial " << trial << " mu " << mu << " e " << e;
  }
  EXPECT_GT(compared, 80);
}

TEST(Impacts, DoNotMakeBedsAtRestHop) {
  for (const ImpactLaw law : kByPhases) {
    World world = random_pile(60, coulomb(0.5, 0.9), 1e-3, 7);
    for (Body& body : world.bodies) body.velocity = body.angular_velocity = {};
    world.model.step.impacts = ImpactLaw::newton;
    world.model.laws = LawTable(1, coulomb(0.5, 0));
    Simulation settling = world.simulation();
    run_until(settling, 1.5);
    const double creeps = kinetic(settling);
    ASSERT_LT(creeps, 1e-6) << "1e-5 of what falls through a radius gets";
    World rest = world;
    rest.model.step.impacts = law;
    rest.model.laws = LawTable(1, coulomb(0.5, 0.9));
    Simulation simulation(rest.model, settling.state(), 1);
    for (int k = 0; k < 200; ++k) {
      const Report& report = simulation.step();
      EXPECT_EQ(report.impact_work.compression, 0) << k;
      EXPECT_LT(report.kinetic_energy, 2 * creeps) << k;
    }
  }
}

/// A sphere falls on a bed at rest.
World on_a_bed(double e, ImpactLaw law) {
  World world = random_pile(60, coulomb(0.5, 0), 1e-3, 7);
  for (Body& body : world.bodies) body.velocity = body.angular_velocity = {};
  Simulation settling = world.simulation();
  run_until(settling, 1.5);
  World hit(coulomb(0.5, e), 1e-3);
  hit.model = world.model;
  hit.model.laws = LawTable(1, coulomb(0.5, e));
  hit.model.step.impacts = law;
  double top = 0, x = 0, y = 0;
  for (std::size_t i = 0; i < settling.state().bodies.size(); ++i) {
    const Body body = body_of(settling, i);
    hit.sphere(body.position, body.radius);
    if (body.position.z + body.radius > top)
      top = body.position.z + body.radius, x = body.position.x, y = body.position.y;
  }
  hit.sphere({x, y, top + 0.0101}, 0.01, {0, 0, -2});
  return hit;
}

TEST(Impacts, OnABedRebound) {
  for (const ImpactLaw law : kByPhases) {
    World world = on_a_bed(0.5, law);
    Simulation simulation = world.simulation();
    const double start = simulation.report().kinetic_energy + simulation.report().potential_energy;
    const Report* report = nullptr;
    ImpactWork total;
    for (int k = 0; k < 60; ++k) {
      report = &simulation.step();
      EXPECT_EQ((*report)["energy_created"].value, 0) << k;
      EXPECT_LE(report->impact_work.expansion,
                report->impact_work.compression * 0.25 * (1 + 1e-6) + 1e-12)
          << k;
      total.compression += report->impact_work.compression;
      // What is lost is booked.
      EXPECT_NEAR(report->kinetic_energy + report->potential_energy + report->dissipated_energy,
                  start, 1e-9 * start)
          << k;
    }
    EXPECT_GT(total.compression, 0);
    EXPECT_GT(body_of(simulation, 60).velocity.z, -0.6) << "not through the bed";
  }
}

TEST(Impacts, OfUnequalCoefficientsMakeEnergyUnderPoissonsLawAndNoneUnderTheEnergetic) {
  // Scenes of one set more are in RandomSets.
  RandomStream random{62};
  int made = 0;
  for (int trial = 0; trial < 500; ++trial) {
    // A sphere hits two that lean on each other and on a wall, all of other materials.
    World world(coulomb(0, 0), 1e-6);
    world.model.gravity = {};
    world.model.materials = {{"a", 1000}, {"b", 1000}, {"c", 1000}, {"wall", 0}};
    world.model.laws = LawTable(4);
    for (MaterialId i = 0; i < 4; ++i)
      for (MaterialId j = i; j < 4; ++j)
        world.model.laws.assign(i, j, coulomb(random.uniform(0, 1), random.uniform()));
    world.half_space({0, 0, 0}, {0, 0, 1});
    world.model.obstacles[0].material = 3;
    const double r1 = random.uniform(0.005, 0.02), r2 = random.uniform(0.005, 0.02);
    const double apart = 2 * std::sqrt(r1 * r2);
    world.sphere({0, 0, r1}, r1).material = 0;
    world.sphere({apart, 0, r2}, r2).material = 1;
    const double r3 = random.uniform(0.005, 0.02), along = random.uniform(-0.5, 0.5);
    const Vec3 n{std::sin(along), 0, std::cos(along)};
    Body& hits = world.sphere(Vec3{0, 0, r1} + (r1 + r3) * n, r3, -1.0 * n, {0, 50, 0});
    hits.material = 2;
    for (const ImpactLaw law : kByPhases) {
      world.model.step.impacts = law;
      Simulation simulation = world.simulation();
      const double before = kinetic(simulation);
      const Report& report = simulation.step();
      const double gained = report.kinetic_energy - before;
      if (law == ImpactLaw::energetic) {
        EXPECT_LE(gained, 1e-9 * before) << trial;
        EXPECT_EQ(report["energy_created"].value, 0) << trial;
      } else {
        made += gained > 1e-6 * before;
        if (gained > 1e-6 * before) EXPECT_GT(report["energy_created"].value, 0) << trial;
      }
    }
  }
  EXPECT_GT(made, 0) << "these sets can show what they are for";
}

TEST(Impacts, OfRandomSetsMakeNoEnergyUnderTheEnergeticLaw) {
  EXPECT_EQ(sets_that_make_energy(ImpactLaw::energetic, false, 1500, 63), 0);
  EXPECT_EQ(sets_that_make_energy(ImpactLaw::poisson, true, 700, 64), 0) << "one e for all";
  EXPECT_GT(sets_that_make_energy(ImpactLaw::poisson, false, 700, 65), 0);
  EXPECT_GT(sets_that_make_energy(ImpactLaw::newton, true, 200, 66), 0);
}

TEST(Impacts, WithoutFrictionAndOfOneCoefficientAreNewtonsWherePairsDoNotPartBefore) {
  // Then (1 + e) r^C obeys Newton's law: docs/theory/impacts.md.
  RandomStream random{67};
  for (int trial = 0; trial < 200; ++trial) {
    const double e = random.uniform();
    World world(coulomb(0, e), 1e-6);
    world.model.gravity = {};
    world.half_space({0, 0, 0}, {0, 0, 1});
    double top = 0;
    for (int k = 0; k < 6; ++k) {
      const double radius = random.uniform(0.003, 0.02);
      world.sphere({0, 0, top + radius}, radius, {0, 0, -static_cast<double>(k)});
      top += 2 * radius;
    }
    Simulation newton = world.simulation();
    world.model.step.impacts = ImpactLaw::poisson;
    Simulation poisson = world.simulation();
    newton.step();
    poisson.step();
    for (std::uint64_t k = 0; k < 6; ++k)
      EXPECT_NEAR(body_of(newton, k).velocity.z, body_of(poisson, k).velocity.z, 1e-7) << trial;
  }
}

TEST(Impacts, OfPairsWithoutRestitutionChangeNothing) {
  for (const ImpactLaw law : kByPhases) {
    World world = random_pile(40, coulomb(0.4, 0), 1e-3, 9);
    Simulation newton = world.simulation();
    world.model.step.impacts = law;
    Simulation phases = world.simulation();
    for (int k = 0; k < 100; ++k) {
      newton.step();
      phases.step();
    }
    EXPECT_EQ(state_hash(newton.state()), state_hash(phases.state()));
  }
}

TEST(Impacts, GiveTheSameBitsOnAnyThreadsAndInstructionSets) {
  for (const ImpactLaw law : kByPhases)
    for (const bool boxes : {false, true}) {
      World world = boxes ? random_boxes(20, coulomb(0.4, 0.6), 1e-3, 11)
                          : random_pile(60, coulomb(0.4, 0.6), 1e-3, 11);
      world.model.step.impacts = law;
      Simulation one = world.simulation(1, InstructionSet::scalar), many = world.simulation(4);
      double compression = 0;
      for (int k = 0; k < 80; ++k) {
        one.step();
        compression += many.step().impact_work.compression;
        ASSERT_EQ(state_hash(one.state()), state_hash(many.state())) << k;
      }
      EXPECT_GT(compression, 0);
      // Restart in the middle.
      Simulation again(world.model, one.state(), 2);
      for (int k = 0; k < 40; ++k) {
        one.step();
        again.step();
      }
      EXPECT_EQ(state_hash(one.state()), state_hash(again.state()));
    }
}

/// A cube on the plane. One edge rests, the other comes down with 1 m/s.
World landing_cube(double e, ImpactLaw law) {
  World world(coulomb(0.5, e), 1e-5);
  world.model.gravity = {};
  world.model.step.impacts = law;
  world.model.solver.tolerance = 1e-10;
  world.model.solver.max_sweeps = 20000;
  world.half_space({0, 0, 0}, {0, 0, 1});
  Body& cube = world.box({0, 0, 0.01}, {0.02, 0.02, 0.02});
  cube.velocity = {0, 0, -0.5};
  cube.angular_velocity = {0, 50, 0};
  return world;
}

TEST(EnergyOfRebounds, IsWhatACubeThatLandsOnAnEdgeGains) {
  const SetOfImpacts elastic = step_of(landing_cube(1, ImpactLaw::newton));
  const double gained = elastic.after - elastic.before;
  EXPECT_GT(gained, 0.02 * elastic.before);
  EXPECT_NEAR(elastic.report["energy_of_rebounds"].value, gained, 1e-12 * elastic.before);
  EXPECT_EQ(step_of(landing_cube(0.5, ImpactLaw::newton)).report["energy_of_rebounds"].value, 0);
  EXPECT_EQ(step_of(landing_cube(1, ImpactLaw::energetic)).report["energy_of_rebounds"].value, 0);
}

TEST(EnergyOfRebounds, IsNotHiddenByWhatOthersTake) {
  World world = landing_cube(1, ImpactLaw::newton);
  const double alone = step_of(world).report["energy_of_rebounds"].value;
  world.model.materials.push_back({"clay", 1000});
  LawTable laws(2);
  for (MaterialId i = 0; i < 2; ++i)
    for (MaterialId k = 0; k < 2; ++k) laws.assign(i, k, coulomb(0.5, i == 0 && k == 0 ? 1 : 0.1));
  world.model.laws = laws;
  for (int k = 1; k < 6; ++k) {
    Body& clay = world.sphere({0.1 * k, 0, 0.01}, 0.01, {0.3, 0, -1});
    clay.material = 1;
  }
  const SetOfImpacts all = step_of(world);
  EXPECT_LT(all.after, all.before);
  EXPECT_NEAR(all.report["energy_of_rebounds"].value, alone, 1e-8 * alone) << "solved to 1e-10";
}

TEST(EnergyOfRebounds, IsNeverThatOfSpheresOnAPlaneInFall) {
  for (const double e : {1.0, 0.7}) {
    World world(coulomb(0.6, e), 1e-4);
    world.half_space({0, 0, 0}, {0, 0, 1});
    world.half_space({0, 0, 0.1}, {0, 0, -1});
    for (int k = 0; k < 5; ++k)
      world.sphere({0.05 * k, 0, 0.03}, 0.01, {0.2 * k, 0.1, 3}, {5, -4.0 * k, 20});
    Simulation simulation = world.simulation();
    for (int k = 0; k < 3000; ++k) ASSERT_EQ(simulation.step()["energy_of_rebounds"].value, 0) << k;
  }
}

TEST(EnergyOfRebounds, IsToldOfRandomSetsThatGain) {
  RandomStream random{68};
  int gained = 0;
  for (int k = 0; k < 300; ++k) {
    const SetOfImpacts set = step_of(random_set(ImpactLaw::newton, false, random));
    if (!(set.after > set.before * (1 + 1e-9))) continue;
    ++gained;
    // Of one set of connected contacts and of others, which may have taken energy.
    EXPECT_GT(set.report["energy_of_rebounds"].value, (set.after - set.before) * (1 - 1e-6)) << k;
  }
  EXPECT_GT(gained, 20);
}

TEST(Impacts, CertifyEveryPhaseOfEachContact) {
  World world = on_a_bed(0.5, ImpactLaw::energetic);
  world.model.solver.tolerance = 1e-8;
  world.model.solver.max_sweeps = 20000;
  Simulation simulation = world.simulation();
  bool seen = false;
  for (int k = 0; k < 20; ++k) {
    const Report& report = simulation.step();
    EXPECT_TRUE(report.converged) << k;
    double worst = 0;
    for (const ContactRecord& contact : simulation.contacts()) {
      worst = std::max(worst, contact.residual);
      EXPECT_LT(contact.cone_violation, 1e-12);
      EXPECT_LT(contact.complementarity_violation, 1e-8);
    }
    EXPECT_NEAR(worst, report.worst_residual, 1e-12 + 1e-6 * worst) << k;
    seen = seen || report.impact_work.compression > 0;
  }
  EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace scree
