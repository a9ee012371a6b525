#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <string>

#include "scree/sim/accuracy.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

/// A plane through the origin that falls by `angle` along x, and a box of `size` that stands on it.
World box_on_incline(double angle, const Vec3& size, double mu, double h) {
  World world(coulomb(mu), h);
  world.half_space({0, 0, 0}, {std::sin(angle), 0, std::cos(angle)});
  const Quaternion turned = rotation({0, 1, 0}, angle);
  world.box(rotate(turned, {0, 0, size.z / 2}), size, turned);
  return world;
}

TEST(Box, ThatStandsOnAFloorIsCarriedByFourCorners) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.box({0, 0, 0.05}, {0.2, 0.3, 0.1});
  Simulation simulation = world.simulation();
  for (int k = 0; k < 200; ++k) simulation.step();
  EXPECT_TRUE(simulation.report().converged);
  const std::vector<ContactRecord> contacts = simulation.contacts();
  ASSERT_EQ(contacts.size(), 4);
  Vec3 impulse, moment;
  for (const ContactRecord& contact : contacts) {
    EXPECT_NEAR(std::abs(contact.point.x), 0.1, 1e-12);
    EXPECT_NEAR(std::abs(contact.point.y), 0.15, 1e-12);
    EXPECT_NEAR(contact.normal.z, -1, 1e-15) << "A is the box";
    impulse += contact.impulse;
    moment += cross(contact.point, contact.impulse);
  }
  const double weight = 1000 * 0.2 * 0.3 * 0.1 * kGravity * 1e-3;
  EXPECT_NEAR(impulse.z, -weight, 1e-9 * weight);
  EXPECT_NEAR(norm(moment), 0, 1e-9 * weight);
  const Body box = body_of(simulation, 0);
  EXPECT_NEAR(norm(box.position - Vec3{0, 0, 0.05}), 0, 1e-12);
}

TEST(Box, StaysOnAnInclineOfLessThanTheAngleOfFriction) {
  const double angle = 0.4;
  Simulation simulation =
      box_on_incline(angle, {0.2, 0.2, 0.1}, 1.05 * std::tan(angle), 1e-3).simulation();
  const Vec3 start = body_of(simulation, 0).position;
  for (int k = 0; k < 1000; ++k) simulation.step();
  EXPECT_NEAR(norm(body_of(simulation, 0).position - start), 0, 1e-9);
}

TEST(Box, SlidesDownAnInclineWithGravityLessFriction) {
  const double angle = 0.5, mu = 0.3, time = 0.5;
  Simulation simulation = box_on_incline(angle, {0.2, 0.2, 0.1}, mu, 1e-3).simulation();
  run_until(simulation, time);
  const double acceleration = kGravity * (std::sin(angle) - mu * std::cos(angle));
  const Body box = body_of(simulation, 0);
  EXPECT_NEAR(norm(box.velocity), acceleration * time, 1e-9);
  EXPECT_NEAR(norm(box.angular_velocity), 0, 1e-9);
}

TEST(Box, TopplesOverItsLowerEdgeWithTheAccelerationOfItsMomentThere) {
  // Higher than wide: the weight passes outside the lower edge.
  const double angle = 0.4, width = 0.1, height = 0.4, h = 1e-5;
  Simulation simulation = box_on_incline(angle, {width, 0.2, height}, 5, h).simulation();
  constexpr int kSteps = 100;
  for (int k = 0; k < kSteps; ++k) simulation.step();
  const double lever = height / 2 * std::sin(angle) - width / 2 * std::cos(angle);
  const double inertia_over_mass = (width * width + height * height) / 3;  // about an edge
  const double expected = kGravity * lever / inertia_over_mass;
  EXPECT_NEAR(body_of(simulation, 0).angular_velocity.y / (kSteps * h), expected, 1e-3 * expected);
}

