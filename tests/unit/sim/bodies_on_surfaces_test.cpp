#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

#include "support/worlds.hpp"
#include "unit/geometry/meshes.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

const Vec3 kUphill{0.28, 0.0, 0.96};
const Quaternion kSlopeTilt = rotation_between({0, 0, 1}, kUphill);

/// A box on a slope or a floor, which is a plane, or n × n squares of two triangles.
struct OnPlane {
  double mu = 0.2;
  Quaternion slope;
  Vec3 velocity, spin, size{0.1, 0.06, 0.04};
  Quaternion turn;  ///< on the plane

  bool soft = false;

  Simulation simulation(std::uint32_t n) const {
    World world(coulomb(mu), soft ? 1e-4 : 1e-3);
    if (soft) {
      PairLaw law{LawKind::cundall_strack, mu};
      law.force.k_n = 1e5;
      law.force.k_t = 5e4;
      law.force.normal_damping = 1;
      world.model.laws = LawTable(1, law);
    }
    if (n > 0)
      add_mesh(world, square_soup(1, n), Sides::two, {{}, slope});
    else
      world.half_space({}, rotate(slope, {0, 0, 1}));
    const double height = support(Box{0.5 * size}, {{}, turn}, {0, 0, -1});
    Body& box = world.box(rotate(slope, {-0.2, 0.013, height}), size, slope * turn);
    box.velocity = rotate(slope, velocity);
    box.angular_velocity = rotate(slope, spin);
    return world.simulation();
  }
};

/// Whether boxes move alike on the plane and on triangles.
void expect_alike(const OnPlane& set_up, double until, double tolerance) {
  for (const std::uint32_t n : {1U, 9U, 80U}) {
    Simulation plane = set_up.simulation(0), mesh = set_up.simulation(n);
    while (plane.state().time < until) {
      plane.step();
      mesh.step();
      const Body a = plane.state().bodies[0], b = mesh.state().bodies[0];
      ASSERT_NEAR(norm(a.position - b.position), 0, tolerance) << n << " at " << mesh.state().time;
      ASSERT_NEAR(norm(a.angular_velocity - b.angular_velocity), 0, 100 * tolerance) << n;
    }
  }
}

TEST(BoxOnTriangles, RestsAsOnThePlane) {
  expect_alike({}, 0.2, 1e-12);
  Simulation simulation = OnPlane{}.simulation(30);
  run_until(simulation, 0.5);
  EXPECT_LT(norm(simulation.state().bodies.velocity[0]), 1e-9);
}

TEST(BoxOnTriangles, SlidesDownASlopeAtTheAccelerationOfTheClosedForm) {
  const OnPlane set_up{.mu = 0.2, .slope = kSlopeTilt};
  expect_alike(set_up, 0.3, 1e-9);
  Simulation simulation = set_up.simulation(60);
  const Vec3 start = simulation.state().bodies.position[0];
  run_until(simulation, 0.4);
  const double a = kGravity * (0.28 - 0.2 * 0.96), h = 1e-3;
  // Velocities first: the way of n steps is a h² n (n + 1) / 2.
  EXPECT_NEAR(norm(simulation.state().bodies.position[0] - start), 0.5 * a * 0.4 * (0.4 + h), 1e-8);
  EXPECT_NEAR(norm(simulation.state().bodies.velocity[0]), 0.4 * a, 1e-7);
}

TEST(BoxOnTriangles, TurnsAndSlidesAsOnThePlane) {
  expect_alike({.mu = 0.3, .velocity = {0.8, 0.1, 0}, .spin = {0, 0, 12}}, 0.3, 1e-9);
}

TEST(BoxOnTriangles, TipsOverAnEdgeAsOnThePlane) {
  const OnPlane set_up{
      .mu = 0.9, .spin = {0, 5, 0}, .size = {0.04, 0.06, 0.1}, .turn = rotation({0, 1, 0}, 0.3)};
  expect_alike(set_up, 0.25, 1e-8);
}

TEST(BoxOnTriangles, SlidesOnSpringsAsOnThePlane) {
  expect_alike({.slope = kSlopeTilt, .velocity = {0.3, 0.1, 0}, .spin = {0, 0, 3}, .soft = true},
               0.1, 1e-9);
}

