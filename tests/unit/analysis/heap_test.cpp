/// The angle of heaps that were built with it.
#include "scree/analysis/heap.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "scree/math/random.hpp"
#include "unit/analysis/angles.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

using test::kDegree;
constexpr double kHeapGrain = 0.02;

/// A cone of this angle and height [m], its axis at (0.3, −0.2), filled with spheres at random
/// about the sites of a lattice.
Bodies cone(double angle, std::uint64_t seed, double height = 1) {
  RandomStream random{seed};
  Bodies bodies;
  const double foot = height / std::tan(angle);
  const auto add = [&](const Vec3& x) { add_sphere(bodies, x, kHeapGrain); };
  for (double x = -foot; x < foot; x += 2 * kHeapGrain)
    for (double y = -foot; y < foot; y += 2 * kHeapGrain)
      for (double z = kHeapGrain; z < height; z += 2 * kHeapGrain) {
        const Vec3 place{x + random.uniform(-kHeapGrain, kHeapGrain),
                         y + random.uniform(-kHeapGrain, kHeapGrain),
                         z + random.uniform(0, kHeapGrain)};
        if (std::hypot(place.x, place.y) * std::tan(angle) < height - place.z - kHeapGrain)
          add(place + Vec3{0.3, -0.2, 0});
      }
  // Single ones that rolled away.
  for (int k = 0; k < 200; ++k)
    add({0.3 + random.uniform(-2, 2) * foot, -0.2 + random.uniform(-2, 2) * foot, kHeapGrain});
  return bodies;
}

const Region kWholeHeap{{-20, -20, 0}, {20, 20, 20}};

TEST(Heap, HasTheAngleThatItWasBuiltWith) {
  for (const double degrees : {15.0, 25.0, 35.0}) {
    const auto heap = heap_of(cone(degrees * kDegree, 1), kWholeHeap, {2, 1});
    ASSERT_TRUE(heap) << degrees;
    EXPECT_NEAR(heap->angle / kDegree, degrees, 0.7);
    EXPECT_LT(heap->error / kDegree, 0.7) << degrees;
    EXPECT_NEAR(heap->u, 0.3, 0.02);
    EXPECT_NEAR(heap->v, -0.2, 0.02);
    EXPECT_NEAR(heap->height, 1, 0.1);
  }
}

TEST(Heap, StandsOnAnyFloor) {
  Bodies bodies = cone(25 * kDegree, 2);
  for (Vec3& x : bodies.position) x = {-x.z, x.x, x.y};  // hangs on a wall at x = 0
  const auto heap = heap_of(bodies, {{-20, -20, -20}, {0, 20, 20}}, {0, -1});
  ASSERT_TRUE(heap);
  EXPECT_NEAR(heap->angle / kDegree, 25, 0.7);
  EXPECT_NEAR(heap->u, 0.3, 0.02);
  EXPECT_NEAR(heap->v, -0.2, 0.02);
}

TEST(Heap, OfTwoDensitiesIsThatOfOne) {
  Bodies bodies = cone(25 * kDegree, 4);
  const auto one = heap_of(bodies, kWholeHeap, {2, 1});
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.position[i].x > 0.3) bodies.mass[i] = 10;  // a heap of sand and steel, side by side
  const auto two = heap_of(bodies, kWholeHeap, {2, 1});
  ASSERT_TRUE(one && two);
  EXPECT_EQ(two->angle, one->angle);
  EXPECT_EQ(two->error, one->error);
  EXPECT_NEAR(two->u, 0.3, 0.02);
  EXPECT_NEAR(two->angle / kDegree, 25, 0.7);
}

TEST(Heap, ThatIsSteeperOnOneSideTellsOfItByItsError) {
  Bodies bodies = cone(25 * kDegree, 3);
  for (Vec3& x : bodies.position)
    if (x.x > 0.3) x.x = 0.3 + 2 * (x.x - 0.3);
  const auto heap = heap_of(bodies, kWholeHeap, {2, 1});
  ASSERT_TRUE(heap);
  EXPECT_GT(heap->error / kDegree, 1);
}

TEST(Heap, IsFoundFromTheLeastHeightOnThatIsAskedForAndNotFarBelow) {
  for (const std::uint64_t seed : {5, 6, 7}) {
    const Bodies low = cone(25 * kDegree, seed, 2.5 * 2 * kHeapGrain),
                 high = cone(25 * kDegree, seed, 1.3 * kMinHeapHeight * 2 * kHeapGrain);
    EXPECT_FALSE(heap_of(low, kWholeHeap, {2, 1})) << seed;
    EXPECT_LT(heap_height(low, kWholeHeap, {2, 1}), kMinHeapHeight);
    EXPECT_TRUE(heap_of(high, kWholeHeap, {2, 1})) << seed;
    EXPECT_GT(heap_height(high, kWholeHeap, {2, 1}), kMinHeapHeight);
  }
}

TEST(Heap, IsNotSeenInAFlatBedOrInNothing) {
  Bodies bodies;
  for (int x = 0; x < 20; ++x)
    for (int y = 0; y < 20; ++y)
      for (int z = 0; z < 5; ++z) {
        Body body;
        body.id = {bodies.size()};
        body.position = {0.04 * x, 0.04 * y, 0.02 + 0.04 * z};
        body.radius = 0.02;
        body.mass = 1;
        bodies.push_back(body);
      }
  EXPECT_FALSE(heap_of(bodies, kWholeHeap, {2, 1}));
  EXPECT_FALSE(heap_of(Bodies{}, kWholeHeap, {2, 1}));
  EXPECT_NEAR(heap_height(bodies, kWholeHeap, {2, 1}), 5, 1e-12);
  EXPECT_EQ(heap_height(Bodies{}, kWholeHeap, {2, 1}), 0);
}

}  // namespace
}  // namespace scree
