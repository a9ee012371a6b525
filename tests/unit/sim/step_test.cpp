#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

TEST(Step, DoesNotLetAFastSphereTunnelThroughAWall) {
  // 0.47 mm at 20 m/s with h = 100 µs: 2 mm, four diameters, in a step.
  for (const double start : {0.3e-3, 0.5e-3, 1e-3, 1.7e-3, 2.2e-3, 5.1e-3}) {
    World world(coulomb(0.4), 1e-4);
    world.half_space({}, {0, 0, 1}).sphere({0, 0, start}, 0.235e-3, {3, 0, -20});
    Simulation simulation = world.simulation();
    for (int k = 0; k < 20; ++k) {
      simulation.step();
      EXPECT_GE(body_of(simulation, 0).position.z, 0.235e-3 * (1 - 1e-9))
          << "from z = " << start << ", step " << k;
    }
  }
}

TEST(Step, DoesNotLetAFastSphereTunnelThroughAThinBox) {
  World world(coulomb(0.4), 1e-4);
  world.obstacle(Box{{0.01, 0.01, 1e-4}}, {}).sphere({0, 0, 3.3e-3}, 0.235e-3, {0, 0, -20});
  Simulation simulation = world.simulation();
  for (int k = 0; k < 20; ++k) simulation.step();
  EXPECT_NEAR(body_of(simulation, 0).position.z, 1e-4 + 0.235e-3, 1e-9);
}

TEST(Step, LetsTwoFastSpheresMeetInsteadOfPassing) {
  World world(coulomb(0), 1e-4);
  world.model.gravity = {};
  world.sphere({-1.3e-3, 0, 0}, 0.235e-3, {20, 0, 0});
  world.sphere({1.3e-3, 0, 0}, 0.235e-3, {-20, 0, 0});
  Simulation simulation = world.simulation();
  for (int k = 0; k < 5; ++k) simulation.step();
  EXPECT_NEAR(body_of(simulation, 0).position.x, -0.235e-3, 1e-9);
  EXPECT_NEAR(body_of(simulation, 1).position.x, 0.235e-3, 1e-9);
}

TEST(Step, LeavesADroppedSphereAtRestWithoutRebound) {
  World world(coulomb(0.4), 1e-4);
  world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.05}, 0.01);
  Simulation simulation = world.simulation();
  double fastest_rise = 0;
  while (simulation.state().time < 0.5) {
    simulation.step();
    fastest_rise = std::max(fastest_rise, body_of(simulation, 0).velocity.z);
  }
  EXPECT_LT(fastest_rise, 1e-12);
  EXPECT_NEAR(body_of(simulation, 0).position.z, 0.01, 1e-12);
}

TEST(Step, UndoesAPenetrationNoFasterThanTheRecoverySpeed) {
  World world(coulomb(0.4), 1e-3);
  world.model.step.overlap_correction = OverlapCorrection::velocities;
  world.model.step.error_reduction = 0.8;
  world.model.step.recovery_speed = 0.01;
  world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.009}, 0.01);
  Simulation simulation = world.simulation();
  simulation.step();
  EXPECT_NEAR(body_of(simulation, 0).velocity.z, 0.01, 1e-9);
  world.model.step.recovery_speed = std::numeric_limits<double>::infinity();
  Simulation eager = world.simulation();
  eager.step();
  EXPECT_NEAR(body_of(eager, 0).velocity.z, 0.8 * 0.001 / 1e-3, 1e-9);
}

TEST(Step, CarriesASphereOnAMovingWall) {
  World world(coulomb(1), 1e-3);
  world.obstacle(Box{{0.5, 0.5, 0.01}}, {}, [](double) { return Twist{{0.1, 0, 0.05}, {}}; });
  world.sphere({0, 0, 0.02}, 0.01);
  Simulation simulation = world.simulation();
  run_until(simulation, 0.5);
  const Body ball = body_of(simulation, 0);
  EXPECT_NEAR(ball.velocity.z, 0.05, 1e-9);
  EXPECT_NEAR(ball.position.z, 0.02 + 0.05 * 0.5, 1e-9);
  // Friction sets the ball rolling on the plate: v + ωr = wall, with 2/7 of the wall's speed for
  // the centre.
  EXPECT_NEAR(ball.velocity.x, 0.1 * 2 / 7, 1e-9);
}

/// A half-space that turns about the vertical through the origin.
World turntable(double spin, double h) {
  World world(coulomb(2), h);
  world.obstacle(HalfSpace{}, {}, [spin](double) { return Twist{{}, {0, 0, spin}}; });
  return world;
}

