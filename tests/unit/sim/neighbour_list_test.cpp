#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

using PairSet = std::set<std::pair<std::uint64_t, std::uint64_t>>;

/// By ids, the lower one first; an obstacle has one above all bodies'.
PairSet pairs_of_list(const State& state) {
  PairSet set;
  for (const auto& [owner, other] : state.neighbours.pairs) {
    const std::uint64_t a = state.bodies.id[owner].value,
                        b = other & Neighbours::kObstacle ? other : state.bodies.id[other].value;
    EXPECT_TRUE(set.insert({std::min(a, b), std::max(a, b)}).second) << a << ", " << b << " twice";
  }
  return set;
}

/// Pairs whose gap is less than this part of their radii.
PairSet near_pairs(const Simulation& simulation, double gap) {
  const double near = 1 + gap;
  const Bodies& bodies = simulation.state().bodies;
  PairSet set;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::uint64_t id = bodies.id[i].value;
    for (std::size_t j = 0; j < i; ++j)
      if (norm(bodies.position[i] - bodies.position[j]) <
          near * (bodies.radius[i] + bodies.radius[j]))
        set.insert(std::minmax(id, bodies.id[j].value));
    for (std::uint32_t k = 0; k < simulation.model().obstacles.size(); ++k)
      if (signed_distance(simulation.model().obstacles[k].shape,
                          simulation.state().obstacles[k].pose, bodies.position[i])
              .distance < near * bodies.radius[i])
        set.insert({id, Neighbours::kObstacle | k});
  }
  return set;
}

struct Counts {
  int rebuilt = 0, extended = 0;
};

/// That the list misses no pair in any step.
Counts expect_a_whole_list(const World& world, int steps) {
  Simulation simulation = world.simulation();
  Counts counts;
  for (int k = 0; k < steps; ++k) {
    const PairSet before = near_pairs(simulation, 0.005);
    const Report& report = simulation.step();
    counts.rebuilt += report.neighbours_rebuilt;
    counts.extended += report.neighbours_extended;
    const PairSet known = pairs_of_list(simulation.state());
    EXPECT_TRUE(std::ranges::includes(known, before)) << "step " << k;
    EXPECT_TRUE(std::ranges::includes(known, near_pairs(simulation, 0))) << "step " << k;
  }
  return counts;
}

TEST(NeighbourList, IsAddedToWhereFewBodiesAreFast) {
  World world = random_pile(300, coulomb(0.4), 1e-3, 31);
  for (int k = 0; k < 15; ++k)
    world.sphere({0.01 + 0.004 * k, 0.03, 0.2 + 0.03 * k}, 2e-3, {0, 0.2, -3});
  const Counts counts = expect_a_whole_list(world, 250);
  EXPECT_GT(counts.extended, 100);
  EXPECT_LT(counts.rebuilt, 100);
}

TEST(NeighbourList, LastsWhereAllMoveTogether) {
  // Half a radius a step, past a ball, between two planes.
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.half_space({}, {0, 0, 1}).half_space({0, 0, 0.1}, {0, 0, -1});
  world.obstacle(Sphere{0.02}, {{0.4, 0.05, 0.05}});
  RandomStream random{32, 0};
  for (int k = 0; k < 400; ++k)
    world.sphere({0.02 * (k % 20), 0.02 * (k / 20 % 5) + 0.01, 0.02 * (k / 100) + 0.02}, 0.005,
                 {2.5, random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)});
  const Counts counts = expect_a_whole_list(world, 120);
  EXPECT_LT(counts.rebuilt, 20);
}

/// Grains in a drum of plates, which turns about its axis at the origin, and a plate at its end
/// that swings about a hinge below it by `swing` [rad/s].
World drum(const PairLaw& law, int plates, int grains, double speed, double swing, double h) {
  constexpr double kRadius = 0.1, kGrain = 0.004, kDepth = 0.06;
  World world(law, h);
  world.model.solver.tolerance = 1e-4;
  world.model.solver.max_sweeps = 100;
  for (int k = 0; k < plates; ++k) {
    const double angle = 2 * std::numbers::pi * k / plates;
    const Vec3 inward{-std::cos(angle), 0, -std::sin(angle)};
    world.half_space(-kRadius * inward, inward);
    world.model.obstacles.back().motion = [=](double t) {
      const double now = angle + speed * t;
      return Twist{kRadius * speed * Vec3{-std::sin(now), 0, std::cos(now)}, {0, -speed, 0}};
    };
  }
  world.half_space({0, 0, 0}, {0, 1, 0});
  world.half_space({0, kDepth, -1.5 * kRadius}, {0, -1, 0});
  world.model.obstacles.back().motion = [=](double t) {
    return Twist{{}, {swing * std::sin(40 * t), 0, 0}};
  };
  RandomStream random{34, 0};
  const auto jitter = [&] { return random.uniform(-1, 1); };
  while (static_cast<int>(world.bodies.size()) < grains) {
    const Vec3 at{0.08 * jitter(), kDepth / 2 * (1 + 0.8 * jitter()), 0.08 * jitter()};
    const auto is_free = [&](const Body& body) { return norm(body.position - at) > 2 * kGrain; };
    if (std::hypot(at.x, at.z) < 0.09 && std::ranges::all_of(world.bodies, is_free))
      world.sphere(at, kGrain, 0.3 * Vec3{jitter(), jitter(), jitter()});
  }
  return world;
}

