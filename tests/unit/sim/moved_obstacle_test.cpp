/// Obstacles that are moved by hand, and what contacts exert on them.
#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

/// A floor, a slab on it to be moved, and balls on the slab.
World balls_on_a_slab() {
  World world(coulomb(0.5, 0.2), 1e-3);
  world.half_space({}, {0, 0, 1});
  world.obstacle(Box{{0.3, 0.3, 0.05}}, {{0, 0, 0.05}, {}});
  world.model.obstacles[0].name = "floor";
  world.model.obstacles[1].name = "slab";
  for (int k = 0; k < 4; ++k) world.sphere({0.1 * k - 0.15, 0, 0.13 + 0.002 * k}, 0.03);
  return world;
}

TEST(MovedObstacle, GoesOnLikeOneWhoseMotionIsPrescribed) {
  World world = balls_on_a_slab();
  Simulation by_hand = world.simulation();
  world.model.obstacles[1].motion = [](double t) {
    return t < 0.1 ? Twist{{0.2, 0, 0.1}, {0, 0, 1}} : Twist{{0, -0.1, 0}, {}};
  };
  Simulation prescribed = world.simulation();
  by_hand.move_obstacle(by_hand.obstacle("slab"), {{0.2, 0, 0.1}, {0, 0, 1}});
  for (int k = 0; k < 200; ++k) {
    if (k == 100) by_hand.move_obstacle(1, {{0, -0.1, 0}, {}});
    by_hand.step();
    prescribed.step();
    ASSERT_EQ(motion_hash(by_hand.state()), motion_hash(prescribed.state())) << k;
    ASSERT_EQ(by_hand.report().wall_work, prescribed.report().wall_work) << k;
  }
  const Pose& pose = by_hand.obstacle_pose(1);
  EXPECT_NEAR(pose.position.x, 0.02, 1e-12);
  EXPECT_NEAR(pose.position.y, -0.01, 1e-12);
  EXPECT_NEAR(pose.position.z, 0.06, 1e-12);
}

TEST(MovedObstacle, ThatIsStoppedIsAPartAtRest) {
  Simulation simulation = balls_on_a_slab().simulation();
  const std::uint64_t before = state_hash(simulation.state());
  simulation.move_obstacle(1, {{0, 0, 1}, {}});
  EXPECT_NE(state_hash(simulation.state()), before);
  simulation.move_obstacle(1, {});
  EXPECT_EQ(state_hash(simulation.state()), before);
  simulation.move_obstacle(1, {{0, 0, 1}, {}});
  simulation.step();
  simulation.move_obstacle(1, {});
  for (int k = 0; k < 10; ++k) simulation.step();
  EXPECT_NEAR(simulation.obstacle_pose(1).position.z, 0.051, 1e-15);
}

TEST(MovedObstacle, ThatCannotBeMovedSoIsRefused) {
  World world = balls_on_a_slab();
  world.obstacle(HalfSpace{}, {{0, 0, -1}, {}}, [](double) { return Twist{}; });
  world.obstacle(HalfSpace{}, {{-1, 0, 0}, rotation_between({0, 0, 1}, {1, 0, 0})});
  Inflow inflow{.name = "inflow", .plate = 3, .velocity = {1, 0, 0}, .advance = 0.1};
  inflow.layer = {{-0.9, 0, 1}};
  inflow.radius = 0.05;
  world.model.inflows.push_back(inflow);
  Simulation simulation = world.simulation();
  const std::uint64_t before = state_hash(simulation.state());
  const auto refuse = [&](const std::string& words, std::uint32_t obstacle, const Twist& twist) {
    try {
      simulation.move_obstacle(obstacle, twist);
      ADD_FAILURE() << "not refused: " << words;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind(words, 0), 0u) << error.what();
    }
  };
  refuse("obstacle is 4; there are 4 obstacles", 4, {});
  refuse("obstacle is 2; that obstacle, obstacle, has a motion of its own", 2, {});
  refuse("obstacle is 3; that obstacle, obstacle, has a motion of its own", 3, {});
  refuse("twist.linear is (nan, 0, 0);", 1, {{kNan, 0, 0}, {}});
  refuse("twist.angular is (0, 1e+09, 0);", 1, {{}, {0, 1e9, 0}});
  EXPECT_EQ(state_hash(simulation.state()), before);
  EXPECT_THROW(simulation.obstacle_pose(4), InputError);
  EXPECT_THROW(simulation.contact_force_on_obstacle(4), InputError);
  EXPECT_EQ(simulation.obstacle("slab"), 1u);
  EXPECT_THROW(simulation.obstacle("lid"), InputError);
  EXPECT_THROW(simulation.obstacle("obstacle"), InputError) << "there are two";
}

