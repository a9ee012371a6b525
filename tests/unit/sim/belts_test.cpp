/// Obstacles whose surface runs along itself.
#include <gtest/gtest.h>
#include <memory>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kBeltSpeed = 0.8;

PairLaw belt_springs(double mu) {
  PairLaw law{LawKind::cundall_strack, mu};
  law.force.k_n = 1e6;
  law.force.k_t = 5e5;
  law.force.normal_damping = 500;
  law.force.tangential_damping = 2000;
  return law;
}

/// A belt along x whose upper side is z = 0, of every form that there is.
std::vector<World> belts(const PairLaw& law, double h) {
  std::vector<World> worlds;
  const auto add = [&](const Shape& shape, const Pose& pose, std::shared_ptr<TriangleMesh> mesh) {
    World& world = worlds.emplace_back(law, h);
    if (mesh) world.model.meshes.push_back(mesh);
    world.obstacle(shape, pose);
    world.model.obstacles[0].surface_velocity =
        rotate_back(pose.orientation, {kBeltSpeed, 0, 0.5});  // what is across does not count
  };
  add(HalfSpace{}, {}, nullptr);
  add(Box{{2, 3, 0.1}}, {{1, 0, -0.1}, {}}, nullptr);
  add(Box{{3, 2, 0.1}}, {{1, 0, -0.1}, rotation({0, 0, 1}, 1.3)}, nullptr);
  const auto mesh = std::make_shared<TriangleMesh>(mesh_of(square_soup(3, 30), Sides::two));
  add(Mesh{mesh.get()}, {}, mesh);
  return worlds;
}

TEST(Belt, TakesABallToTwoSeventhsOfItsSpeedAndABlockToAll) {
  constexpr double kMu = 0.3, kRadius = 0.1;
  for (const bool soft : {false, true}) {
    const double h = soft ? 5e-5 : 1e-3;
    const double sunk = soft ? 4.0 / 3 * 3.14159265358979 * 1e-3 * 1000 * kGravity / 1e6 : 0;
    for (World& world : belts(soft ? belt_springs(kMu) : coulomb(kMu), h)) {
      world.sphere({0, 0, kRadius - sunk}, kRadius);
      Simulation ball = world.simulation();
      // It slides until its surface is as fast as the belt.
      const double sticks = 2 * kBeltSpeed / (7 * kMu * kGravity);
      run_until(ball, 0.5 * sticks);
      EXPECT_NEAR(ball.state().bodies.velocity[0].x, kMu * kGravity * 0.5 * sticks,
                  soft ? 0.02 * kBeltSpeed : kMu * kGravity * h);
      run_until(ball, 2 * sticks);
      const Body after = ball.state().bodies[0];
      EXPECT_NEAR(after.velocity.x, 2 * kBeltSpeed / 7, 1e-3 * kBeltSpeed);
      EXPECT_NEAR(after.angular_velocity.y, -5 * kBeltSpeed / 7 / kRadius,
                  1e-3 * kBeltSpeed / kRadius);
      EXPECT_EQ(norm(ball.obstacle_pose(0).position - world.model.obstacles[0].pose.position), 0);
      // Friction μ m g on a belt that runs: its work is that force times the way of the belt.
      const double work = after.mass * kBeltSpeed * after.velocity.x;
      EXPECT_NEAR(ball.state().obstacle_loads[0].work, work, 2e-3 * work);
      EXPECT_NEAR(ball.report().wall_work, ball.state().obstacle_loads[0].work, 1e-12);
    }
  }
}

TEST(Belt, TakesABlockWithItAfterItHasSlid) {
  constexpr double kMu = 0.4;
  for (const bool soft : {false, true}) {
    const double h = soft ? 5e-5 : 1e-3;
    auto worlds = belts(soft ? belt_springs(kMu) : coulomb(kMu), h);
    worlds.pop_back();  // only spheres touch meshes
    for (World& world : worlds) {
      world.model.solver.tolerance = 1e-12;
      Body& block = world.box({0, 0, 0.05}, {0.4, 0.4, 0.1});
      Simulation simulation = world.simulation();
      const double sticks = kBeltSpeed / (kMu * kGravity);
      run_until(simulation, sticks / 2);
      EXPECT_NEAR(simulation.state().bodies.velocity[0].x, kBeltSpeed / 2,
                  soft ? 0.02 * kBeltSpeed : kMu * kGravity * h);
      run_until(simulation, 3 * sticks);
      const Body after = simulation.state().bodies[0];
      EXPECT_NEAR(after.velocity.x, kBeltSpeed, 1e-6 * kBeltSpeed);
      // Half of v/(μ g) at full speed is lost against the belt.
      EXPECT_NEAR(after.position.x, kBeltSpeed * (3 * sticks) - kBeltSpeed * sticks / 2,
                  soft ? 0.01 : kBeltSpeed * h);
      // Of the work of the belt, m v², one half is motion and one half heat.
      const double work = block.mass * kBeltSpeed * kBeltSpeed;
      EXPECT_NEAR(simulation.state().obstacle_loads[0].work, work, (soft ? 2e-3 : 1e-9) * work);
      EXPECT_NEAR(simulation.report().dissipated_energy, work / 2, (soft ? 1e-2 : 1e-9) * work);
    }
  }
}

