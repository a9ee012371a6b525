/// Cells that repeat along all axes: nothing may depend on where their borders are laid.
#include "scree/sim/periodic_cell.hpp"

#include <gtest/gtest.h>
#include <numeric>

#include "scree/analysis/contact_stress.hpp"
#include "scree/analysis/images.hpp"
#include "scree/analysis/pair_distribution.hpp"
#include "scree/analysis/solid_fraction.hpp"
#include "scree/core/error.hpp"
#include "scree/math/random.hpp"
#include "support/impacts.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double kPeriodicRadius = 0.01;

/// Spheres on a jittered lattice that overlap nothing and fly about, in a cell of n × n × n of
/// them.
World gas(int n, const PairLaw& law, double h, double spacing = 2.2 * kPeriodicRadius) {
  World world(law, h);
  world.model.gravity = {};
  const double period = n * spacing;
  world.model.domain = Domain(Vec3{period, period, period});
  world.model.solver.tolerance = 1e-13;
  world.model.solver.max_sweeps = 5000;
  RandomStream random{11, 0};
  const auto jitter = [&] { return random.uniform(-1, 1); };
  Vec3 sum;
  for (int k = 0; k < n * n * n; ++k) {
    const Vec3 at{k % n + 0.5, k / n % n + 0.5, k / n / n + 0.5};
    world.sphere(spacing * at + 0.05 * kPeriodicRadius * Vec3{jitter(), jitter(), jitter()},
                 kPeriodicRadius, Vec3{jitter(), jitter(), jitter()});
    sum += world.bodies.back().velocity;
  }
  for (Body& body : world.bodies) body.velocity = body.velocity - sum / double(n * n * n);
  return world;
}

Vec3 momentum(const Simulation& simulation) {
  const Bodies& bodies = simulation.state().bodies;
  Vec3 sum;
  for (std::size_t i = 0; i < bodies.size(); ++i) sum += bodies.mass[i] * bodies.velocity[i];
  return sum;
}

double momentum_scale(const Simulation& simulation) {
  const Bodies& bodies = simulation.state().bodies;
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) sum += bodies.mass[i] * norm(bodies.velocity[i]);
  return sum;
}

TEST(ABallInACell, HitsAnotherOrIsToldHoweverFarItMovesInAStep) {
  const double period = 1, radius = 0.1;
  for (const bool held : {false, true})
    for (double part = 0.05; part < 1.5; part += 0.07)
      for (double start = 0.25; start < 0.75; start += 0.03) {
        World world(coulomb(0), 1e-3);
        world.model.gravity = {};
        world.model.domain = Domain({period, period, period});
        if (held) world.obstacle(Sphere{radius}, {{0, 0.5, 0.5}, {}});
        if (!held) world.sphere({0, 0.5, 0.5}, radius);
        world.sphere({start, 0.5, 0.5}, radius, {part * period / world.model.step.h, 0, 0});
        const BodyId moving = world.bodies.back().id;
        const double speed = world.bodies.back().velocity.x;
        Simulation simulation = world.simulation();
        // Two periods
        double told = 0;
        for (double way = 0; way < 2; way += part)
          told += simulation.step()["contacts_left_out"].value;
        EXPECT_TRUE(told > 0 || simulation.body(moving).velocity.x < 0.9 * speed)
            << held << ": " << part << ", " << start;
        // Nothing is told where no image is passed.
        if (part < period / 2 - 2 * radius) EXPECT_EQ(told, 0) << part << ", " << start;
      }
}

const PairLaw kPeriodicLaw = linear_law(2000, 500, 0.4, 0.7);

TEST(AGasInACell, KeepsItsMomentumAndBooksItsEnergy) {
  for (const bool soft : {true, false}) {
    Simulation simulation =
        gas(5, soft ? kPeriodicLaw : coulomb(0.4, 0.7), soft ? 1e-5 : 1e-4).simulation();
    const double before = total_energy(simulation.report()), scale = momentum_scale(simulation);
    std::size_t hits = 0;
    for (int k = 0; k < 400; ++k) hits += simulation.step().contacts_loaded;
    EXPECT_GT(hits, 100u);
    EXPECT_LT(norm(momentum(simulation)), 1e-12 * scale);
    EXPECT_NEAR(total_energy(simulation.report()), before, (soft ? 2e-3 : 1e-9) * before);
    EXPECT_EQ(simulation.report().wall_work, 0);
  }
}

