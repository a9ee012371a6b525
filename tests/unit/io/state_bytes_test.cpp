#include "scree/io/state_bytes.hpp"

#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "scree/sim/joint_coordinates.hpp"
#include "support/mechanisms.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

TEST(StateBytes, AreReadToTheSameState) {
  Simulation pile = random_boxes(20, coulomb(0.4), 1e-3, 41).simulation();
  for (int k = 0; k < 60; ++k) pile.step();
  Simulation crank = crank_rocker(1e-3).start();
  JointCoordinates(crank).targets()[0] = 2;
  JointCoordinates(crank).change_motor(0, {.kind = Motor::Kind::velocity, .max = 9});
  for (const Simulation* simulation : {&pile, &crank}) {
    const std::string bytes = state_bytes(simulation->state());
    const State state = state_of_bytes(bytes);
    EXPECT_EQ(state_hash(state), state_hash(simulation->state()));
    EXPECT_EQ(state_bytes(state), bytes);
    Simulation(simulation->model(), state).step();
  }
  EXPECT_EQ(state_of_bytes(state_bytes(crank.state())).joint_targets[0], 2);
}

TEST(StateBytes, ThatAreCutChangedOrOfSomethingElseAreRefused) {
  const std::string bytes = state_bytes(crank_rocker(1e-3).state);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(state_of_bytes(bytes.substr(0, size)), InputError) << size;
  EXPECT_THROW(state_of_bytes(bytes + "x"), InputError);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    std::string changed = bytes;
    changed[k] = static_cast<char>(changed[k] ^ 0x41);
    EXPECT_THROW(state_of_bytes(changed), InputError) << k;
  }
}

}  // namespace
}  // namespace scree