/// A block on a slope of tan 0.6, and its velocity up the slope after 2 s; the slope is a belt that
/// runs up at `belt`, and the block begins at `start`.
double velocity_up_slope(const PairLaw& law, double belt, double start) {
  World world(law, 1e-3);
  world.model.solver.tolerance = 1e-12;
  const Quaternion tilt = rotation({0, 1, 0}, -std::atan(0.6));  // up along x
  world.obstacle(HalfSpace{}, {{}, tilt});
  world.model.obstacles[0].surface_velocity = {belt, 0, 0};
  world.box(rotate(tilt, {0, 0, 0.05}), {0.4, 0.4, 0.1}, tilt).velocity =
      rotate(tilt, {start, 0, 0});
  Simulation simulation = world.simulation();
  run_until(simulation, 2);
  return rotate_back(tilt, simulation.state().bodies.velocity[0]).x;
}

TEST(Belt, CarriesUpASlopeThatFrictionHolds) {
  EXPECT_NEAR(velocity_up_slope(coulomb(0.7), kBeltSpeed, 0), kBeltSpeed, 1e-9);
  const double slope = std::atan(0.6), down = kGravity * (std::sin(slope) - 0.5 * std::cos(slope));
  EXPECT_NEAR(velocity_up_slope(coulomb(0.5), kBeltSpeed, 0), -2 * down, 1e-6);
}

TEST(Belt, IsTheSameForEveryLawWhoeverMoves) {
  for (const LawKind kind : {LawKind::coulomb, LawKind::max_dissipation,
                             LawKind::cone_complementarity, LawKind::polyhedral}) {
    PairLaw law = coulomb(0.5);
    law.kind = kind;
    SCOPED_TRACE(name(kind));
    EXPECT_NEAR(velocity_up_slope(law, kBeltSpeed, 0),
                kBeltSpeed + velocity_up_slope(law, 0, -kBeltSpeed), 1e-9);
  }
}

TEST(Belt, RunsWithThePartThatItIsOn) {
  // The obstacle turns by a right angle about z, then stands; its belt runs along y from then on.
  World world(coulomb(0.5), 1e-3);
  world.obstacle(HalfSpace{}, {});
  world.model.obstacles[0].surface_velocity = {kBeltSpeed, 0, 0};
  world.model.obstacles[0].path = [](double t) {
    return Pose{{}, rotation({0, 0, 1}, std::min(t, 1.0) * std::numbers::pi / 2)};
  };
  world.box({0, 0, 0.05}, {0.4, 0.4, 0.1});
  Simulation simulation = world.simulation();
  run_until(simulation, 4);
  EXPECT_NEAR(simulation.state().bodies.velocity[0].x, 0, 1e-6);
  EXPECT_NEAR(simulation.state().bodies.velocity[0].y, kBeltSpeed, 1e-6);
}

TEST(Belt, MovesBodiesAsAPlateThatMovesDoes) {
  World belt(coulomb(0.4, 0.2), 1e-3);
  belt.half_space({}, {0, 0, 1});
  for (int k = 0; k < 6; ++k)
    belt.sphere({0.3 * k, 0, 0.11 + 0.01 * k}, 0.1, {0.1 * k, 0.2, 0}, {1, 2, 3});
  World plate = belt;
  belt.model.obstacles[0].surface_velocity = {0.3, 0.1, 0};
  plate.model.obstacles[0].motion = [](double) { return Twist{{0.3, 0.1, 0}, {}}; };
  Simulation one = belt.simulation(), other = plate.simulation();
  for (int k = 0; k < 200; ++k) {
    one.step();
    other.step();
  }
  for (std::uint64_t id = 0; id < 6; ++id)
    ASSERT_LT(norm(body_of(one, id).position - body_of(other, id).position), 1e-9);
  EXPECT_NEAR(one.report().wall_work, other.report().wall_work, 1e-9);
  EXPECT_EQ(one.obstacle_pose(0).position, Vec3{});
}

TEST(Belt, ThatIsTooFastIsRefused) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({}, {0, 0, 1});
  world.model.obstacles[0].surface_velocity = {0, 4e8, 0};
  try {
    world.simulation();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "obstacles[0].surface_velocity is (0, 4e+08, 0); no component may exceed 3e8 m/s");
  }
}

}  // namespace
}  // namespace scree