TEST(Box, ThatLandsOnACornerObeysTheSingleContact) {
  for (const double mu : {0.0, 0.2, 1.5}) {
    World world(coulomb(mu), 1e-4);
    world.model.gravity = {};
    world.half_space({0, 0, 0}, {0, 0, 1});
    const Vec3 size{0.2, 0.3, 0.1};
    const Quaternion turned = normalised({0.9, 0.3, 0.2, 0.1});
    double lowest = 1;
    Vec3 corner;
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5})
        for (const double z : {-0.5, 0.5}) {
          const Vec3 p = rotate(turned, {x * size.x, y * size.y, z * size.z});
          if (p.z < lowest) lowest = p.z, corner = p;
        }
    Body& box = world.box({0, 0, -lowest}, size, turned);
    box.velocity = {0.4, -0.2, -1};
    box.angular_velocity = {2, -1, 3};
    Simulation simulation = world.simulation();
    const Body before = box;
    simulation.step();
    const Body after = body_of(simulation, 0);

    // By the equations of one contact, n = −z from the box to the floor.
    const double m = before.mass;
    const Vec3 moments = m / 12 *
                         Vec3{size.y * size.y + size.z * size.z, size.z * size.z + size.x * size.x,
                              size.x * size.x + size.y * size.y};
    const SymMat3 inverse = rotated_diagonal(turned, {1 / moments.x, 1 / moments.y, 1 / moments.z});
    const Vec3 frame[3] = {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
    double w[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        w[i][j] =
            (i == j ? 1 / m : 0) + dot(inverse * cross(corner, frame[i]), cross(corner, frame[j]));
    const SymMat3 W{w[0][0], w[0][1], w[0][2], w[1][1], w[1][2], w[2][2]};
    // of the floor relative to the box
    const Vec3 u = -(before.velocity + cross(before.angular_velocity, corner));
    Vec3 r;
    const Vec3 q{dot(frame[0], u), dot(frame[1], u), dot(frame[2], u)};
    ASSERT_EQ(Coulomb{mu}.solve(W, q, r), LocalStatus::solved);
    const Vec3 on_box = -(r.x * frame[0] + r.y * frame[1] + r.z * frame[2]);
    EXPECT_LT(norm(after.velocity - (before.velocity + on_box / m)), 1e-9) << mu;
    const Vec3 spin = before.angular_velocity + inverse * cross(corner, on_box);
    EXPECT_LT(norm(after.angular_velocity - spin), 2e-2) << mu << ": it turns for a step more";
  }
}

TEST(Box, ThatLandsFlatStopsSlippingAndReboundsByNewtonsLaw) {
  for (const double e : {0.0, 0.5, 1.0})
    for (const double mu : {0.0, 0.5, 2.0})
      for (const double slip : {0.0, 0.3, 1.9}) {
        World world(coulomb(mu, e), 1e-4);
        world.model.gravity = {};
        world.half_space({0, 0, 0}, {0, 0, 1});
        world.box({0, 0, 0.0505}, {0.3, 0.2, 0.1}).velocity = {slip, 0, -1};
        Simulation simulation = world.simulation();
        // One impulse of (1 + e) m · 1 m/s on all corners together, and friction of μ times that
        // at most.
        for (int k = 0; k < 60; ++k) simulation.step();
        const Body box = body_of(simulation, 0);
        EXPECT_NEAR(box.velocity.z, e, 1e-7) << e << " " << mu << " " << slip;
        EXPECT_NEAR(box.velocity.x, std::max(0.0, slip - mu * (1 + e)), 1e-7)
            << e << " " << mu << " " << slip;
        EXPECT_LT(norm(box.angular_velocity), 1e-6) << e << " " << mu << " " << slip;
      }
}

TEST(Box, ThatHitsWhileItTurnsTellsByHowMuchItsNormalIsOff) {
  World world(coulomb(0.3), 1e-3);
  world.model.gravity = {};
  world.half_space({0, 0, 0}, {0, 0, 1});
  Body& box = world.box({0, 0, 0.2}, {0.2, 0.1, 0.1});
  box.velocity = {0, 0, -5};
  box.angular_velocity = {0, 250, 0};
  Simulation simulation = world.simulation();
  double before = 0, reported = 0;
  for (int k = 0; k < 60 && reported == 0; ++k) {
    before = norm(body_of(simulation, 0).angular_velocity);
    reported = simulation.step()["max_rotation"].value;
  }
  EXPECT_NEAR(reported, 1e-3 * before, 1e-9);
  EXPECT_NEAR(reported, 0.25, 1e-9);
}