TEST(NeighbourList, IsWholeWherePlanesTurn) {
  expect_a_whole_list(drum(coulomb(0.4), 12, 150, 8, 0.5, 1e-3), 200);
  expect_a_whole_list(drum(coulomb(0.4), 12, 150, 60, 3, 1e-3), 60);  // 3 degrees a step
  World boxes = random_boxes(40, coulomb(0.4), 1e-3, 35);
  const std::size_t floor = 0;
  boxes.model.obstacles[floor].pose.position = {0.3, 0, 0};
  boxes.model.obstacles[floor].motion = [](double t) {
    return Twist{{0, 0.4, 0.1}, {0, 2 * std::cos(30 * t), std::sin(20 * t)}};
  };
  expect_a_whole_list(boxes, 150);
}

TEST(NeighbourList, HasFewPairsWherePlanesTurn) {
  PairLaw springs{LawKind::cundall_strack, 0.4, 0.8};
  springs.force.k_n = 1e4;
  springs.force.k_t = 3e3;
  for (const auto& [law, h] : {std::pair{coulomb(0.4), 2e-4}, std::pair{springs, 2e-5}}) {
    Simulation simulation = drum(law, 48, 460, 6, 0, h).simulation();
    for (int k = 0; k < 100; ++k) simulation.step();
    // All of them with all planes are 23 000. Of the grains half are within a radius of a plane or
    // its neighbours.
    std::size_t with_planes = 0;
    for (const BodyPair& pair : simulation.state().neighbours.pairs)
      with_planes += (pair.other & Neighbours::kObstacle) != 0;
    EXPECT_LT(with_planes, 2000u) << name(law.kind);
  }
}

TEST(NeighbourList, HasTheSameBitsAfterARestartThatFollowsAnAddition) {
  World world = random_pile(300, coulomb(0.4), 1e-3, 33);
  for (int k = 0; k < 15; ++k)
    world.sphere({0.01 + 0.004 * k, 0.03, 0.2 + 0.03 * k}, 2e-3, {0, 0.2, -3});
  Simulation one = world.simulation(), three = world.simulation(3), restarted = world.simulation();
  for (int k = 0; k < 200; ++k) {
    one.step(), three.step();
    restarted = Simulation(world.model, restarted.state());
    restarted.step();
    ASSERT_EQ(state_hash(one.state()), state_hash(three.state())) << k;
    ASSERT_EQ(state_hash(one.state()), state_hash(restarted.state())) << k;
  }
}

TEST(NeighbourList, HasAPlaceForEachPointOfTheLastStep) {
  Simulation simulation = random_boxes(40, coulomb(0.4), 1e-3, 1).simulation();
  std::size_t max_value = 0;
  for (int k = 0; k < 400; ++k) {
    simulation.step();
    const Neighbours& list = simulation.state().neighbours;
    ASSERT_EQ(list.impulse.size(), simulation.report().contacts) << k;
    ASSERT_EQ(list.feature.size(), list.impulse.size());
    max_value = std::max(max_value, list.impulse.size());
  }
  EXPECT_GT(max_value, 40u);
}

TEST(NeighbourList, HasAPlaceForEachPointThatThereCanBeWhereALawIsCompliant) {
  PairLaw law{.kind = LawKind::cundall_strack, .friction = 0.4, .restitution = 0.5};
  law.force.k_n = 1e5;
  law.force.k_t = 3e4;
  Simulation simulation = random_boxes(20, law, 1e-5, 1).simulation();
  for (int k = 0; k < 20; ++k) simulation.step();
  const Neighbours& list = simulation.state().neighbours;
  ASSERT_GT(list.pairs.size(), 0u);
  for (std::size_t p = 0; p < list.pairs.size(); ++p) EXPECT_GE(list.places(p).count(), 4u) << p;
}

}  // namespace
}  // namespace scree
