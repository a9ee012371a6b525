#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "scree/solvers/contact_problem.hpp"
#include "support/mechanisms.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

/// Held for each body of a pile after some steps, and contacts of each.
struct Held {
  double bytes, contacts;
};
Held held(test::World world) {
  world.model.solver.max_sweeps = 5;
  Simulation simulation = world.simulation();
  for (int k = 0; k < 150; ++k) simulation.step();
  const auto bodies = static_cast<double>(simulation.state().bodies.size());
  return {static_cast<double>(simulation.memory_bytes()) / bodies,
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

/// Held for the joints of a chain of balls.
std::size_t held_for_joints(int balls) {
  test::Mechanism chain(1e-3);
  BodyId last = kWorld;
  for (int k = 0; k < balls; ++k) {
    const BodyId ball = chain.add_sphere({static_cast<double>(k), 0, 0});
    chain.join(JointKind::spherical, last, ball, {k - 0.5, 0, 0});
    last = ball;
  }
  Simulation simulation = chain.start();
  simulation.step();
  const std::vector<MemoryShare> shares = simulation.memory();
  return std::ranges::find(shares, "joints", &MemoryShare::name)->bytes;
}

TEST(Memory, OfJointsIsToldAndGrowsWithThem) {
  const std::size_t few = held_for_joints(20), many = held_for_joints(80);
  EXPECT_GT(few, 20 * (sizeof(JointState) + sizeof(JointBlock)));
  // Arrays have room to grow, by half or to twice as much.
  EXPECT_GT(many, 2 * few);
  EXPECT_LT(many, 8 * few);
}

}  // namespace
}  // namespace scree
