// Polyhedra by their faces and edges, beside the closest points of a simplex and the polytope.
#include "collision/narrow/hull_separation.hpp"

#include <gtest/gtest.h>

#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using namespace shape_pairs;

struct Pair {
  ConvexCore a, b;
};
Pair random_pair(RandomStream& random, bool parallel, double farthest) {
  Polyhedron a = random_polyhedron(random), b = parallel ? a : random_polyhedron(random);
  a.scale = random.uniform(0.2, 1);
  const Pose of_a{{}, random_orientation(random)};
  Pose of_b{random.uniform(0.05, farthest) * random_direction(random), random_orientation(random)};
  if (parallel) of_b.orientation = of_a.orientation;
  return {ConvexCore(a, {}), ConvexCore(b, seen_from(of_a, of_b))};
}

TEST(HullSeparation, IsThatOfTheClosestPointsOrOfThePolytope) {
  RandomStream random{51, 0};
  constexpr double kFar = 100;
  int found = 0, overlaps = 0;
  for (int k = 0; k < 20000; ++k) {
    const auto [a, b] = random_pair(random, k % 5 == 0, 2);
    const auto hulls = separation_of_hulls(a, b, kFar);
    if (!hulls || !hulls->is_distance) continue;
    ++found;
    const CoreSeparation other = separation_of_cores(a, b, kFar);
    overlaps += other.distance < 0;
    ASSERT_NEAR(hulls->any.distance, other.distance, 1e-12) << k;
    // The way is that long, and no face has a longer one.
    const Vec3& n = hulls->any.normal;
    ASSERT_NEAR(dot(n, b.support(-n) - a.support(n)), hulls->any.distance, 1e-13) << k;
    ASSERT_NEAR(dot(n, hulls->any.on_b - hulls->any.on_a), hulls->any.distance, 1e-13) << k;
    ASSERT_LE(hulls->face.separation, hulls->any.distance) << k;
    const Vec3& f = hulls->face.normal;
    ASSERT_NEAR(dot(f, b.support(-f) - a.support(f)), hulls->face.separation, 1e-13) << k;
  }
  EXPECT_GT(found, 12000);
  EXPECT_GT(overlaps, 4000);
}

TEST(HullSeparation, OfThoseFarApartIsEnough) {
  RandomStream random{52, 0};
  constexpr double kEnough = 0.05;
  for (int k = 0; k < 5000; ++k) {
    const auto [a, b] = random_pair(random, false, 4);
    const auto hulls = separation_of_hulls(a, b, kEnough);
    if (!hulls || hulls->any.distance < kEnough) continue;
    const Vec3& n = hulls->any.normal;
    ASSERT_NEAR(dot(n, b.support(-n) - a.support(n)), hulls->any.distance, 1e-12) << k;
  }
}

TEST(HullSeparation, OfNoNumbersIsNone) {
  RandomStream random{53, 0};
  const Polyhedron hull = random_polyhedron(random);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(separation_of_hulls(ConvexCore(hull, {}), ConvexCore(hull, {{nan, 0, 0}, {}}), 1));
}

}  // namespace
}  // namespace scree
