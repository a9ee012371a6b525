// Clumps in motion, against other shapes and closed forms.
#include "support/clumps.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/core/error.hpp"

namespace scree {
namespace {

using namespace test;
using std::numbers::pi;

void expect_same_motion(const Body& a, const Body& b, double length, double speed) {
  EXPECT_NEAR(norm(a.position - b.position), 0, length);
  EXPECT_NEAR(norm(a.velocity - b.velocity), 0, speed);
  EXPECT_NEAR(a.radius * norm(a.angular_velocity - b.angular_velocity), 0, speed);
}

TEST(ClumpInMotion, OfOneSphereTwiceFliesBouncesAndRollsAsTheSphere) {
  World one(coulomb(0.3, 0.5), 1e-3), twice(coulomb(0.3, 0.5), 1e-3);
  const Vec3 velocity{0.5, 0.1, -0.3}, spin{1, 20, -3};
  one.half_space({}, {0.1, 0, 1}).sphere({0, 0, 0.1}, 0.02, velocity, spin);
  twice.half_space({}, {0.1, 0, 1});
  Body& clump = add_clump(twice, {{Sphere{0.02}, {}}, {Sphere{0.02}, {}}}, {{0, 0, 0.1}, {}});
  clump.velocity = velocity;
  clump.angular_velocity = spin;
  EXPECT_NEAR(clump.mass, one.bodies[0].mass, 1e-12 * clump.mass);
  Simulation a = one.simulation(), b = twice.simulation();
  run_until(a, 1);
  run_until(b, 1);
  // Of shapes that are no spheres 1e-4 of a radius of overlap is let be.
  expect_same_motion(body_of(a, 0), body_of(b, 0), 1e-4 * 0.02, 1e-4);
}

TEST(ClumpInMotion, OfTwoHalvesOfABoxSlidesTopplesAndRestsAsTheBox) {
  const Vec3 half{0.05, 0.03, 0.1};
  const std::vector<ClumpPart> halves{{Box{{0.025, 0.03, 0.1}}, {{0.025, 0, 0}, {}}},
                                      {Box{{0.025, 0.03, 0.1}}, {{-0.025, 0, 0}, {}}}};
  struct Case {
    double friction;
    Vec3 velocity;
    double time, length, speed;
  };
  for (const Case& c : {Case{0.2, {0.7, 0.2, 0}, 0.3, 1e-9, 1e-8},  // slides
                        Case{0.8, {0.9, 0, 0}, 0.25, 1e-7, 1e-6},   // topples
                        Case{0.5, {0, 0, 0}, 1, 1e-10, 1e-9}}) {    // rests
    World box(coulomb(c.friction), 1e-3), clump(coulomb(c.friction), 1e-3);
    box.half_space({}, {0, 0, 1}).box({0, 0, 0.1}, 2 * half).velocity = c.velocity;
    clump.half_space({}, {0, 0, 1});
    add_clump(clump, halves, {{0, 0, 0.1}, {}}).velocity = c.velocity;
    Simulation a = box.simulation(), b = clump.simulation();
    run_until(a, c.time);
    run_until(b, c.time);
    expect_same_motion(body_of(a, 0), body_of(b, 0), c.length, c.speed);
  }
}

/// Two spheres of this radius, `arm` from the middle, along x.

TEST(Dumbbell, ThatSpinsOnAPlaneIsSlowedByTheFrictionOfItsTwoSpheres) {
  const double radius = 0.02, arm = 0.05, mu = 0.3, start = 30, time = 0.2;
  World world(coulomb(mu), 1e-4);
  world.half_space({}, {0, 0, 1});
  Body& body = add_clump(world, dumbbell(radius, arm), {{0, 0, radius}, {}});
  body.angular_velocity = {0, 0, start};
  Simulation simulation = world.simulation();
  run_until(simulation, time);
  // I = m (2/5 r² + a²), and a torque μ m g a.
  const double slowing = mu * kGravity * arm / (0.4 * radius * radius + arm * arm);
  EXPECT_NEAR(body_of(simulation, 0).angular_velocity.z, start - slowing * time, 1e-3);
  EXPECT_NEAR(norm(body_of(simulation, 0).position - Vec3{0, 0, radius}), 0, 1e-4 * radius);
}

TEST(Dumbbell, ThatFallsAskewTurnsByTheImpactOfItsLowerSphere) {
  const double radius = 0.02, arm = 0.05, tilt = 0.3, speed = 2;
  World world({LawKind::frictionless, 0, 0}, 1e-4);
  world.model.gravity = {};
  world.half_space({}, {0, 0, 1});
  const double height = radius + arm * std::sin(tilt) + 1e-9;
  Body& body =
      add_clump(world, dumbbell(radius, arm), {{0, 0, height}, rotation({0, 1, 0}, -tilt)});
  body.velocity = {0, 0, -speed};
  Simulation simulation = world.simulation();
  simulation.step();
  simulation.step();
  // p = v / (1/m + l²/I) stops the lower end, with l its arm along the plane.
  const double l = arm * std::cos(tilt), inertia = 0.4 * radius * radius + arm * arm;
  const double p = speed / (1 + l * l / inertia);
  EXPECT_NEAR(body_of(simulation, 0).velocity.z, -speed + p, 2e-3 * speed);
  EXPECT_NEAR(std::abs(body_of(simulation, 0).angular_velocity.y), p * l / inertia,
              2e-3 * p * l / inertia);
}

TEST(Dumbbell, RocksOnItsBarOverARoundBeamAsAPendulum) {
  // V = m g (R − t) θ²/2 and T = (I + m t²) θ'²/2, with R of the beam and t of the bar.
  const double beam = 0.2, bar = 0.01, half = 0.1;
  World world(coulomb(1), 2e-4);
  world.obstacle(Cylinder{beam, 1}, {{0, 0, -beam}, rotation({1, 0, 0}, pi / 2)});
  const Quaternion along_x = rotation({0, 1, 0}, pi / 2);
  Body& body = add_clump(world,
                         {{Capsule{bar, half}, {{}, along_x}},
                          {Sphere{0.02}, {{half, 0, 0}, {}}},
                          {Sphere{0.02}, {{-half, 0, 0}, {}}}},
                         {{0, 0, bar}, {}});
  body.angular_velocity = {0, 0.2, 0};
  body.velocity = {0.2 * bar, 0, 0};
  // The clump's own axes: the two moments across the bar are the larger ones.
  const Vec3 moments = body.radius * body.radius * world.model.prototypes[1].inertia;
  const double across = std::max({moments.x, moments.y, moments.z});
  Simulation simulation = world.simulation();
  std::vector<double> passes;
  for (double before = 0; passes.size() < 5 && simulation.state().time < 5;) {
    simulation.step();
    const double now = body_of(simulation, 0).angular_velocity.y;
    if (before * now < 0) passes.push_back(simulation.state().time);
    before = now;
  }
  ASSERT_EQ(passes.size(), 5U);
  const double period = 2 * pi * std::sqrt((across + bar * bar) / (kGravity * (beam - bar)));
  EXPECT_NEAR((passes[4] - passes[0]) / 2, period, 0.005 * period);
}

TEST(BedOfClumps, BearsItsWeightAndItsBooksClose) {
  World world = random_clumps(60, coulomb(0.4), 1e-3, 7);
  world.model.solver = solver_settings(Accuracy::engineering);
  Simulation simulation = world.simulation();
  simulation.step();
  const double start = total_energy(simulation.report());
  run_until(simulation, 1.5);
  double weight = 0, height = 0;
  for (const Body& body : world.bodies) weight += body.mass * kGravity;
  const auto impulse = [&] {
    Vec3 sum;
    for (const ObstacleLoad& load : simulation.state().obstacle_loads) sum += load.impulse;
    return sum;
  };
  const Vec3 before = impulse();
  for (int k = 0; k < 100; ++k) {
    simulation.step();
    EXPECT_TRUE(simulation.report().converged);
  }
  EXPECT_NEAR((before - impulse()).z / 0.1, weight, 1e-3 * weight);
  EXPECT_LT(simulation.report().max_relative_penetration, 0.02);
  for (const Body& body : world.bodies) height = std::max(height, body.position.z);
  EXPECT_NEAR(total_energy(simulation.report()), start, 0.01 * weight * height);
}

TEST(BedOfClumps, IsTheSameOnAnyThreadsAndInstructionSetAndFromACopy) {
  World world = random_clumps(40, coulomb(0.4, 0.2), 1e-3, 18);
  world.model.solver = solver_settings(Accuracy::engineering);
  const auto hash_after = [&](int threads, InstructionSet set) {
    Simulation simulation = world.simulation(threads, set);
    for (int k = 0; k < 80; ++k) simulation.step();
    return state_hash(simulation.state());
  };
  const std::uint64_t expected = hash_after(1, InstructionSet::scalar);
  for (const InstructionSet set : instruction_sets()) EXPECT_EQ(hash_after(1, set), expected);
  EXPECT_EQ(hash_after(2, widest_instruction_set()), expected);
  Simulation half = world.simulation();
  for (int k = 0; k < 40; ++k) half.step();
  Simulation rest(world.model, State(half.state()));
  for (int k = 0; k < 40; ++k) rest.step();
  EXPECT_EQ(state_hash(rest.state()), expected);
}

}  // namespace
}  // namespace scree