TEST(AGasInACell, FliesTheSameWhereverItsBordersAre) {
  for (const bool soft : {true, false}) {
    const World world = gas(4, soft ? kPeriodicLaw : coulomb(0.4, 0.7), soft ? 1e-5 : 1e-4);
    World other = world;
    RandomStream random{7, 0};
    const double period = world.model.domain.period().x;
    const Vec3 shift{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    for (Body& body : other.bodies)
      body.position += shift + period * Vec3{std::floor(random.uniform(-2, 3)),
                                             std::floor(random.uniform(-2, 3)), 0};
    Simulation a = world.simulation(), b = other.simulation();
    for (int k = 0; k < 150; ++k) {
      a.step();
      b.step();
    }
    EXPECT_GT(a.report().dissipated_energy, 0);
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      const BodyId id = world.bodies[i].id;
      const Vec3 way = a.body(id).position - world.bodies[i].position,
                 other_way = b.body(id).position - other.bodies[i].position;
      EXPECT_NEAR(norm(way - other_way), 0, 1e-9) << "body " << i;
      EXPECT_NEAR(norm(a.body(id).angular_velocity - b.body(id).angular_velocity), 0, 1e-5);
    }
  }
}

/// The same cell n times along each axis in `tiles`, as one cell.
World tiled(const World& world, const std::array<int, 3>& tiles) {
  World many = world;
  many.bodies.clear();
  many.state.next_id = 0;
  const Vec3 period = world.model.domain.period();
  many.model.domain = Domain(Vec3{tiles[0] * period.x, tiles[1] * period.y, tiles[2] * period.z});
  for (int x = 0; x < tiles[0]; ++x)
    for (int y = 0; y < tiles[1]; ++y)
      for (int z = 0; z < tiles[2]; ++z)
        for (Body body : world.bodies) {
          body.position += {x * period.x, y * period.y, z * period.z};
          body.id = {many.state.next_id++};
          many.bodies.push_back(body);
        }
  return many;
}

TEST(ACell, IsItsTilesInALargerOne) {
  for (const bool soft : {true, false}) {
    const World one = gas(4, soft ? kPeriodicLaw : coulomb(0.4, 0.7), soft ? 1e-5 : 1e-4);
    const World many = tiled(one, {2, 1, 3});
    Simulation a = one.simulation(), b = many.simulation();
    std::size_t loaded = 0, loaded_in_tiles = 0;
    for (int k = 0; k < 150; ++k) {
      loaded += a.step().contacts_loaded;
      loaded_in_tiles += b.step().contacts_loaded;
    }
    EXPECT_GT(loaded, 100u);
    EXPECT_EQ(6 * loaded, loaded_in_tiles);
    for (std::size_t i = 0; i < many.bodies.size(); ++i) {
      const BodyId id = many.bodies[i].id, of_one{id.value % one.bodies.size()};
      EXPECT_NEAR(norm((b.body(id).position - many.bodies[i].position) -
                       (a.body(of_one).position - one.bodies[of_one.value].position)),
                  0, 1e-9);
    }
  }
}

TEST(ACell, HasTheSameBitsOnAnyNumberOfThreadsAndFromAnyState) {
  for (const bool soft : {true, false}) {
    const World world = gas(12, soft ? kPeriodicLaw : coulomb(0.4, 0.7), soft ? 1e-5 : 1e-4);
    Simulation one = world.simulation(1), three = world.simulation(3),
               scalar = world.simulation(1, InstructionSet::scalar);
    for (int k = 0; k < 40; ++k) one.step(), three.step(), scalar.step();
    Simulation again(one.model(), one.state());
    for (int k = 0; k < 40; ++k) one.step(), three.step(), scalar.step(), again.step();
    EXPECT_EQ(state_hash(one.state()), state_hash(three.state()));
    EXPECT_EQ(state_hash(one.state()), state_hash(scalar.state()));
    EXPECT_EQ(state_hash(one.state()), state_hash(again.state()));
  }
}

TEST(AChute, LeadsBodiesOnThroughItsBorders) {
  // Free fall along an axis that repeats: displacements are those without a cell.
  World world(coulomb(0.3), 1e-3);
  world.model.domain = Domain(Vec3{0.1, 0, 0.1});
  world.sphere({0.05, 0, 0.05}, kPeriodicRadius, {1, 0, 0});
  Simulation simulation = world.simulation();
  for (int k = 0; k < 1000; ++k) simulation.step();
  const Body body = body_of(simulation, 0);
  EXPECT_NEAR(body.position.x, 1.05, 1e-12);
  EXPECT_NEAR(body.position.z, 0.05 - kGravity * 0.5 * 1.001, 1e-9);
  EXPECT_NEAR(total_energy(simulation.report()), body.mass * (0.5 + kGravity * 0.05),
              1e-9 * body.mass);
}

