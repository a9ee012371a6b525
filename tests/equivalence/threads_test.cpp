#include <gtest/gtest.h>

#include "equivalence/stirred_worlds.hpp"

namespace scree {
namespace {

using namespace test;

std::uint64_t hash_after(const World& world, int steps, int threads,
                         InstructionSet instructions = widest_instruction_set()) {
  Simulation simulation = world.simulation(threads, instructions);
  for (int k = 0; k < steps; ++k) simulation.step();
  return state_hash(simulation.state());
}

TEST(StateHash, IsTheSameForOneTwoThreeAndFourThreads) {
  const World world = stirred_pile();
  const std::uint64_t one = hash_after(world, 400, 1);
  for (const int threads : {2, 3, 4})
    EXPECT_EQ(hash_after(world, 400, threads), one) << threads << " threads";
}

TEST(StateHash, IsTheSameOnEveryInstructionSet) {
  const World world = stirred_pile();
  const std::uint64_t expected = hash_after(world, 100, 1, InstructionSet::scalar);
  for (const InstructionSet set : instruction_sets())
    EXPECT_EQ(hash_after(world, 100, 1, set), expected) << name(set);
}

TEST(StateHash, OfFastSpheresThatBounceIsTheSameOnEveryInstructionSet) {
  // So fast that free paths meet and miss within a step.
  World world = random_pile(300, coulomb(0.4, 0.8), 5e-4, 17);
  for (Body& body : world.bodies) body.velocity *= 30;
  for (const auto correction : {OverlapCorrection::positions, OverlapCorrection::velocities}) {
    world.model.step.overlap_correction = correction;
    const std::uint64_t expected = hash_after(world, 100, 1, InstructionSet::scalar);
    for (const InstructionSet set : instruction_sets())
      EXPECT_EQ(hash_after(world, 100, 1, set), expected) << name(set);
  }
}

TEST(StateHash, OfBodiesOfAllShapesIsTheSameOnAnyThreadsAndInstructionSetAndFromACopy) {
  World world = random_solids(27, coulomb(0.4, 0.2), 1e-3, 18, true);
  world.model.solver = solver_settings(Accuracy::engineering);
  const std::uint64_t expected = hash_after(world, 80, 1, InstructionSet::scalar);
  for (const InstructionSet set : instruction_sets())
    EXPECT_EQ(hash_after(world, 80, 1, set), expected) << name(set);
  EXPECT_EQ(hash_after(world, 80, 2), expected);
  Simulation half = world.simulation();
  for (int k = 0; k < 40; ++k) half.step();
  Simulation rest(world.model, half.state(), 2);
  for (int k = 0; k < 40; ++k) rest.step();
  EXPECT_EQ(state_hash(rest.state()), expected);
}

TEST(StateHash, OfContactsThatResistTurningAndAttractIsTheSameForAnyNumberOfThreads) {
  const World world = stirred_mixture();
  const std::uint64_t one = hash_after(world, 120, 1);
  for (const int threads : {2, 3})
    EXPECT_EQ(hash_after(world, 120, threads), one) << threads << " threads";
}

TEST(StateHash, OfContactsThatResistTurningAndAttractIsTheSameOnEveryInstructionSet) {
  const World world = stirred_mixture();
  const std::uint64_t expected = hash_after(world, 80, 1, InstructionSet::scalar);
  for (const InstructionSet set : instruction_sets())
    EXPECT_EQ(hash_after(world, 80, 1, set), expected) << name(set);
}

TEST(StateHash, OfContactsThatResistTurningIsTheSameAfterARestart) {
  const World world = stirred_mixture();
  Simulation whole = world.simulation(), half = world.simulation();
  for (int k = 0; k < 60; ++k) whole.step(), half.step();
  Simulation rest(world.model, half.state());
  for (int k = 0; k < 60; ++k) whole.step(), rest.step();
  EXPECT_EQ(state_hash(rest.state()), state_hash(whole.state()));
  EXPECT_NE(whole.state().neighbours.angular_impulse.size(), 0U);
}

TEST(StateHash, OfBoxesIsTheSameForAnyNumberOfThreads) {
  const World world = stirred_boxes();
  const std::uint64_t one = hash_after(world, 120, 1);
  for (const int threads : {2, 4})
    EXPECT_EQ(hash_after(world, 120, threads), one) << threads << " threads";
}

TEST(StateHash, OfBoxesIsTheSameOnEveryInstructionSet) {
  const World world = stirred_boxes();
  const std::uint64_t expected = hash_after(world, 80, 1, InstructionSet::scalar);
  for (const InstructionSet set : instruction_sets())
    EXPECT_EQ(hash_after(world, 80, 1, set), expected) << name(set);
}

TEST(StateHash, TellsTwoStatesApart) {
  World world = stirred_pile();
  const std::uint64_t before = state_hash(world.simulation().state());
  world.model.gravity.z *= 1 + 1e-15;
  EXPECT_EQ(state_hash(world.simulation().state()), before) << "the model is not the state";
  world.sphere({1, 1, 1}, 0.01);
  EXPECT_NE(state_hash(world.simulation().state()), before);
}

TEST(MotionHash, KnowsBodiesByTheirIdsAndNotByTheirPlaces) {
  Simulation simulation = stirred_pile().simulation();
  for (int k = 0; k < 20; ++k) simulation.step();
  const State& there = simulation.state();
  State turned = there;
  turned.bodies = {};
  for (std::size_t i = there.bodies.size(); i-- > 0;) turned.bodies.push_back(there.bodies[i]);
  turned.neighbours = {};
  EXPECT_EQ(motion_hash(turned), motion_hash(there));
  EXPECT_NE(state_hash(turned), state_hash(there));
  turned.bodies.velocity[7].y = std::nextafter(turned.bodies.velocity[7].y, 1);
  EXPECT_NE(motion_hash(turned), motion_hash(there));
  std::swap(turned.bodies.id[1], turned.bodies.id[2]);
  turned.bodies.velocity[7] = there.bodies.velocity[there.bodies.size() - 8];
  EXPECT_NE(motion_hash(turned), motion_hash(there));
}

}  // namespace
}  // namespace scree
