// Obstacles that are clumps, at rest and moving: what they do is what their parts do as obstacles
// of their own.
#include <cmath>
#include <gtest/gtest.h>

#include "support/clumps.hpp"
#include "support/impacts.hpp"

namespace scree {
namespace {

using namespace test;

using Motion = std::function<Pose(double)>;

/// The parts of one body as a clump, or as obstacles of their own.
void add_parts(World& world, bool as_clump, const std::vector<ClumpPart>& parts, const Pose& pose,
               const Motion& motion = {}) {
  if (as_clump) {
    add_clump_obstacle(world, parts, pose, motion);
    return;
  }
  for (const ClumpPart& part : parts) {
    world.obstacle(part.shape, moved(pose, part.pose));
    if (motion)
      world.model.obstacles.back().path = [motion, own = part.pose](double t) {
        return moved(motion(t), own);
      };
  }
}

/// A step, and beside it a round post.
std::vector<ClumpPart> stairs() {
  return {{Box{{0.1, 0.1, 0.02}}, {{-0.1, 0, -0.02}, {}}},
          {Box{{0.1, 0.1, 0.04}}, {{0.08, 0, -0.03}, {}}},
          {Cylinder{0.02, 0.05}, {{0.03, 0.05, 0.02}, {}}}};
}

/// Falls on the stairs: a ball, a box, a capsule or a dumbbell.
void add_faller(World& world, int kind) {
  const Pose pose{{-0.05, 0, 0.05}, rotation({0, 1, 0}, 0.3)};
  Body* body = nullptr;
  if (kind == 0) body = &world.sphere(pose.position, 0.02);
  if (kind == 1) body = &world.box(pose.position, {0.03, 0.04, 0.02}, pose.orientation);
  if (kind == 2) body = &world.solid(Capsule{0.01, 0.015}, pose);
  if (kind == 3)
    body = &add_clump(
        world, {{Sphere{0.01}, {{0.01, 0, 0}, {}}}, {Sphere{0.012}, {{-0.01, 0, 0}, {}}}}, pose);
  body->velocity = {0.5, 0.1, -0.3};
}

TEST(ClumpAsObstacle, StopsBodiesAsItsPartsDo) {
  for (int kind = 0; kind < 4; ++kind) {
    World clump(coulomb(0.4, 0.3), 5e-4), parts(coulomb(0.4, 0.3), 5e-4);
    add_parts(clump, true, stairs(), {{0, 0, 0}, rotation({0, 0, 1}, 0.2)});
    add_parts(parts, false, stairs(), {{0, 0, 0}, rotation({0, 0, 1}, 0.2)});
    add_faller(clump, kind);
    add_faller(parts, kind);
    Simulation a = clump.simulation(), b = parts.simulation();
    run_until(a, 0.15);
    run_until(b, 0.15);
    EXPECT_LT(norm(body_of(a, 0).position - body_of(b, 0).position), 1e-4 * 0.15) << kind;
    EXPECT_LT(norm(body_of(a, 0).velocity - body_of(b, 0).velocity), 5e-3) << kind;
  }
}

TEST(ClumpAsObstacle, HoldsABallInTheWaistOfItsSpheres) {
  World world(coulomb(0.5), 1e-3);
  add_clump_obstacle(world,
                     {{Sphere{0.05}, {{0.05, 0, 0}, {}}}, {Sphere{0.05}, {{-0.05, 0, 0}, {}}}}, {});
  const double height = std::sqrt(0.07 * 0.07 - 0.05 * 0.05);
  const double weight = world.sphere({0, 0, height + 0.001}, 0.02).mass * kGravity;
  Simulation simulation = world.simulation();
  run_until(simulation, 0.5);
  EXPECT_EQ(simulation.contact_count(), 2U);
  EXPECT_NEAR(body_of(simulation, 0).position.z, height, 1e-4 * 0.02);
  EXPECT_LT(norm(body_of(simulation, 0).velocity), 1e-6);
  EXPECT_NEAR(simulation.contact_force_on_obstacle(0).force.z, -weight, 1e-6 * weight);
}

/// Two blades that turn about z and push a ball round; and their load.
TEST(ClumpAsObstacle, ThatTurnsPushesBodiesAndBearsWhatItsPartsBear) {
  const std::vector<ClumpPart> blades{{Box{{0.1, 0.005, 0.03}}, {{0, 0, 0.03}, {}}},
                                      {Box{{0.005, 0.1, 0.03}}, {{0, 0, 0.03}, {}}}};
  const auto turning = [](double t) { return Pose{{}, rotation({0, 0, 1}, 4 * t)}; };
  World clump(coulomb(0.4), 5e-4), parts(coulomb(0.4), 5e-4);
  for (World* world : {&clump, &parts}) {
    world->half_space({}, {0, 0, 1});
    add_parts(*world, world == &clump, blades, {}, turning);
    world->sphere({0.05, 0.04, 0.015}, 0.015);
  }
  Simulation a = clump.simulation(), b = parts.simulation();
  run_until(a, 0.4);
  run_until(b, 0.4);
  EXPECT_LT(norm(body_of(a, 0).position - body_of(b, 0).position), 2e-4);
  EXPECT_GT(norm(body_of(a, 0).velocity), 0.1);
  double torque = 0, work = 0;
  for (const std::size_t part : {1, 2}) {
    torque += b.state().obstacle_loads[part].angular_impulse.z;
    work += b.state().obstacle_loads[part].work;
  }
  const ObstacleLoad& load = a.state().obstacle_loads[1];
  EXPECT_LT(load.angular_impulse.z, 0);
  EXPECT_NEAR(load.angular_impulse.z, torque, 0.02 * std::abs(torque));
  EXPECT_NEAR(load.work, work, 0.02 * std::abs(work));
  EXPECT_NEAR(load.work, -4 * load.angular_impulse.z, 0.02 * std::abs(load.work));
}

TEST(ClumpAsObstacle, BouncesBodiesOnSpringsAsItsPartsDo) {
  for (int kind = 0; kind < 4; ++kind) {
    const PairLaw law = linear_law(1e5, 3e4, 0.4, 0.6);
    World clump(law, 1e-5), parts(law, 1e-5);
    add_parts(clump, true, stairs(), {});
    add_parts(parts, false, stairs(), {});
    add_faller(clump, kind);
    add_faller(parts, kind);
    Simulation a = clump.simulation(), b = parts.simulation();
    const double start = total_energy(a.step());
    run_until(a, 0.08);
    run_until(b, 0.08);
    EXPECT_NEAR(total_energy(a.report()), start, 1e-6 * a.report().dissipated_energy);
    const bool of_balls = kind == 0 || kind == 3;
    EXPECT_LT(norm(body_of(a, 0).position - body_of(b, 0).position), of_balls ? 1e-9 : 2e-3)
        << kind;
  }
}

/// A ball or a dumbbell that rolls down a turning sphere, on springs; after `steps` steps.
Body rolled(bool on_clump, bool dumbbell, const PairLaw& law, int steps, InstructionSet set) {
  World world(law, 2e-5);
  const Motion turning = [](double t) { return Pose{{}, rotation({0, 1, 0}, 3 * t)}; };
  if (on_clump)
    add_clump_obstacle(world, {{Sphere{0.05}, {}}}, {}, turning);
  else
    world.obstacle(Sphere{0.05}, {});
  world.model.obstacles.back().path = turning;
  const Vec3 top{0.002, 0.001, 0.0605};
  Body& body =
      dumbbell
          ? add_clump(world,
                      {{Sphere{0.01}, {{0.01, 0, 0}, {}}}, {Sphere{0.012}, {{-0.01, 0, 0}, {}}}},
                      {top + Vec3{0, 0, 0.003}, {}})
          : world.sphere(top, 0.01);
  body.velocity = {0.05, 0.1, -0.2};
  Simulation simulation = world.simulation(1, set);
  for (int k = 0; k < steps; ++k) simulation.step();
  return body_of(simulation, 0);
}

TEST(ClumpAsObstacle, OfOneSphereHasTheBitsOfThatSphere) {
  PairLaw rolls = linear_law(2e4, 6e3, 0.4, 0.6);
  rolls.rolling_friction = 1e-4;
  PairLaw sticky = linear_law(2e4, 6e3, 0.4, 0.6);
  sticky.cohesion = 1e-3;
  PairLaw at_point = linear_law(2e4, 6e3, 0.4, 0.6);
  at_point.force.branch = BranchVectors::contact_point;
  PairLaw hertz = hertz_law(0.4, 0.6);
  hertz.force.k_n = hertz.force.k_t = 1e7;
  for (const PairLaw& law : {linear_law(2e4, 6e3, 0.4, 0.6), rolls, sticky, at_point, hertz})
    for (const bool dumbbell : {false, true})
      for (const InstructionSet set : instruction_sets()) {
        const Body a = rolled(true, dumbbell, law, 8000, set),
                   b = rolled(false, dumbbell, law, 8000, set);
        EXPECT_EQ(norm(a.position - b.position), 0) << dumbbell;
        EXPECT_EQ(norm(a.velocity - b.velocity), 0);
        EXPECT_EQ(norm(a.angular_velocity - b.angular_velocity), 0);
        EXPECT_GT(norm(b.angular_velocity), 1);
      }
}

TEST(ClumpAsObstacle, LetsNoBallThroughAndGivesTheSameBitsEverywhere) {
  World world(coulomb(0.3, 0.5), 1e-3);
  world.half_space({0, 0, -0.1}, {0, 0, 1});
  std::vector<ClumpPart> grate;
  for (int k = -3; k <= 3; ++k) {
    grate.push_back({Box{{0.2, 0.004, 0.004}}, {{0, 0.03 * k, 0}, {}}});
    grate.push_back({Box{{0.004, 0.2, 0.004}}, {{0.03 * k, 0, 0}, {}}});
  }
  add_clump_obstacle(world, grate, {});
  RandomStream random{3, 0};
  for (int k = 0; k < 30; ++k) {
    const double x = random.uniform(-0.05, 0.05), y = random.uniform(-0.05, 0.05);
    world.sphere({x, y, 0.05 + 0.05 * k}, 0.02, {0, 0, -8});
  }
  const auto after = [&](int threads, InstructionSet set) {
    Simulation simulation = world.simulation(threads, set);
    for (int k = 0; k < 300; ++k) simulation.step();
    for (std::size_t i = 0; i < simulation.state().bodies.size(); ++i) {
      const Vec3& at = simulation.state().bodies.position[i];
      if (std::max(std::abs(at.x), std::abs(at.y)) < 0.09) EXPECT_GT(at.z, 0);
    }
    return state_hash(simulation.state());
  };
  const std::uint64_t hash = after(1, widest_instruction_set());
  EXPECT_EQ(after(2, widest_instruction_set()), hash);
  for (const InstructionSet set : instruction_sets()) EXPECT_EQ(after(1, set), hash);
}

}  // namespace
}  // namespace scree
