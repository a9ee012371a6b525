/// Obstacles of one form by two descriptions carry bodies alike.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

const Quaternion kSolidTilt = rotation({0, 1, 0}, 0.3);

/// A box and a ball that are let go a little above an obstacle's upper side, z = `top`.
Simulation let_go(const Shape& obstacle, const Pose& pose, double top) {
  World world(coulomb(0.2), 1e-3);
  world.obstacle(obstacle, pose);
  world.box(pose.position + rotate(pose.orientation, {-0.1, 0, top + 0.051}), {0.2, 0.15, 0.1},
            pose.orientation * rotation({0, 0, 1}, 0.4));
  world.sphere(pose.position + rotate(pose.orientation, {0.15, 0.02, top + 0.041}), 0.04);
  return world.simulation();
}

void expect_alike(Simulation one, Simulation other, double time, double within) {
  run_until(one, time);
  run_until(other, time);
  for (const std::uint64_t id : {0U, 1U}) {
    const Body a = body_of(one, id), b = body_of(other, id);
    EXPECT_NEAR(norm(a.position - b.position), 0, within);
    EXPECT_NEAR(norm(a.velocity - b.velocity), 0, 100 * within);
    EXPECT_GT(norm(a.velocity), 0.05) << "it slides or rolls";
  }
}

TEST(APolyhedron, CarriesBodiesAsTheBoxDoesThatItIs) {
  std::vector<Vec3> corners;
  for (int v = 0; v < 8; ++v)
    corners.push_back({v & 1 ? 1.0 : -1.0, v & 2 ? 0.5 : -0.5, v & 4 ? 0.2 : -0.2});
  const PlacedHull hull = convex_hull(corners);
  const Pose pose{{1, 2, 3}, kSolidTilt};
  const Pose of_hull{pose.position + rotate(kSolidTilt, hull.pose.position),
                     kSolidTilt * hull.pose.orientation};
  expect_alike(let_go(Box{{1, 0.5, 0.2}}, pose, 0.2),
               let_go(Polyhedron{hull.hull.get(), hull.size}, of_hull, 0.2), 0.3, 1e-9);
}

TEST(AFrustumOfOneRadius, CarriesBodiesAsTheCylinderDoes) {
  const Pose pose{{1, 2, 3}, kSolidTilt};
  expect_alike(let_go(Cylinder{1, 0.2}, pose, 0.2), let_go(Frustum{1, 1, -0.2, 0.2}, pose, 0.2),
               0.3, 1e-9);
}

TEST(APart, HasItsTorqueAboutItsPivot) {
  World world(coulomb(0.5), 1e-3);
  const Pose pose{{0.3, 0.1, -0.05}, rotation({0, 0, 1}, 0.7)};
  world.obstacle(Box{{1, 1, 0.05}}, pose);
  const Vec3 pivot{0.2, -0.1, 0.3};
  world.model.obstacles[0].pivot = rotate_back(pose.orientation, pivot - pose.position);
  const double weight = world.sphere({0.5, 0.4, 0.1}, 0.1).mass * kGravity;
  Simulation simulation = world.simulation();
  run_until(simulation, 0.1);
  const Vec3 expected = cross(Vec3{0.5, 0.4, 0} - pivot, {0, 0, -weight});
  EXPECT_NEAR(norm(simulation.contact_force_on_obstacle(0).torque - expected), 0, 1e-9 * weight);
}

TEST(AFrustum, HasTheCurvatureOfItsSideForHertz) {
  // R* of a ball of radius r on a cone: 1 / sqrt((1/r + cos(a)/d) / r), d from the axis. At rest on
  // a side that is level the spring holds the weight: F = 4/3 E* sqrt(R*) depth^(3/2).
  const PairLaw law{LawKind::hertz_mindlin, 0.5, 0.5};
  const auto depth_on = [&](const Shape& shape, double tilt, double below) {
    World world(law, 2e-6);
    world.model.materials[0].moduli = {1e7, 0.3};
    world.model.step.local_damping = 0.5;
    world.obstacle(shape, {{}, rotation({0, 1, 0}, std::numbers::pi / 2 - tilt)});
    world.sphere({0, 0, below + 0.01 - 2e-6}, 0.01);
    Simulation simulation = world.simulation();
    run_until(simulation, 0.05);
    return below + 0.01 - body_of(simulation, 0).position.z;
  };
  const double mass = 1000 * 4 * std::numbers::pi / 3 * 1e-6, weight = mass * kGravity,
               modulus = 1e7 / (2 * (1 - 0.09));
  const auto expected = [&](double curvature) {
    const double radius = 1 / std::sqrt((100 + curvature) * 100);
    return std::pow(0.75 * weight / (modulus * std::sqrt(radius)), 2.0 / 3);
  };
  EXPECT_NEAR(depth_on(Frustum{0.02, 0.02, -0.1, 0.1}, 0, 0.02) / expected(50), 1, 1e-3);
  EXPECT_NEAR(depth_on(Cylinder{0.02, 0.1}, 0, 0.02) / expected(50), 1, 1e-3);
  // The axis tilted by the half angle: the side is level, and `below` is its height.
  const double slope = std::atan(0.01 / 0.2), cosine = std::cos(slope);
  EXPECT_NEAR(depth_on(Frustum{0.025, 0.015, -0.1, 0.1}, slope, 0.02 * cosine) /
                  expected(cosine / (0.02 * cosine * cosine)),
              1, 1e-3);
}

