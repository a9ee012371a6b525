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

/// Pairs that nearly touch.
PairSet near_pairs(const Simulation& simulation) {
  constexpr double kNear = 1.005;
  const Bodies& bodies = simulation.state().bodies;
  PairSet set;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::uint64_t id = bodies.id[i].value;
    for (std::size_t j = 0; j < i; ++j)
      if (norm(bodies.position[i] - bodies.position[j]) <
          kNear * (bodies.radius[i] + bodies.radius[j]))
        set.insert(std::minmax(id, bodies.id[j].value));
    for (std::uint32_t k = 0; k < simulation.model().obstacles.size(); ++k)
      if (signed_distance(simulation.model().obstacles[k].shape,
                          simulation.state().obstacles[k].pose, bodies.position[i])
              .distance < kNear * bodies.radius[i])
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
    const PairSet near = near_pairs(simulation);
    const Report& report = simulation.step();
    counts.rebuilt += report.neighbours_rebuilt;
    counts.extended += report.neighbours_extended;
    const PairSet known = pairs_of_list(simulation.state());
    EXPECT_TRUE(std::ranges::includes(known, near)) << "step " << k;
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

}  // namespace
}  // namespace scree
