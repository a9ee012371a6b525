/// Worlds that repeat: whoever looks at a pair must ask the domain, or bodies whole periods apart
/// would not meet.
#include "scree/geometry/domain.hpp"

#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "scree/math/random.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

TEST(TwoSpheres, CollideAcrossTheBorderAsInTheMiddle) {
  for (const double middle : {0.5, 0.0, 1.0, -7.0}) {
    World world(coulomb(0.3, 0.8), 1e-3);
    world.model.gravity = {};
    world.model.domain = Domain(Vec3{1, 0, 0});
    world.sphere({middle - 0.11, 0, 0}, 0.1, {1, 0.1, 0});
    // Of the image three periods away.
    world.sphere({middle + 0.11 + 3, 0.02, 0}, 0.1, {-1, 0, 0}, {0, 0, 5});
    Simulation simulation = world.simulation();
    for (int k = 0; k < 30; ++k) simulation.step();
    const Body a = body_of(simulation, 0), b = body_of(simulation, 1);
    EXPECT_LT(a.velocity.x, -0.5) << "it has rebounded";

    world.model.domain = {};
    world.bodies[0].position.x = 0.5 - 0.11;
    world.bodies[1].position.x = 0.5 + 0.11;
    Simulation without = world.simulation();
    for (int k = 0; k < 30; ++k) without.step();
    for (const std::uint64_t id : {0, 1}) {
      const Body here = body_of(simulation, id), there = body_of(without, id);
      EXPECT_NEAR(norm(here.velocity - there.velocity), 0, 1e-12);
      EXPECT_NEAR(norm(here.angular_velocity - there.angular_velocity), 0, 1e-11);
    }
    EXPECT_NEAR(norm(b.position - a.position -
                     (body_of(without, 1).position - body_of(without, 0).position) - Vec3{3, 0, 0}),
                0, 1e-12);
  }
}

/// Spheres and boxes that fall onto each other, onto a floor without end, and onto a ball and a
/// turning block that stand on the border.
World heap_that_repeats() {
  World world(coulomb(0.4), 1e-3);
  const double period = 0.11;
  world.model.solver.tolerance = 1e-12;
  world.model.solver.max_sweeps = 3000;
  world.model.domain = Domain(Vec3{period, 1.25 * period, 0});
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.obstacle(Sphere{0.012}, {{0.001, 0.05, 0.008}, {}});
  world.obstacle(Box{{0.012, 0.02, 0.004}}, {{0.06, 0.001, 0.004}, {}}, [](double) {
    return Twist{{}, {0, 0, 2}};
  });
  RandomStream random{5, 0};
  const auto jitter = [&] { return random.uniform(-1, 1); };
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 6; ++y)
      for (int z = 0; z < 2; ++z) {
        const Vec3 at{0.022 * (x + 0.5), 0.0225 * (y + 0.5), 0.034 + 0.022 * z};
        if ((x + y + z) % 3 == 0)
          world.box(at, {0.012, 0.013, 0.011}, normalised({1, 0.3 * jitter(), jitter(), jitter()}));
        else
          world.sphere(at, 0.0095);
        world.bodies.back().velocity = 0.3 * Vec3{jitter(), jitter(), -2 + jitter()};
      }
  return world;
}

/// Runs both for a while and expects the same of both, but for where images stand.
void expect_the_same(const World& one, const World& other) {
  Simulation a = one.simulation(), b = other.simulation();
  for (int k = 0; k < 50; ++k) {
    a.step();
    b.step();
  }
  const std::vector<ContactRecord> contacts = a.contacts(), others = b.contacts();
  ASSERT_EQ(contacts.size(), others.size());
  ASSERT_GT(contacts.size(), 60u);
  EXPECT_TRUE(a.report().converged);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    ASSERT_EQ(contacts[k].a, others[k].a);
    ASSERT_EQ(contacts[k].b, others[k].b);
    EXPECT_NEAR(contacts[k].gap, others[k].gap, 1e-8);
    EXPECT_NEAR(norm(contacts[k].normal - others[k].normal), 0, 1e-5);
  }
  const Domain& domain = one.model.domain;
  for (std::size_t i = 0; i < one.bodies.size(); ++i) {
    const BodyId id = one.bodies[i].id;
    const Vec3 was = one.bodies[i].position, now = a.body(id).position;
    const Vec3 other_was = other.bodies[i].position, other_now = b.body(id).position;
    EXPECT_NEAR(norm((now - was) - (other_now - other_was)), 0, 1e-8) << "body " << i;
    EXPECT_NEAR(norm(a.body(id).velocity - b.body(id).velocity), 0, 1e-6);
    const Wrench on = a.contact_force(id), other_on = b.contact_force(id);
    const double scale = 1e-6 * (norm(on.force) + 1e-3);
    EXPECT_NEAR(norm(on.force - other_on.force), 0, 1e3 * scale);
    EXPECT_NEAR(norm(on.torque - other_on.torque), 0, 10 * scale);
  }
  for (const std::uint32_t obstacle : {1, 2}) {
    const Wrench on = a.contact_force_on_obstacle(obstacle),
                 other_on = b.contact_force_on_obstacle(obstacle);
    EXPECT_GT(norm(on.force), 0);
    EXPECT_NEAR(norm(on.torque - other_on.torque), 0, 1e-5 * (norm(on.torque) + 1e-5));
  }
  EXPECT_EQ(domain.period(), other.model.domain.period());
}

TEST(AWorldThatRepeats, IsTheSameWhicheverImagesItsBodiesAre) {
  const World world = heap_that_repeats();
  World other = world;
  const Vec3 period = world.model.domain.period();
  RandomStream random{6, 0};
  const auto away = [&] { return std::floor(random.uniform(-3, 4)); };
  for (Body& body : other.bodies) body.position += {away() * period.x, away() * period.y, 0};
  for (Obstacle& obstacle : other.model.obstacles)
    obstacle.pose.position += {away() * period.x, away() * period.y, 0};
  expect_the_same(world, other);
}

TEST(AWorldThatRepeats, IsTheSameWhereverItsBordersAre) {
  const World world = heap_that_repeats();
  World other = world;
  const Vec3 shift{0.043, -0.071, 0};
  for (Body& body : other.bodies) body.position += shift;
  for (Obstacle& obstacle : other.model.obstacles) obstacle.pose.position += shift;
  expect_the_same(world, other);
}

TEST(AWorldThatRepeats, RefusesWhatDoesNot) {
  World world = heap_that_repeats();
  world.half_space({0, 0, 0}, {1, 0, 1});
  EXPECT_THROW((void)world.simulation(), InputError);
  world = heap_that_repeats();
  world.model.outflows.push_back({"hole", {0, 0, -1}, {0.1, 0.1, 0}});
  EXPECT_THROW((void)world.simulation(), InputError);
  world = heap_that_repeats();
  world.sphere({0, 0, 1}, 0.03);
  EXPECT_THROW((void)world.simulation(), InputError);
  world = heap_that_repeats();
  world.model.domain = Domain(Vec3{-1, 0, 0});
  EXPECT_THROW((void)world.simulation(), InputError);
}

}  // namespace
}  // namespace scree