TEST(ASuperellipsoid, IsRefusedToHertz) {
  World world(PairLaw{LawKind::hertz_mindlin, 0.5}, 1e-5);
  world.model.materials[0].moduli = {1e7, 0.3};
  world.obstacle(Superellipsoid{{0.5, 0.4, 0.3}}, {});
  world.sphere({0, 0, 1}, 0.1);
  EXPECT_THROW(world.simulation(), InputError);
}

TEST(ASuperellipsoidOfOneRadius, CarriesABallAsTheSphereDoes) {
  const auto ball_on = [](const Shape& shape) {
    World world(coulomb(0.5), 1e-3);
    world.obstacle(shape, {{}, kSolidTilt});
    world.sphere({0.05, 0.02, 0.6}, 0.1);
    Simulation simulation = world.simulation();
    run_until(simulation, 0.3);
    return body_of(simulation, 0);
  };
  const Body on_sphere = ball_on(Sphere{0.5}), on_other = ball_on(Superellipsoid{{0.5, 0.5, 0.5}});
  EXPECT_NEAR(norm(on_sphere.position - on_other.position), 0, 1e-9);
  EXPECT_GT(norm(on_sphere.velocity), 0.05);
}

/// Long, flat and sharp bodies at 50 m/s, that turn or do not, onto a wall of 1 mm.
TEST(FastBodies, DoNotGoThroughThinWallsByTheirMiddles) {
  const Shape shapes[] = {
      Superellipsoid{{0.01, 0.01, 0.2}},       Superellipsoid{{0.01, 0.01, 0.2}, 2, 6},
      Superellipsoid{{0.01, 0.02, 0.2}, 6, 2}, Superellipsoid{{0.2, 0.2, 0.01}},
      Superellipsoid{{0.03, 0.02, 0.01}},      Frustum{0.01, 0, -0.2, 0.2}};
  const Shape plates[] = {Box{{2, 2, 0.0005}}, Cylinder{2, 0.0005}};
  RandomStream random{79, 0};
  for (int k = 0; k < 360; ++k) {
    World world(coulomb(0.3), 1e-3);
    world.model.gravity = {};
    const int wall = k / 6 % 4;
    const double climb = wall == 2 ? 10 : 0;
    const auto climbing = [climb](double) { return Twist{{0, 0, climb}, {}}; };
    Body& body = world.solid(shapes[k % 6],
                             {{0, 0, 0.25 + 0.05 * random.uniform(0, 1)},
                              normalised({random.normal(), random.normal(), random.normal(), 1})});
    body.velocity = {10 * random.uniform(-1, 1), 10 * random.uniform(-1, 1), -50};
    const Vec3 axis{random.normal(), random.normal(), random.normal()};
    body.angular_velocity = (k % 4 < 2 ? 0 : 1000) / norm(axis) * axis;
    if (wall == 3)
      world.solid(plates[0], {});
    else
      world.obstacle(plates[wall % 2], {}, climbing);
    Simulation simulation = world.simulation();
    for (int step = 0; step < 12; ++step) {
      simulation.step();
      const Pose plate =
          wall == 3 ? Pose{body_of(simulation, 1).position, body_of(simulation, 1).orientation}
                    : simulation.state().obstacles[0].pose;
      const Vec3 above = body_of(simulation, 0).position - plate.position;
      EXPECT_GT(dot(above, rotate(plate.orientation, {0, 0, 1})), 0) << k << " step " << step;
    }
  }
}

TEST(FastBodies, PassBesideAThinWallWithoutBeingStopped) {
  World world(coulomb(0.3), 1e-3);
  world.model.gravity = {};
  world.obstacle(Box{{0.1, 2, 0.0005}}, {});
  const Vec3 velocity{10, 0, -50};
  Body& body = world.solid(Superellipsoid{{0.02, 0.03, 0.02}}, {{0.075, 0, 0.3}, {}});
  body.velocity = velocity;
  Simulation simulation = world.simulation();
  run_until(simulation, 12e-3);
  EXPECT_EQ(simulation.state().bodies.velocity[0], velocity);
  EXPECT_LT(simulation.state().bodies.position[0].z, -0.2);
}

}  // namespace
}  // namespace scree