TEST(BoxOnTriangles, InABoxOfThemIsThatBetweenPlanes) {
  const auto run = [](bool triangles) {
    World world(coulomb(0.3), 1e-3);
    world.model.gravity = {-3, -4, -9.81};
    if (triangles)
      add_mesh(world, box_soup({1, 1, 1}, 20), Sides::two, {{1, 1, 1}, {}});
    else
      world.half_space({}, {0, 0, 1}).half_space({}, {1, 0, 0}).half_space({}, {0, 1, 0});
    world.box({0.3, 0.4, 0.5}, {0.2, 0.3, 0.1}).velocity = {-1, -1, 0};
    Simulation simulation = world.simulation();
    run_until(simulation, 1.5);
    return simulation.state().bodies[0];
  };
  const Body of_mesh = run(true);
  EXPECT_NEAR(norm(of_mesh.velocity), 0, 1e-6);
  EXPECT_NEAR(norm(of_mesh.position - run(false).position), 0, 1e-6);
}

TEST(APegInASleeve, StandsOnTheBottomThoughTheWallIsNearAllRound) {
  constexpr double kRadius = 9.95e-3, kHalf = 0.02;
  for (const double sleeve : {10e-3, 9.96e-3, 10.15e-3}) {
    SCOPED_TRACE(sleeve);
    World world = with_defaults(0.3);
    world.obstacle(Hollow{.bottom_radius = sleeve,
                          .top_radius = sleeve,
                          .bottom = 0,
                          .top = 0.1,
                          .closed_bottom = true},
                   {});
    world.solid(Cylinder{kRadius, kHalf}, {{0, 0, kHalf}, {}});
    Simulation simulation = world.simulation();
    const double weight = world.bodies[0].mass * kGravity;
    for (int k = 0; k < 200; ++k) {
      simulation.step();
      ASSERT_NEAR(-simulation.state().step_loads[0].force.z, weight, 1e-6 * weight) << k;
    }
    EXPECT_NEAR(norm(simulation.body({0}).velocity), 0, 1e-9);
    EXPECT_NEAR(norm(simulation.body({0}).angular_velocity), 0, 1e-9);
    EXPECT_NEAR(simulation.body({0}).position.z, kHalf, 1e-9);
  }
}

TEST(BoxInADrum, OfTrianglesMovesAsInTheExactOne) {
  const Quaternion lying = rotation_between({0, 0, 1}, Vec3{0, 1, 0});
  const auto run = [&](bool triangles) {
    World world(coulomb(0.1), 1e-3);
    if (triangles)
      add_mesh(world, tube_soup(0.2, 0.3, 720, 1), Sides::two, {{}, lying});
    else
      world.obstacle(Hollow{.bottom_radius = 0.2, .top_radius = 0.2, .bottom = -0.3, .top = 0.3},
                     {{}, lying});
    // Half way up: it slides down and comes to rest near the bottom.
    const double half = 0.03, depth = std::sqrt(0.04 - half * half) - 0.02;
    const Quaternion turn = rotation({0, 1, 0}, -0.8);
    world.box(rotate(turn, {0, 0, -depth}), {2 * half, 0.08, 0.04}, turn);
    Simulation simulation = world.simulation();
    run_until(simulation, 0.5);
    return simulation.state().bodies[0];
  };
  const Body exact = run(false), facets = run(true);
  EXPECT_LT(norm(exact.position - facets.position), 2e-3);
  EXPECT_LT(
      std::abs(std::hypot(exact.position.x, exact.position.z) - (std::sqrt(0.04 - 0.0009) - 0.02)),
      1e-4);
}

/// Boxes that turn over in a drum of triangles with ends, by default settings.
World turning_drum() {
  World world(coulomb(0.4), 1e-3);
  world.model.solver = solver_settings(Accuracy::engineering);
  const Quaternion lying = rotation_between({0, 0, 1}, Vec3{0, 1, 0});
  const auto turning = [](double) { return Twist{{}, {0, 6, 0}}; };
  add_mesh(world, tube_soup(0.1, 0.05, 48, 2), Sides::two, {{}, lying}, turning);
  world.obstacle(Hollow{.bottom_radius = 0.12,
                        .top_radius = 0.12,
                        .bottom = -0.05,
                        .top = 0.05,
                        .closed_bottom = true,
                        .closed_top = true},
                 {{}, lying}, turning);
  RandomStream random{9, 0};
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -2; k <= 2; ++k) {
        const Quaternion turn = normalised({random.normal(), random.normal(), random.normal(), 1});
        world.box({0.03 * i, 0.03 * j, 0.026 * k}, {0.02, 0.014, 0.01}, turn).velocity =
            0.3 * Vec3{random.uniform(-1, 1), 0, random.uniform(-1, 1)};
      }
  return world;
}