TEST(Turntable, KeepsABoxThatItCarriesOnItsCircle) {
  constexpr double kSpin = 5, h = 1e-3, kFrom = 0.1, kTime = 10;
  for (const Vec3& size : {Vec3{0.02, 0.02, 0.02}, Vec3{0.04, 0.02, 0.01}}) {
    World world = turntable(kSpin, h);
    Body& box = world.box({kFrom, 0, size.z / 2}, size);
    box.velocity = {0, kSpin * kFrom, 0}, box.angular_velocity = {0, 0, kSpin};
    Simulation simulation = world.simulation();
    run_until(simulation, kTime);
    const Vec3 p = body_of(simulation, 0).position;
    const double growth = std::hypot(p.x, p.y) / kFrom - 1;
    EXPECT_NEAR(growth, std::pow(kSpin, 4) * std::pow(h, 3) * kTime / 4, 1e-8);
    EXPECT_NEAR(std::remainder(std::atan2(p.y, p.x) - kSpin * kTime, 2 * std::numbers::pi), 0,
                2e-3);
  }
}

// A ball that rolls on a turntable goes round with 2/7 of its angular velocity, about a place that
// hangs on how it was thrown.
TEST(Turntable, LetsABallThatRollsGoRoundWithTwoSeventhsOfItsSpin) {
  constexpr double kSpin = 3, kRadius = 0.01, kThrown = 0.05, kRound = 2 * kSpin / 7;
  const double period = 2 * std::numbers::pi / kRound;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    World world = turntable(kSpin, h);
    const Vec3 start{0.1, 0, kRadius}, thrown{0, kThrown, 0};
    // v + w x (-R e_z) = spin x start
    const Vec3 slip = thrown - Vec3{0, kSpin * start.x, 0};
    world.sphere(start, kRadius, thrown, {-slip.y / kRadius, slip.x / kRadius, 0});
    Simulation simulation = world.simulation();
    run_until(simulation, period / 2);
    const Vec3 across = body_of(simulation, 0).position - start;
    run_until(simulation, period);
    const Vec3 left = body_of(simulation, 0).position - start;
    const double diameter = 2 * kThrown / kRound;
    EXPECT_NEAR(across.x, -diameter, 1e-4 * diameter) << h;
    EXPECT_LT(norm(left), kThrown * h) << "the period ends within a step of " << h;
    EXPECT_NEAR(norm(body_of(simulation, 0).velocity), kThrown, 1e-5 * kThrown) << h;
  }
}

// The surface stands still at the poles of balls that spin: the plank is braked, and not led aside.
TEST(Step, APlankThatSlidesOverThePolesOfSpinningBallsGoesStraightOn) {
  World world(coulomb(0.2), 1e-3);
  for (const double x : {-0.3, -0.1, 0.1, 0.3})
    for (const double y : {-0.1, 0.1})
      world.obstacle(Sphere{0.05}, {{x, y, -0.05}, {}}, [](double) {
        return Twist{{}, {0, 0, 20}};
      });
  world.box({0, 0, 0.01}, {1.2, 0.4, 0.02}).velocity = {0.5, 0, 0};
  Simulation simulation = world.simulation();
  run_until(simulation, 0.2);
  const Body plank = body_of(simulation, 0);
  EXPECT_NEAR(plank.velocity.x, 0.5 - 0.2 * kGravity * 0.2, 0.01);
  EXPECT_NEAR(plank.velocity.y, 0, 1e-6);
  EXPECT_NEAR(plank.position.y, 0, 1e-6);
}

TEST(Step, SupportsEverySphereBodyShapeOfObstacle) {
  for (const Shape& shape : {Shape{Sphere{0.1}}, Shape{HalfSpace{}}, Shape{Box{{0.1, 0.1, 0.1}}},
                             Shape{Cylinder{0.1, 0.1}}, Shape{Capsule{0.05, 0.05}}}) {
    World world(coulomb(0.5), 1e-3);
    world.obstacle(shape, {{0, 0, std::holds_alternative<HalfSpace>(shape) ? 0 : -0.1}, {}})
        .sphere({0, 0, 0.03}, 0.01);
    Simulation simulation = world.simulation();
    run_until(simulation, 0.3);
    EXPECT_NEAR(body_of(simulation, 0).position.z, 0.01, 1e-6) << "shape " << shape.index();
  }
}

