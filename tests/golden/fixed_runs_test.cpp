#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// The hash of poses and velocities after `steps`. A hash that moves stands for answers that changed: see CONTRIBUTING, Golden
/// hashes. Worlds are such that no function of the C library enters but the square root, whose last bit no library is free to choose.
std::uint64_t hash_after(const World& world, int steps) {
  Simulation simulation = world.simulation();
  for (int k = 0; k < steps; ++k) simulation.step();
  return motion_hash(simulation.state());
}

/// Bodies of unequal inertia, every third one.
World with_long_bodies(World world) {
  world.model.prototypes.push_back({Sphere{1}, {0.3, 0.4, 0.5}});
  for (std::size_t k = 0; k < world.bodies.size(); k += 3) world.bodies[k].prototype = 1;
  return world;
}

TEST(GoldenHash, OfAPileOfSpheresWithFriction) {
  EXPECT_EQ(hash_after(random_pile(300, coulomb(0.4), 5e-4, 1), 200), 18408966312287839822ULL);
}

TEST(GoldenHash, OfAPileOfSpheresThatBounce) {
  EXPECT_EQ(hash_after(random_pile(300, coulomb(0.2, 0.6), 5e-4, 2), 200), 14118837196948484633ULL);
}

TEST(GoldenHash, OfSpheresOnAMovingWall) {
  World world(coulomb(0.5), 1e-3);
  world.obstacle(HalfSpace{}, {}, [](double t) { return Twist{{0.1, 0, t < 0.05 ? 0.2 : -0.2}, {}}; });
  for (int k = 0; k < 5; ++k) world.sphere({0.1 * k, 0, 0.02 + 0.001 * k}, 0.02, {0, 0.1 * k, 0});
  EXPECT_EQ(hash_after(world, 100), 849081088784089169ULL);
}

TEST(GoldenHash, OfAPileOfUnequalInertia) {
  EXPECT_EQ(hash_after(with_long_bodies(random_pile(200, coulomb(0.4), 5e-4, 3)), 150), 14710330772251823525ULL);
}

TEST(GoldenHash, OfAPileThatDissipatesMost) {
  EXPECT_EQ(hash_after(with_long_bodies(random_pile(200, {LawKind::max_dissipation, 0.4}, 5e-4, 4)), 150),
            16900460288659165161ULL);
}

TEST(GoldenHash, OfAPileByConeComplementarity) {
  EXPECT_EQ(hash_after(random_pile(200, {LawKind::cone_complementarity, 0.4}, 5e-4, 5), 150), 12004253621142302250ULL);
}

TEST(GoldenHash, OfAPileWithPolyhedralCones) {
  EXPECT_EQ(hash_after(random_pile(100, {LawKind::polyhedral, 0.4}, 5e-4, 6), 100), 7435930151937275119ULL);
}

TEST(GoldenHash, OfAPileWithoutAWarmStart) {
  World world = with_long_bodies(random_pile(200, coulomb(0.4, 0.3), 5e-4, 7));
  world.model.solver.warm_start = false;
  EXPECT_EQ(hash_after(world, 100), 15080600813846093521ULL);
}

TEST(GoldenHash, OfAPileWhoseSweepsAreAccelerated) {
  World world = with_long_bodies(random_pile(200, coulomb(0.4), 5e-4, 8));
  world.model.solver.accelerated = true;
  EXPECT_EQ(hash_after(world, 150), 3903302397850325564ULL);
}

}  // namespace
}  // namespace scree
