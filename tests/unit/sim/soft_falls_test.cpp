// Bodies that come down almost flat on springs, elastic and without friction.
#include <functional>
#include <gtest/gtest.h>

#include "support/impacts.hpp"
#include "support/poured_solids.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kFloorStiffness = 1e4;  ///< [N/m]

std::vector<Vec3> prism(int corners) {
  std::vector<Vec3> points;
  for (int k = 0; k < corners; ++k)
    for (const double z : {-0.004, 0.004}) {
      const double turn = 2 * std::numbers::pi * k / corners;
      points.push_back({0.005 * std::cos(turn), 0.005 * std::sin(turn), z});
    }
  return points;
}

enum class Floor { plane, box, cylinder, free_box };
using AddBody = std::function<Body&(World&, const Quaternion&)>;

/// What a body that falls at 0.1 m/s on a floor gains of its energy, tilted about an axis that is
/// level.
double gain(const AddBody& add, Floor floor, double tilt, double azimuth, double steps) {
  World world(linear_law(kFloorStiffness, 3e3, 0, 1), 1);
  world.model.gravity = {};
  const Pose below{{0, 0, -0.01}, {}};
  if (floor == Floor::plane) world.half_space({}, {0, 0, 1});
  if (floor == Floor::box) world.obstacle(Box{{0.03, 0.03, 0.01}}, below);
  if (floor == Floor::cylinder) world.obstacle(Cylinder{0.03, 0.01}, below);
  if (floor == Floor::free_box) world.box(below.position, {0.06, 0.06, 0.02});
  const Quaternion turn = rotation(Vec3{std::cos(azimuth), std::sin(azimuth), 0}, tilt);
  Body& body = add(world, turn);
  const Prototype& prototype = world.model.prototypes[body.prototype];
  const Shape shape = scaled(prototype.shape, body.radius);
  const double reach = support(shape, {body.position, body.orientation}, {0, 0, -1});
  body.position.z = reach + 1e-5;
  body.velocity = {0, 0, -0.1};
  const double other = floor == Floor::free_box ? world.bodies.front().mass : 0;
  const double mass = other > 0 ? 1 / (1 / world.bodies.back().mass + 1 / other) : body.mass;
  const double contact = std::numbers::pi * std::sqrt(mass / kFloorStiffness);
  world.model.step.h = contact / steps;
  Simulation simulation = world.simulation();
  const double before = simulation.step().kinetic_energy;
  run_until(simulation, 8 * contact);
  EXPECT_EQ(simulation.contact_count(), 0u);
  return simulation.report().kinetic_energy / before - 1;
}

struct Falling {
  const char* name;
  AddBody add;
};
const Falling kFalling[] = {
    {"cylinder",
     [](World& w, const Quaternion& q) -> Body& {
       return w.solid(Cylinder{0.005, 0.004}, {{}, q});
     }},
    {"frustum",
     [](World& w, const Quaternion& q) -> Body& {
       return w.solid(Frustum{0.005, 0.003, -0.004, 0.004}, {{}, q});
     }},
    {"cone",
     [](World& w, const Quaternion& q) -> Body& {
       return w.solid(Frustum{0.005, 0, -0.003, 0.006}, {{}, q});
     }},
    {"prism",
     [](World& w, const Quaternion& q) -> Body& {
       return w.polyhedron(prism(6), {{}, q});
     }},
    {"box",
     [](World& w, const Quaternion& q) -> Body& {
       return w.solid(Box{{0.005, 0.004, 0.003}}, {{}, q});
     }},
};

TEST(SoftFalls, AlmostFlatKeepTheirEnergyToTheErrorOfTheStep) {
  for (const Falling& falling : kFalling)
    for (const Floor floor : {Floor::plane, Floor::box, Floor::cylinder, Floor::free_box})
      for (const double tilt : {1e-3, 1e-2})
        for (const double azimuth : {0.3, 2.2}) {
          SCOPED_TRACE(testing::Message() << falling.name << " on " << static_cast<int>(floor)
                                          << ", " << tilt << " about " << azimuth);
          // At a fiftieth of the contact; the error is of second order.
          EXPECT_LT(std::abs(gain(falling.add, floor, tilt, azimuth, 50)), 2e-3);
          EXPECT_LT(std::abs(gain(falling.add, floor, tilt, azimuth, 400)), 5e-5);
        }
}

