#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

/// Held for each body of a pile after some steps, and contacts of each.
struct Held {
  double bytes, contacts;
};
Held held(test::World world) {
  world.model.solver.max_sweeps = world.model.solver.min_sweeps = 5;
  Simulation simulation = world.simulation();
  for (int k = 0; k < 150; ++k) simulation.step();
  const auto bodies = static_cast<double>(simulation.state().bodies.size());
  std::size_t sum = 0;
  for (const MemoryShare& share : simulation.memory()) sum += share.bytes;
  EXPECT_EQ(sum, simulation.memory_bytes());
  return {static_cast<double>(sum) / bodies,
          static_cast<double>(simulation.report().contacts) / bodies};
}

// Numbers that do not grow with bodies weigh much in small piles: the bounds are wide. They are
// there so that nobody doubles them unaware.
TEST(Memory, OfASphereWithItsContactsStaysSmall) {
  const Held sphere = held(test::random_pile(1000, test::coulomb(0.4), 1e-3, 1));
  EXPECT_GT(sphere.contacts, 1);
  EXPECT_LT(sphere.bytes, 1500) << sphere.contacts;
}

TEST(Memory, OfABoxWithItsContactsStaysSmall) {
  const Held box = held(test::random_boxes(500, test::coulomb(0.4), 1e-3, 1));
  EXPECT_GT(box.contacts, 2);
  EXPECT_LT(box.bytes, 3500 + 500 * box.contacts) << box.contacts;
}

}  // namespace
}  // namespace scree