TEST(MovedObstacle, GoesOnAfterARestartToTheSameBits) {
  Simulation whole = balls_on_a_slab().simulation();
  whole.move_obstacle(1, {{0.1, 0, 0.2}, {0.1, 0, 0}});
  for (int k = 0; k < 20; ++k) whole.step();
  Simulation restarted(whole.model(), whole.state(), 2);
  for (int k = 0; k < 50; ++k) {
    whole.step();
    restarted.step();
    ASSERT_EQ(state_hash(restarted.state()), state_hash(whole.state())) << k;
  }
  State forged = whole.state();
  forged.moved_by_hand = {};
  EXPECT_THROW(Simulation(whole.model(), forged), InputError) << "an obstacle at rest would move";
  forged.moved_by_hand = {7};
  EXPECT_THROW(Simulation(whole.model(), forged), InputError);
  forged.moved_by_hand = {1, 1};
  EXPECT_THROW(Simulation(whole.model(), forged), InputError);
}

TEST(ContactForce, OfAPileAtRestOnItsFloorIsItsWeight) {
  for (World world :
       {random_pile(30, coulomb(0.4), 1e-3, 6), random_boxes(12, coulomb(0.4), 1e-3, 6)}) {
    world.model.solver.tolerance = 1e-8;
    world.model.solver.max_sweeps = 2000;
    Simulation simulation = world.simulation();
    Vec3 momentum;
    const auto sum = [&] {
      momentum = {};
      for (const Body& body : world.bodies)
        momentum += body.mass * simulation.body(body.id).velocity;
    };
    for (int k = 0; k < 200; ++k) simulation.step();
    sum();
    const Vec3 before = momentum;
    simulation.step();
    sum();
    double weight = 0;
    for (const Body& body : world.bodies) weight += kGravity * body.mass;
    Vec3 force{0, 0, -weight};
    for (std::uint32_t obstacle = 0; obstacle < 5; ++obstacle)
      force -= simulation.contact_force_on_obstacle(obstacle).force;
    EXPECT_LT(norm((momentum - before) / 1e-3 - force), 1e-9 * weight)
        << "what obstacles do not bear speeds bodies up";
  }
}

TEST(ContactForce, OnAPartTurnsAboutAnyPointAsItsForceSays) {
  Simulation simulation = balls_on_a_slab().simulation();
  for (int k = 0; k < 500; ++k) simulation.step();
  const Wrench about_itself = simulation.contact_force_on_obstacle(1);
  const Vec3 position = simulation.obstacle_pose(1).position, elsewhere{0.4, -0.7, 0.3};
  const Wrench about_another = simulation.contact_force_on_obstacle(1, elsewhere);
  EXPECT_EQ(about_itself.force, about_another.force);
  const Vec3 difference = cross(position - elsewhere, about_itself.force);
  EXPECT_LT(norm(about_another.torque - about_itself.torque - difference), 1e-12);
  const double weight = simulation.body({0}).mass * kGravity;
  EXPECT_NEAR(about_itself.force.z, -4 * weight, 1e-6 * weight);
  double torque = 0;
  for (std::uint64_t id = 0; id < 4; ++id) torque += weight * simulation.body({id}).position.x;
  EXPECT_NEAR(about_itself.torque.y, torque, 1e-6 * weight);
}

TEST(ContactForce, OnAMovingPartTakesItsWorkFromTheLedger) {
  Simulation simulation = balls_on_a_slab().simulation();
  const Vec3 velocity{0.3, 0.1, 0.2};
  simulation.move_obstacle(1, {velocity, {}});
  for (int k = 0; k < 100; ++k) {
    const double before = simulation.report().wall_work;
    simulation.step();
    const double work = -1e-3 * dot(simulation.contact_force_on_obstacle(1).force, velocity);
    EXPECT_NEAR(simulation.report().wall_work - before, work, 1e-14) << k;
  }
}

}  // namespace
}  // namespace scree