TEST(BoxesInADrum, DoNotLeaveItAndGiveTheSameBitsWithAnyThreadsAndAfterARestart) {
  const World world = turning_drum();
  Simulation one = world.simulation(1), two = world.simulation(2);
  for (int k = 0; k < 400; ++k) {
    one.step();
    two.step();
  }
  EXPECT_EQ(state_hash(one.state()), state_hash(two.state()));
  Simulation again(world.model, two.state(), 2, InstructionSet::scalar);
  for (int k = 0; k < 50; ++k) {
    one.step();
    again.step();
  }
  EXPECT_EQ(state_hash(one.state()), state_hash(again.state()));
  for (const Vec3& x : one.state().bodies.position) {
    ASSERT_LT(std::hypot(x.x, x.z), 0.096);
    EXPECT_LT(std::abs(x.y), 0.0455);
  }
}

TEST(SharpBodies, DoNotFallThroughTheTipOfAClosedHopper) {
  RandomStream random{78, 0};
  for (int k = 0; k < 30; ++k) {
    const double top = random.uniform(0.2, 1.5), angle = random.uniform(0, 6), aside = 0.05 * top;
    World world(coulomb(0.3), 1e-3);
    world.obstacle(Hollow{.bottom_radius = 0, .top_radius = top, .bottom = 0, .top = 1}, {});
    const Pose pose{
        {aside * std::cos(angle), aside * std::sin(angle), 0.6},
        normalised({random.normal(), random.normal(), random.normal(), random.normal()})};
    const double wide = random.uniform(0.02, 0.1), half = random.uniform(0.05, 0.15);
    if (k % 3 == 0)
      world.solid(Frustum{wide, 0, 0, 2 * half}, pose);
    else if (k % 3 == 1)
      world.solid(Superellipsoid{{0.3 * wide, wide, half}}, pose);
    else
      world.box(pose.position, {wide, wide, 2 * half}, pose.orientation);
    Simulation simulation = world.simulation();
    run_until(simulation, 0.7);
    const Vec3& x = simulation.state().bodies.position[0];
    EXPECT_LT(std::hypot(x.x, x.y), top * x.z) << k;
  }
}

/// Of `sides` triangles that meet in the origin, from z = 0 to 1.
TriangleSoup pyramid_soup(std::uint32_t sides, double top, double turn) {
  TriangleSoup soup;
  soup.vertices.push_back({});
  for (std::uint32_t k = 0; k < sides; ++k) {
    const double angle = turn + 2 * std::numbers::pi * k / sides;
    soup.vertices.push_back({top * std::cos(angle), top * std::sin(angle), 1});
    soup.triangles.push_back({0, 1 + k, 1 + (k + 1) % sides});
  }
  return soup;
}

TEST(SharpBodies, DoNotFallThroughTheCornersOfAHopperOfTriangles) {
  const std::vector<Vec3> spike{
      {0, 0, -0.1}, {0.1, 0, 0.1}, {-0.05, 0.08, 0.1}, {-0.05, -0.08, 0.1}};
  RandomStream random{79, 0};
  for (int k = 0; k < 24; ++k) {
    World world(coulomb(0.3), 1e-3);
    const std::uint32_t sides = 3 + k % 3;
    const double top = k == 0 ? 1 : k == 1 ? 0.3 : random.uniform(0.4, 1.2);
    const TriangleSoup soup = pyramid_soup(k < 2 ? 3 : sides, top, 0.1);
    add_mesh(world, soup, Sides::two);
    const Quaternion turn =
        normalised({random.normal(), random.normal(), random.normal(), random.normal()});
    if (k == 0)
      world.solid(
          Frustum{0.1, 0, 0, 0.3},
          {{0.0286, 0.0286, 0.7}, normalised({-0.15330728, 1.44263119, 0.46192165, -0.72452157})});
    else if (k == 1)
      world.polyhedron(spike, {{0.014778792, -0.001476801, 0.7},
                               normalised({0.48466488, -0.70149553, -0.93058888, 0.48127449})});
    else if (k % 2 == 0)
      world.solid(Frustum{0.07, 0, -0.1, 0.15}, {{0.01, 0.02, 0.7}, turn});
    else
      world.polyhedron(spike, {{0.01, 0.02, 0.7}, turn});
    Simulation simulation = world.simulation();
    run_until(simulation, 1);
    const Vec3& x = simulation.state().bodies.position[0];
    for (std::size_t f = 0; f < soup.triangles.size(); ++f) {
      const Vec3 &p = soup.vertices[soup.triangles[f][1]], &q = soup.vertices[soup.triangles[f][2]];
      EXPECT_GT(dot(cross(p, q), x), 0) << k;
    }
  }
}

