#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// The state hash after `steps`. A hash that moves stands for answers that changed: see CONTRIBUTING, Golden hashes. Worlds
/// are such that no function of the C library enters but the square root, whose last bit no library is free to choose.
std::uint64_t hash_after(const World& world, int steps) {
  Simulation simulation = world.simulation();
  for (int k = 0; k < steps; ++k) simulation.step();
  return state_hash(simulation.state());
}

TEST(GoldenHash, OfAPileOfSpheresWithFriction) {
  EXPECT_EQ(hash_after(random_pile(300, coulomb(0.4), 5e-4, 1), 200), 4140965255423416286ULL);
}

TEST(GoldenHash, OfAPileOfSpheresThatBounce) {
  EXPECT_EQ(hash_after(random_pile(300, coulomb(0.2, 0.6), 5e-4, 2), 200), 16693329702461415789ULL);
}

TEST(GoldenHash, OfSpheresOnAMovingWall) {
  World world(coulomb(0.5), 1e-3);
  world.obstacle(HalfSpace{}, {}, [](double t) { return Twist{{0.1, 0, t < 0.05 ? 0.2 : -0.2}, {}}; });
  for (int k = 0; k < 5; ++k) world.sphere({0.1 * k, 0, 0.02 + 0.001 * k}, 0.02, {0, 0.1 * k, 0});
  EXPECT_EQ(hash_after(world, 100), 12561349896051936906ULL);
}

}  // namespace
}  // namespace scree