TEST(SoftFalls, FlatLeaveWithTheRestitutionAskedForOnFacesOfAnySize) {
  constexpr double e = 0.5, speed = 0.1;
  for (const int corners : {5, 8, 12})
    for (const double half_width : {0.003, 0.03}) {
      World world(linear_law(kFloorStiffness, 3e3, 0, e), 1);
      world.model.gravity = {};
      world.obstacle(Box{{half_width, half_width, 0.01}}, {{0, 0, -0.01}, {}});
      Body& body = world.polyhedron(prism(corners), {{0, 0, 0.004 + 1e-6}, {}});
      body.velocity = {0, 0, -speed};
      const double contact = std::numbers::pi * std::sqrt(body.mass / kFloorStiffness);
      world.model.step.h = contact / 400;
      Simulation simulation = world.simulation();
      run_until(simulation, 3 * contact);
      EXPECT_NEAR(body_of(simulation, 0).velocity.z, e * speed, 0.01 * speed)
          << corners << " corners on " << half_width;
    }
}

TEST(SoftFalls, LyingOnTwoOrThreePointsLeaveWithTheRestitutionAskedFor) {
  const Quaternion on_its_side = rotation(Vec3{1, 0, 0}, std::numbers::pi / 2);
  const double height = 0.01;  // of a regular tetrahedron, on its face
  const double side = height / std::sqrt(2.0 / 3), out = side / std::sqrt(3.0);
  const std::vector<Vec3> tetrahedron{{out, 0, -height / 4},
                                      {-out / 2, side / 2, -height / 4},
                                      {-out / 2, -side / 2, -height / 4},
                                      {0, 0, 0.75 * height}};
  for (const double e : {0.2, 0.6})
    for (const int shape : {0, 1, 2}) {
      World world(linear_law(kFloorStiffness, 3e3, 0, e), 1);
      world.model.gravity = {};
      world.half_space({}, {0, 0, 1});
      Body& body = shape == 0   ? world.solid(Cylinder{0.005, 0.01}, {{0, 0, 0.005}, on_its_side})
                   : shape == 1 ? world.solid(Capsule{0.005, 0.01}, {{0, 0, 0.005}, on_its_side})
                                : world.polyhedron(tetrahedron, {{0, 0, height / 4}, {}});
      body.position.z += 1e-6;
      body.velocity = {0, 0, -0.1};
      const double contact = std::numbers::pi * std::sqrt(body.mass / kFloorStiffness);
      world.model.step.h = contact / 400;
      Simulation simulation = world.simulation();
      run_until(simulation, 4 * contact);
      EXPECT_NEAR(body_of(simulation, 0).velocity.z, 0.1 * e, 0.01 * 0.1)
          << "shape " << shape << ", e = " << e;
    }
}

/// Two bodies that meet anyhow, elastic and without friction: edges, corners and sides that hang
/// over each other, whose points jump.
World random_meeting(RandomStream& random, int trial) {
  std::vector<Vec3> hull;
  for (int k = 0; k < 12; ++k) hull.push_back(rotate(random_orientation(random), {0, 0, 0.006}));
  World world(linear_law(kFloorStiffness, 5e3, 0, 1), 2500);
  world.model.gravity = {};
  const auto add = [&](int shape, const Vec3& at) -> Body& {
    const Pose pose{at, random_orientation(random)};
    if (shape == 0) return world.solid(Cylinder{0.005, 0.005}, pose);
    if (shape == 1) return world.polyhedron(hull, pose);
    return world.solid(Box{{0.005, 0.004, 0.006}}, pose);
  };
  const double mass = add(trial % 3, {}).mass;
  Body& above =
      add(trial / 3 % 3, {random.uniform(-0.004, 0.004), random.uniform(-0.004, 0.004), 0.018});
  above.velocity = {0, 0, -0.2};
  world.model.step.h = 0.02 * std::numbers::pi *
                       std::sqrt(mass * above.mass / (mass + above.mass) / kFloorStiffness);
  return world;
}

double gain_until_apart(const World& world) {
  Simulation simulation = world.simulation();
  const double before = simulation.step().kinetic_energy;
  run_until(simulation, 0.12);
  EXPECT_EQ(simulation.contact_count(), 0u);
  return simulation.report().kinetic_energy / before - 1;
}

TEST(SoftFalls, OfRandomShapesOnEachOtherMakeNoMoreEnergyThanTheErrorOfTheStep) {
  RandomStream random{7, 0};
  for (int trial = 0; trial < 90; ++trial) {
    World world = random_meeting(random, trial);
    const double gain = gain_until_apart(world);
    EXPECT_LT(gain, 5e-3) << trial;
    EXPECT_GT(gain, -0.15) << trial;
    if (gain < 1e-3) continue;
    world.model.step.h /= 16;
    EXPECT_LT(gain_until_apart(world), gain / 8) << trial;
  }
}

}  // namespace
}  // namespace scree
