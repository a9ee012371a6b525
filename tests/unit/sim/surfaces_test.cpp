#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "support/worlds.hpp"
#include "unit/geometry/meshes.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

const Quaternion kSurfaceTilt = rotation_between({0, 0, 1}, Vec3{0.28, 0.0, 0.96});

/// A ball that starts to slide down a slope, and ends rolling; the slope is a plane, or triangles.
Simulation ball_on_slope(const PairLaw& law, double h, bool triangles) {
  World world(law, h);
  world.model.materials[0].moduli = {1e7, 0.3};
  if (triangles)
    add_mesh(world, square_soup(1, 100), Sides::two, {{}, kSurfaceTilt});
  else
    world.half_space({}, rotate(kSurfaceTilt, {0, 0, 1}));
  world.sphere(rotate(kSurfaceTilt, {-0.3, -0.1, 0.0505}), 0.05,
               rotate(kSurfaceTilt, {0.3, 0.4, 0}), {3, -2, 5});
  return world.simulation();
}

TEST(Mesh, CarriesABallAsAPlaneDoes) {
  Simulation plane = ball_on_slope(coulomb(0.2, 0.5), 1e-3, false),
             mesh = ball_on_slope(coulomb(0.2, 0.5), 1e-3, true);
  for (int k = 0; k < 500; ++k) {
    plane.step();
    mesh.step();
    ASSERT_NEAR(norm(plane.state().bodies.position[0] - mesh.state().bodies.position[0]), 0, 1e-12);
    ASSERT_NEAR(
        norm(plane.state().bodies.angular_velocity[0] - mesh.state().bodies.angular_velocity[0]), 0,
        1e-10);
  }
  EXPECT_GT(norm(mesh.state().bodies.velocity[0]), 0.7);  // 40 facets on
}

TEST(Mesh, CarriesASoftBallAsAPlaneDoes) {
  PairLaw law{LawKind::cundall_strack, 0.2};
  law.force.k_n = 1e4;
  law.force.k_t = 5e3;
  law.force.normal_damping = 1;
  Simulation plane = ball_on_slope(law, 1e-4, false), mesh = ball_on_slope(law, 1e-4, true);
  for (int k = 0; k < 5000; ++k) {
    plane.step();
    mesh.step();
    ASSERT_NEAR(norm(plane.state().bodies.position[0] - mesh.state().bodies.position[0]), 0, 1e-9);
  }
  EXPECT_GT(norm(mesh.state().bodies.velocity[0]), 0.7);
}

/// Force that an ellipsoid which sinks 0.1 mm into a floor is pushed with [N].
double push_of_floor(bool triangles) {
  PairLaw law{LawKind::cundall_strack, 0.2};
  law.force.k_n = 1e4;
  law.force.k_t = 5e3;
  World world(law, 1e-4);
  world.model.gravity = {};
  if (triangles)
    add_mesh(world, square_soup(1, 20), Sides::two);
  else
    world.half_space({}, {0, 0, 1});
  world.solid(Superellipsoid{{0.05, 0.04, 0.03}}, {{0.013, 0.011, 0.03 - 1e-4}, {}});
  Simulation simulation = world.simulation();
  simulation.step();
  double force = 0;
  for (const ContactRecord& c : simulation.contacts())
    force += dot(c.impulse, c.normal) / world.model.step.h;
  return std::abs(force);
}

TEST(Mesh, PushesASoftEllipsoidWithAllOfItsStiffnessAsAPlaneDoes) {
  EXPECT_NEAR(push_of_floor(false), 1, 1e-6);
  EXPECT_NEAR(push_of_floor(true), 1, 1e-6);
}

TEST(Mesh, HoldsABallInACornerAsThreePlanesDo) {
  const auto run = [](bool triangles) {
    World world(coulomb(0.3), 1e-3);
    world.model.gravity = {-3, -4, -9.81};
    if (triangles)
      add_mesh(world, box_soup({1, 1, 1}, 20), Sides::two, {{1, 1, 1}, {}});
    else
      world.half_space({}, {0, 0, 1}).half_space({}, {1, 0, 0}).half_space({}, {0, 1, 0});
    world.sphere({0.3, 0.4, 0.5}, 0.1, {-1, -1, 0}, {5, 3, 1});
    Simulation simulation = world.simulation();
    run_until(simulation, 2);
    return simulation.state().bodies[0];
  };
  const Body of_mesh = run(true);
  EXPECT_NEAR(norm(of_mesh.position - Vec3{0.1, 0.1, 0.1}), 0, 1e-6);
  EXPECT_NEAR(norm(of_mesh.velocity), 0, 1e-6);
  EXPECT_NEAR(norm(of_mesh.position - run(false).position), 0, 1e-6);
}

TEST(Mesh, StopsAFastBall) {
  for (const double speed : {10.0, 100.0, 1000.0}) {
    World world(coulomb(0.3), 1e-3);
    add_mesh(world, square_soup(1, 10), Sides::two);
    world.sphere({0.03, -0.05, 0.4 + 0.37 * speed * 1e-3}, 0.01, {0.1 * speed, 0, -speed});
    Simulation simulation = world.simulation();
    for (int k = 0; k < 5; ++k) {
      simulation.step();
      const Vec3& x = simulation.state().bodies.position[0];
      if (std::abs(x.x) < 1) {
        EXPECT_GT(x.z, 0.0099);
      }
    }
  }
}