TEST(Box, MakesNoEnergyHoweverItBounces) {
  RandomStream random{3, 0};
  const auto any = [&] { return random.uniform(-1, 1); };
  for (int trial = 0; trial < 100; ++trial) {
    World world(coulomb(std::abs(any()), std::abs(any())), 1e-4);
    world.model.gravity = {};
    world.half_space({0, 0, 0}, {0, 0, 1});
    const Vec3 size{0.1 + 0.1 * std::abs(any()), 0.1, 0.02 + 0.1 * std::abs(any())};
    Body& box = world.box({0, 0, 0.25}, size, normalised({any(), any(), any(), any()}));
    box.velocity = {any(), any(), -1 + 0.5 * any()};
    box.angular_velocity = 10 * Vec3{any(), any(), any()};
    Simulation simulation = world.simulation();
    const double before = simulation.report().kinetic_energy;
    double energy = before, max_value = before;
    for (int k = 0; k < 2000; ++k) {
      simulation.step();
      energy = simulation.report().kinetic_energy;
      max_value = std::max(max_value, energy);
      ASSERT_LT(simulation.report().max_penetration, 1e-3) << trial;
    }
    // The free rotation keeps energy to its own error alone.
    EXPECT_LT(max_value, before * (1 + 1e-3)) << trial;
    EXPECT_GT(body_of(simulation, 0).position.z, 0) << trial;
  }
}

TEST(Box, KeepsTheMomentumOfTwoThatCollide) {
  World world(coulomb(0.5, 0.5), 1e-4);
  world.model.gravity = {};
  world.box({0, 0, 0}, {0.1, 0.2, 0.3}, normalised({1, 0.2, 0.3, 0.1})).velocity = {1, 0, 0};
  Body& other = world.box({0.3, 0.05, 0.02}, {0.1, 0.1, 0.2}, normalised({1, -0.4, 0.1, 0.6}));
  other.velocity = {-1, 0.1, 0};
  other.angular_velocity = {3, 2, 1};
  Simulation simulation = world.simulation();
  const auto momentum = [&] {
    return body_of(simulation, 0).mass * body_of(simulation, 0).velocity +
           body_of(simulation, 1).mass * body_of(simulation, 1).velocity;
  };
  const Vec3 before = momentum();
  double gone = 0;
  for (int k = 0; k < 3000; ++k)
    gone = std::max(gone, static_cast<double>(simulation.step().contacts_loaded));
  EXPECT_GT(gone, 0) << "they never met";
  EXPECT_LT(norm(momentum() - before), 1e-12);
}

TEST(Box, FallsOnASphereAndRollsOff) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.sphere({0, 0, 0.1}, 0.1);
  world.box({0.02, 0.01, 0.3}, {0.1, 0.1, 0.1}, normalised({1, 0.2, 0.1, 0.3}));
  Simulation simulation = world.simulation();
  for (int k = 0; k < 3000; ++k) {
    simulation.step();
    ASSERT_LT(simulation.report().max_penetration, 2e-3) << k;
    ASSERT_EQ(simulation.report()["bodies_not_finite"].value, 0);
  }
  EXPECT_NEAR(body_of(simulation, 1).position.z, 0.05, 2e-3) << "it lies on the floor";
}

TEST(ABoxAHairAboveTheFloor, ComesDownToItUnderEachRigidLaw) {
  for (const LawKind kind : kRigidLawKinds)
    for (const double gap : {1e-5, 1e-6, 1e-7}) {
      SCOPED_TRACE(std::string(name(kind)) + " " + std::to_string(gap));
      World world({kind, 0.5, 0}, 1e-3);
      world.model.solver = solver_settings(Accuracy::reference);
      world.half_space({}, {0, 0, 1}).box({0, 0, 0.05 + gap}, {0.1, 0.1, 0.1});
      Simulation simulation = world.simulation();
      run_until(simulation, 0.02);
      EXPECT_NEAR(simulation.body({0}).position.z, 0.05, 2e-9);
    }
}

TEST(AStackOnAPlatformThatMoves, StandsAsWellAsOneAtRest) {
  for (const Vec3& velocity : {Vec3{}, Vec3{1, 0, 0}, Vec3{0, 0, 3}}) {
    World world = with_defaults(0.5);
    world.model.solver = solver_settings(Accuracy::draft);
    world.obstacle(HalfSpace{}, {{0, 0, 0}, {}}, [velocity](double) {
      return Twist{velocity, {}};
    });
    for (int k = 0; k < 10; ++k)
      world.box({0, 0, 0.1 * (k + 0.5)}, {0.1, 0.1, 0.1}).velocity = velocity;
    Simulation simulation = world.simulation();
    step(simulation, 200);
    for (std::uint64_t k = 0; k < 10; ++k) {
      const Vec3 stood = Vec3{0, 0, 0.1 * (static_cast<double>(k) + 0.5)} + 0.2 * velocity;
      EXPECT_LT(norm(simulation.body({k}).position - stood), 1e-8) << k << " " << velocity.x;
    }
  }
}

