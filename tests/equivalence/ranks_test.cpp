#include <gtest/gtest.h>

#include "equivalence/stirred_worlds.hpp"
#include "support/thread_ranks.hpp"

namespace scree {
namespace {

using namespace test;

/// Hash of the state after each step.
std::vector<std::uint64_t> hashes_in_one_process(const World& world, int steps) {
  Simulation simulation = world.simulation();
  std::vector<std::uint64_t> hashes;
  for (int k = 0; k < steps; ++k) {
    simulation.step();
    hashes.push_back(state_hash(simulation.state()));
  }
  return hashes;
}

/// Steps a world in several ranks, each of which compares every state with that of one process.
void expect_the_bits_of_one_process(const World& world, int steps, std::initializer_list<int> sizes,
                                    int threads = 1) {
  const std::vector<std::uint64_t> expected = hashes_in_one_process(world, steps);
  for (const int size : sizes) {
    std::vector<int> equal(static_cast<std::size_t>(size));
    const std::size_t messages = in_ranks(size, [&](Ranks& ranks) {
      Simulation simulation = world.simulation(threads);
      simulation.share_steps(ranks);
      int& of_rank = equal[static_cast<std::size_t>(ranks.rank())];
      for (const std::uint64_t hash : expected) {
        simulation.step();
        of_rank += state_hash(simulation.state()) == hash;
      }
    });
    for (const int steps_of_rank : equal) EXPECT_EQ(steps_of_rank, steps) << size << " ranks";
    EXPECT_GT(messages, 0U) << "the solves were not shared";
  }
}

TEST(Ranks, GiveTheBitsOfOneProcessForSpheres) {
  expect_the_bits_of_one_process(stirred_pile(), 60, {2, 5});
}

TEST(Ranks, GiveTheBitsOfOneProcessForBoxesUnderThreeLaws) {
  expect_the_bits_of_one_process(stirred_boxes(), 50, {2, 5});
}

TEST(Ranks, GiveTheBitsOfOneProcessForContactsThatResistTurningAndAttract) {
  expect_the_bits_of_one_process(stirred_mixture(), 50, {2, 3, 7});
}

TEST(Ranks, GiveTheBitsOfOneProcessWithThreads) {
  expect_the_bits_of_one_process(stirred_mixture(), 40, {2}, 2);
}

TEST(Ranks, GiveTheBitsOfOneProcessForBodiesOfAllShapes) {
  World world = random_solids(300, coulomb(0.4, 0.2), 1e-3, 18, true);
  world.model.solver = solver_settings(Accuracy::engineering);
  expect_the_bits_of_one_process(world, 30, {2, 3});
}

TEST(Ranks, GiveTheBitsOfOneProcessWhereItCutsSpaceIntoSlabs) {
  World world = random_pile(100000, coulomb(0.4), 5e-4, 5);
  world.model.solver.tolerance = 1e-2;
  world.model.solver.max_sweeps = 5;
  Simulation one = world.simulation();
  one.step();
  ASSERT_GT(one.state().neighbours.pairs.size(), std::size_t{1} << 17) << "fewer have no slabs";
  expect_the_bits_of_one_process(world, 2, {2});
}

TEST(Ranks, ComputeSmallProblemsWithoutMessages) {
  const World world = stirred_pile();
  const std::size_t messages = in_ranks(2, [&](Ranks& ranks) {
    ranks.min_chunks = 1000000;
    Simulation simulation = world.simulation();
    simulation.share_steps(ranks);
    for (int k = 0; k < 3; ++k) simulation.step();
  });
  EXPECT_EQ(messages, 0U);
}

}  // namespace
}  // namespace scree