TEST(ALongBox, IsAFloorWithoutEnd) {
  // A ball rolls over the border of the cell, and over the end of where the box would be.
  World on_box(coulomb(0.5), 1e-3);
  on_box.model.domain = Domain(Vec3{0.1, 0.2, 0});
  World on_plane = on_box;
  on_box.obstacle(Box{{0.07, 0.15, 0.02}}, {{0.05, 0.1, -0.02}, {}});
  on_plane.half_space({0, 0, 0}, {0, 0, 1});
  for (World* world : {&on_box, &on_plane})
    world->sphere({0.05, 0.1, kPeriodicRadius}, kPeriodicRadius, {0.4, 0.3, 0}, {-30, 40, 0});
  Simulation a = on_box.simulation(), b = on_plane.simulation();
  for (int k = 0; k < 1000; ++k) {
    a.step();
    b.step();
  }
  EXPECT_NEAR(norm(body_of(a, 0).position - body_of(b, 0).position), 0, 1e-9);
  EXPECT_GT(body_of(a, 0).position.x, 0.4);
  EXPECT_NEAR(body_of(a, 0).position.z, kPeriodicRadius, 1e-5);
}

TEST(ACell, RefusesWhatMeetsTwoImages) {
  const auto refused = [](const Shape& shape, bool moved) {
    World world(coulomb(0.3), 1e-3);
    world.model.domain = Domain(Vec3{0.1, 0, 0});
    if (moved)
      world.obstacle(shape, {{0.05, 0, 0}, {}}, [](double) { return Twist{{}, {0, 0, 1}}; });
    else
      world.obstacle(shape, {{0.05, 0, 0}, {}});
    world.sphere({0.05, 1, 1}, 0.01);
    try {
      (void)world.simulation();
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refused(Box{{0.03, 1, 0.01}}, false), "") << "it is long across the period alone";
  EXPECT_NE(refused(Box{{0.03, 1, 0.01}}, true), "") << "it turns its length into the period";
  EXPECT_NE(refused(Box{{0.05, 1, 0.01}}, false), "") << "images of it would touch";
  EXPECT_EQ(refused(Box{{0.0601, 1, 0.01}}, false), "") << "it has no end in reach";
  EXPECT_NE(refused(Cylinder{0.03, 0.2}, false).find("0.04"), 0u) << "across z it is short";
  EXPECT_EQ(refused(Cylinder{0.03, 0.2}, false), "");
  EXPECT_NE(refused(Sphere{0.045}, false).find("0.04 m"), std::string::npos)
      << "the message says how large it may be";
}

/// What analyses of a packing in a cell say must not depend on where their region begins.
TEST(AnalysesOfACell, DoNotSeeItsBorders) {
  Simulation simulation = gas(5, kPeriodicLaw, 1e-5, 2.0 * kPeriodicRadius).simulation();
  for (int k = 0; k < 100; ++k) simulation.step();
  const Bodies& bodies = simulation.state().bodies;
  const Domain domain = domain_of(simulation.state().cell);
  const auto contacts = simulation.contacts();
  const double side = domain.period().x, volume = side * side * side;

  // By hand: branches of all contacts, each once.
  double virial = 0, solid = 0;
  for (const ContactRecord& contact : contacts)
    virial += dot(
        domain.separation(simulation.body(contact.a).position, simulation.body(contact.b).position),
        contact.impulse);
  for (const double r : bodies.radius) solid += 4 * std::numbers::pi / 3 * r * r * r;
  ASSERT_GT(virial, 0);
  const Prototype spheres[] = {{}};
  RandomStream random{3, 0};
  for (int trial = 0; trial < 5; ++trial) {
    const Vec3 corner{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const Region whole{corner, corner + Vec3{side, side, side}};
    const Bodies images = images_in(whole, bodies, domain);
    EXPECT_NEAR(solid_fraction(images, spheres, whole), solid / volume, 1e-12);
    std::size_t inside = 0;
    for (const Vec3& place : images.position) inside += whole.contains(place);
    EXPECT_EQ(inside, bodies.size());
    const ContactStress stress =
        contact_stress(bodies, contacts, simulation.model().step.h, whole, domain);
    const double trace = stress.stress[0].x + stress.stress[1].y + stress.stress[2].z;
    EXPECT_NEAR(trace, virial / (simulation.model().step.h * volume), 1e-9 * trace);
    const auto loaded = std::ranges::count_if(contacts, [](const ContactRecord& contact) {
      return dot(contact.impulse, contact.normal) > 0;
    });
    EXPECT_EQ(static_cast<std::ptrdiff_t>(stress.contacts), loaded);
  }
  // Of a region that is twice as long, all is there twice.
  const Region twice{{}, {2 * side, side, side}};
  EXPECT_NEAR(solid_fraction(images_in(twice, bodies, domain), spheres, twice), solid / volume,
              1e-12);
}

}  // namespace
}  // namespace scree