TEST(AStackBesideABlockThatSlides, StandsAsIfItWereAlone) {
  for (const double speed : {10.0, 100.0, 1000.0}) {
    World world = with_defaults(0.5);
    world.model.solver = solver_settings(Accuracy::draft);
    world.half_space({}, {0, 0, 1});
    for (int k = 0; k < 10; ++k) world.box({0, 0, 0.1 * (k + 0.5)}, {0.1, 0.1, 0.1});
    world.box({0, 3, 0.05}, {0.1, 0.1, 0.1}).velocity = {speed, 0, 0};
    Simulation simulation = world.simulation();
    step(simulation, 500);
    for (std::uint64_t k = 0; k < 10; ++k) {
      const Vec3 stood{0, 0, 0.1 * (static_cast<double>(k) + 0.5)};
      EXPECT_LT(norm(simulation.body({k}).position - stood), 1e-8) << k << " " << speed;
    }
    EXPECT_TRUE(simulation.report().converged);
  }
}

constexpr Locks kOnlyFalls{1 | 2, 1 | 2 | 4};  // moves along z
constexpr Locks kOnlySpins{1 | 2 | 4, 1 | 4};  // about y

/// A pad of 1 kg on a wheel with a horizontal axis.
World pad_on_wheel(double half_width, double h) {
  World world = with_defaults(0.3, h);
  world.model.solver = solver_settings(Accuracy::reference);
  Body& pad = world.box({0, 0, 0.11}, {2 * half_width, 0.02, 0.02});
  pad.mass = 1;
  world.model.prototypes.back().locked = kOnlyFalls;
  return world;
}
constexpr double kWheelRadius = 0.1, kBrake = 0.3 * kGravity * kWheelRadius;  // [m], [N m]

TEST(APadOnAWheel, BrakesItWithFrictionTimesItsRadiusHoweverFastTheWheelSpins) {
  for (const double half_width : {0.001, 0.01, 0.05})
    for (const double rate : {1.0, 60.0, 500.0}) {
      World world = pad_on_wheel(half_width, 1e-3);
      const Quaternion across = rotation({1, 0, 0}, kPi / 2);
      world.obstacle(Cylinder{kWheelRadius, 0.02}, {{0, 0, 0}, across}, [rate](double) {
        return Twist{{}, {0, rate, 0}};
      });
      Simulation simulation = world.simulation();
      step(simulation, 20);
      EXPECT_NEAR(std::abs(simulation.state().step_loads[0].torque.y), kBrake, 1e-6 * kBrake)
          << half_width << " m, " << rate << " rad/s";
    }
}

TEST(APadOnAWheel, SlowsABodyAsMuch) {
  for (const double half_width : {0.001, 0.01, 0.05}) {
    World world = pad_on_wheel(half_width, 1e-3);
    Body& wheel = world.solid(Cylinder{kWheelRadius, 0.02}, {{}, rotation({1, 0, 0}, kPi / 2)});
    wheel.mass = 2;
    wheel.angular_velocity = {0, 100, 0};
    world.model.prototypes.back().locked = kOnlySpins;
    Simulation simulation = world.simulation();
    step(simulation, 100);
    const double moment = 0.5 * 2 * kWheelRadius * kWheelRadius;
    EXPECT_NEAR(simulation.body({1}).angular_velocity.y, 100 - kBrake / moment * 0.1, 1e-3)
        << half_width;
  }
}

TEST(APlankOnThreeBlocks, BearsNothingOnTheOneThatItDoesNotTouch) {
  World world = with_defaults(0.5);
  for (const double x : {-0.45, 0.0, 0.45}) {
    const double lower = x == 0 ? 1e-6 : 0;
    world.obstacle(Box{{0.02, 0.1, 0.05}}, {{x, 0, -0.05 - lower}, {}});
  }
  world.box({0, 0, 0.005}, {1, 0.1, 0.01});
  Simulation simulation = world.simulation();
  run_until(simulation, 0.1);
  const auto borne = [&](std::size_t k) { return -simulation.state().step_loads[k].force.z; };
  const double weight = world.bodies[0].mass * kGravity;
  EXPECT_EQ(borne(1), 0);
  EXPECT_NEAR(borne(0) + borne(2), weight, 1e-6 * weight);
}

}  // namespace
}  // namespace scree