TEST(Plate, RestsOnTheTipOfACone) {
  World world(coulomb(0.3), 1e-3);
  world.obstacle(Hollow{.bottom_radius = 0.6, .top_radius = 0, .bottom = 0, .top = 0.8}, {});
  world.box({0, 0, 0.83}, {0.6, 0.6, 0.02});
  Simulation simulation = world.simulation();
  run_until(simulation, 1);
  EXPECT_NEAR(simulation.state().bodies.position[0].z, 0.81, 1e-9);
}

TEST(Plug, RestsInARoundHoleWithoutPushingItAside) {
  for (const bool round : {false, true}) {
    World world(coulomb(0.3), 1e-3);
    world.obstacle(Hollow{.bottom_radius = 0.1, .top_radius = 0.1, .bottom = 0, .top = 1}, {});
    if (round)
      world.solid(Superellipsoid{{0.15, 0.15, 0.1}}, {{0, 0, 1.08}, {}});
    else
      world.solid(Frustum{0.2, 0, 0, 0.3}, {{0, 0, 1.155}, {0, 1, 0, 0}});
    Simulation simulation = world.simulation();
    run_until(simulation, 1);
    const double of_step = kGravity * simulation.state().bodies.mass[0] * 1e-3;
    for (int k = 0; k < 5; ++k) {
      const Vec3 before = simulation.state().obstacle_loads[0].impulse;
      simulation.step();
      const Vec3 push = simulation.state().obstacle_loads[0].impulse - before;
      EXPECT_NEAR(norm(push - Vec3{0, 0, -of_step}), 0, 1e-6 * of_step) << round;
    }
    EXPECT_LT(norm(simulation.state().bodies.velocity[0]), 1e-8);
  }
}

TEST(FastBodies, DoNotGoThroughAThinSurface) {
  const Shape shapes[] = {Box{{0.005, 0.005, 0.1}}, Superellipsoid{{0.01, 0.01, 0.1}},
                          Superellipsoid{{0.1, 0.1, 0.01}, 2, 6}, Frustum{0.01, 0, -0.1, 0.1}};
  RandomStream random{77, 0};
  for (int k = 0; k < 320; ++k) {
    World world(coulomb(0.3), 1e-3);
    world.model.gravity = {};
    if (k % 3 == 0)
      add_mesh(world, square_soup(2, 6), Sides::two);
    else if (k % 3 == 1)
      add_mesh(world, box_soup({2, 2, 0.002}, 3), Sides::one);
    else
      world.obstacle(Hollow{.bottom_radius = 2, .top_radius = 2, .bottom = -2, .top = 2},
                     {{0, 0, -2}, rotation_between({0, 0, 1}, Vec3{0, 1, 0})});
    const Quaternion turn =
        normalised({random.normal(), random.normal(), random.normal(), random.normal()});
    Body& body = world.solid(shapes[k % 4], {{0, 0, 0.15 + 0.05 * random.uniform(0, 1)}, turn});
    body.velocity = {10 * random.uniform(-1, 1), 10 * random.uniform(-1, 1), -50};
    const Vec3 axis{random.normal(), random.normal(), random.normal()};
    body.angular_velocity = (k % 8 < 4 ? 1000 : 0) / norm(axis) * axis;
    Simulation simulation = world.simulation();
    for (int step = 0; step < 12; ++step) {
      simulation.step();
      const Vec3& x = simulation.state().bodies.position[0];
      const double above = k % 3 == 2 ? std::hypot(x.x, x.z + 2) - 2 : x.z;
      EXPECT_GT(above, 0) << k << " after step " << step;
    }
  }
}

}  // namespace
}  // namespace scree