TEST(Contacts, NameBodiesPointNormalGapAndClass) {
  World world(coulomb(0.4), 1e-3);
  world.half_space({}, {0, 0, 1}).sphere({0.3, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  EXPECT_TRUE(simulation.contacts().empty()) << "before the first step";
  simulation.step();
  const auto contacts = simulation.contacts();
  ASSERT_EQ(contacts.size(), 1u);
  const ContactRecord& c = contacts.front();
  EXPECT_EQ(c.a, BodyId{0});
  EXPECT_EQ(c.b, obstacle_id(0));
  EXPECT_NEAR(c.normal.z, -1, 1e-15) << "from the body to the obstacle";
  EXPECT_NEAR(c.point.x, 0.3, 1e-12);
  EXPECT_NEAR(c.point.z, 0, 1e-12);
  EXPECT_NEAR(c.gap, 0, 1e-15);
  EXPECT_NEAR(c.impulse.z, -body_of(simulation, 0).mass * kGravity * 1e-3, 1e-15)
      << "of the body on the obstacle";
  EXPECT_EQ(c.kind, ContactClass::sticking);
  EXPECT_LT(c.residual, 1e-12);
}

TEST(Contacts, AreTakenUpBelowAMarginThatCanBeSet) {
  for (const double margin : {1e-4, 1e-2}) {
    World world(coulomb(0.4), 1e-3);
    world.model.gravity = {};
    world.model.step.margin = margin;
    world.sphere({}, 0.01);
    world.sphere({0.021, 0, 0}, 0.01);
    Simulation simulation = world.simulation();
    EXPECT_EQ(simulation.step().contacts, margin > 1e-3 ? 1u : 0u);
  }
}

TEST(AnisotropicBodies, ObeyTheirLawThroughTheFullBlock) {
  for (const LawKind kind : {LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation,
                             LawKind::cone_complementarity, LawKind::polyhedral}) {
    World world({kind, 0.3, 0}, 1e-3);
    world.model.prototypes.push_back({Sphere{1}, {0.2, 0.4, 0.5}});
    world.half_space({}, {0, 0, 1});
    RandomStream random{5, 0};
    for (int k = 0; k < 27; ++k) {
      Body& body =
          world.sphere({0.021 * (k % 3), 0.021 * (k / 3 % 3), 0.0101 + 0.0205 * (k / 9)}, 0.01,
                       {random.uniform(-1, 1), random.uniform(-1, 1), -1},
                       {random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)});
      body.prototype = static_cast<PrototypeId>(k % 2);  // spheres and loaded balls mixed
      body.orientation = rotation({random.normal(), random.normal(), random.normal()}, 1);
    }
    Simulation simulation = world.simulation();
    bool slid = false;
    for (int k = 0; k < 200; ++k) {
      const Report& report = simulation.step();
      ASSERT_TRUE(report.converged)
          << name(kind) << " step " << k << " residual " << report.residual;
      ASSERT_EQ(report["local_failures"].value, 0u);
      slid = slid || report.contacts_sliding > 0;
    }
    EXPECT_TRUE(slid);
  }
}

TEST(Step, MeasuresTheRelaxationsResidualWhereItActsOnContactsThatSeparate) {
  // The only contact parts with 0.1 m/s and slips with 1 m/s: r = 0 obeys Coulomb's law, but not
  // the relaxation's.
  World world({LawKind::cone_complementarity, 0.5, 0}, 1e-3);
  world.model.gravity = {};
  world.half_space({}, {0, 0, 1}).sphere({0, 0, 0.01}, 0.01, {1, 0, 0.1});
  Simulation simulation = world.simulation();
  const Report& report = simulation.step();
  EXPECT_EQ(report.contacts_sliding, 1u);
  EXPECT_TRUE(report.converged) << report.residual;
}

TEST(AnisotropicBodies, WithEqualMomentsTakeTheSamePathAsSpheres) {
  // A hair of anisotropy sends every contact through the contact block; the answer must be the
  // sphere's.
  Vec3 spin[2], velocity[2];
  for (const int general : {0, 1}) {
    World world(coulomb(0.2), 1e-3);
    if (general) world.model.prototypes[0].inertia = {0.4, 0.4, 0.4 * (1 + 1e-13)};
    world.half_space({}, {0, 0.1, 1}).sphere({0, 0, 0.0101}, 0.01, {1, 0, -1}, {3, 20, 1});
    Simulation simulation = world.simulation();
    run_until(simulation, 0.1);
    spin[general] = body_of(simulation, 0).angular_velocity,
    velocity[general] = body_of(simulation, 0).velocity;
  }
  EXPECT_LT(norm(spin[0] - spin[1]), 1e-8);
  EXPECT_LT(norm(velocity[0] - velocity[1]), 1e-10);
}

TEST(Simulation, ReportsTheStateBeforeTheFirstStep) {
  World world(coulomb(0.4), 1e-3);
  const Body body = world.sphere({0, 0, 2}, 0.01, {3, 0, 0});
  const Simulation simulation = world.simulation();
  EXPECT_NEAR(simulation.report().kinetic_energy, 0.5 * body.mass * 9, 1e-15);
  EXPECT_NEAR(simulation.report().potential_energy, body.mass * kGravity * 2, 1e-15);
  EXPECT_EQ(simulation.report().bodies, 1u);
}

TEST(Simulation, StepsAnEmptyWorld) {
  Simulation simulation = World(coulomb(0.4), 1e-3).simulation();
  EXPECT_TRUE(simulation.step().converged);
  EXPECT_EQ(simulation.report().step, 1u);
}

}  // namespace
}  // namespace scree