TEST(Mesh, OfABoxIsTheBoxToSpheres) {
  const auto run = [](bool triangles) {
    World world(coulomb(0.3), 5e-4);
    world.half_space({0, 0, -1}, {0, 0, 1});
    const Vec3 half{0.2, 0.3, 0.1};
    const Pose pose{{0.01, 0.02, 0},
                    rotation_between({0, 0, 1}, Vec3{0.1, 0.2, 1} / norm(Vec3{0.1, 0.2, 1}))};
    if (triangles)
      add_mesh(world, box_soup(half, 6), Sides::one, pose);
    else
      world.obstacle(Box{half}, pose);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j)
        world.sphere({0.12 * (i - 2), 0.15 * (j - 2), 0.3}, 0.05, {0.1 * i, -0.1 * j, 0});
    Simulation simulation = world.simulation();
    run_until(simulation, 0.3);
    return simulation.state().bodies;
  };
  const Bodies mesh = run(true), box = run(false);
  std::vector<Vec3> at(mesh.size());
  for (std::size_t i = 0; i < box.size(); ++i) at[box.id[i].value] = box.position[i];
  for (std::size_t i = 0; i < mesh.size(); ++i)
    EXPECT_NEAR(norm(mesh.position[i] - at[mesh.id[i].value]), 0, 1e-6);
}

World drum(bool soft) {
  PairLaw law = coulomb(0.4);
  if (soft) {
    law = {LawKind::cundall_strack, 0.4};
    law.force.k_n = 1e4;
    law.force.k_t = 5e3;
    law.force.normal_damping = 1;
  }
  World world(law, soft ? 5e-5 : 5e-4);
  const Quaternion lying = rotation_between({0, 0, 1}, Vec3{0, 1, 0});
  add_mesh(world, tube_soup(0.1, 0.05, 48, 6), Sides::two, {{}, lying}, [](double) {
    return Twist{{}, {0, 3, 0}};
  });
  world.obstacle(Hollow{.bottom_radius = 0.2,
                        .top_radius = 0.1,
                        .bottom = -0.05,
                        .top = 0.05,
                        .closed_bottom = true,
                        .closed_top = true},
                 {{}, lying});
  RandomStream random{9, 0};
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      for (int k = -2; k <= 2; ++k)
        world.sphere({0.024 * i, 0.018 * j, 0.024 * k}, 0.008,
                     0.3 * Vec3{random.uniform(-1, 1), 0, random.uniform(-1, 1)});
  return world;
}

TEST(Mesh, GivesTheSameBitsWithAnyThreadsAndAfterARestart) {
  for (const bool soft : {false, true}) {
    const World world = drum(soft);
    const int steps = soft ? 1000 : 300;
    Simulation one = world.simulation(1), four = world.simulation(4);
    for (int k = 0; k < steps; ++k) {
      one.step();
      four.step();
    }
    EXPECT_EQ(state_hash(one.state()), state_hash(four.state()));
    Simulation again(world.model, four.state(), 2, InstructionSet::scalar);
    for (int k = 0; k < 50; ++k) {
      one.step();
      again.step();
    }
    EXPECT_EQ(state_hash(one.state()), state_hash(again.state()));
    for (const Vec3& x : one.state().bodies.position) {
      ASSERT_LT(std::hypot(x.x, x.z), 0.1 - 0.0075);
      EXPECT_LT(std::abs(x.y), 0.05 - 0.0075);
    }
  }
}

TEST(Hollow, SwingsABallAsAPendulum) {
  // Without friction a ball in a tube is a pendulum of length R − r.
  World world({LawKind::frictionless}, 1e-4);
  const double length = 0.2;
  world.obstacle(Hollow{.bottom_radius = 0.25, .top_radius = 0.25, .bottom = -1, .top = 1},
                 {{}, rotation_between({0, 0, 1}, Vec3{0, 1, 0})});
  const double angle = 0.05;
  world.sphere({length * std::sin(angle), 0, -length * std::cos(angle)}, 0.05);
  Simulation simulation = world.simulation();
  const double quarter =
      std::numbers::pi / 2 * std::sqrt(length / kGravity) * (1 + angle * angle / 16);
  run_until(simulation, quarter);
  EXPECT_NEAR(simulation.state().bodies.position[0].x, 0, 1e-4 * length);
  run_until(simulation, 2 * quarter);
  EXPECT_NEAR(simulation.state().bodies.position[0].x, -length * std::sin(angle), 1e-4 * length);
  EXPECT_NEAR(norm(simulation.state().bodies.position[0]), length, 1e-6);
}

TEST(Hollow, HoldsABallThatIsTooLargeForTheOutlet) {
  // It sits in a funnel on a ring: at rest on the axis, where all places are alike.
  World world(coulomb(0.3), 1e-3);
  world.obstacle(Hollow{.bottom_radius = 0.02, .top_radius = 0.3, .bottom = 0, .top = 0.28}, {});
  const double r = 0.06, seat = r * std::numbers::sqrt2 - 0.02;
  world.sphere({0.03, 0.01, seat + 0.1}, r);
  Simulation simulation = world.simulation();
  run_until(simulation, 3);
  EXPECT_NEAR(norm(simulation.state().bodies.position[0] - Vec3{0, 0, seat}), 0, 1e-3);
  EXPECT_LT(norm(simulation.state().bodies.velocity[0]), 1e-3);
}

}  // namespace
}  // namespace scree
