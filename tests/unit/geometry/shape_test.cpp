#include "scree/geometry/shape.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "scree/geometry/convex_hull.hpp"
#include "scree/math/random.hpp"
#include "unit/geometry/random_point.hpp"

namespace scree {
namespace {

using test::random_point;

/// Of a skew pyramid with five sides.
const ConvexHull& hull() {
  static const PlacedHull placed = convex_hull(std::vector<Vec3>{{0.5, 0, 0},
                                                                 {0.2, 0.5, 0.1},
                                                                 {-0.4, 0.3, 0},
                                                                 {-0.4, -0.3, 0},
                                                                 {0.15, -0.5, 0},
                                                                 {0.1, 0, 0.9}});
  return *placed.hull;
}

const Shape kSolids[] = {Sphere{0.7},
                         Box{{0.3, 0.5, 0.8}},
                         Cylinder{0.4, 0.6},
                         Capsule{0.3, 0.5},
                         Frustum{0.5, 0.2, -0.4, 0.6},
                         Frustum{0, 0.6, -0.3, 0.5},
                         Superellipsoid{{0.5, 0.3, 0.8}},
                         Superellipsoid{{0.4, 0.3, 0.6}, 3, 6},
                         Superellipsoid{{0.2, 0.6, 0.5}, 5, 2.5},
                         Polyhedron{&hull(), 0.9}};

TEST(VolumeProperties, AgreeWithCountingPointsInside) {
  RandomStream random{1, 0};
  for (const Shape& shape : kSolids) {
    const VolumeProperties expected = volume_properties(shape);
    // One in each cell of a grid: only cells on the surface err, by √(6 n²) of n³ points at most.
    constexpr int kCells = 36, kPoints = kCells * kCells * kCells;
    const Vec3 half = reach(shape, {});
    double inside = 0;
    Vec3 inertia, centre;
    for (int k = 0; k < kPoints; ++k) {
      const Vec3 cell{k % kCells + 0.5, k / kCells % kCells + 0.5, k / kCells / kCells + 0.5};
      const Vec3 u = 2.0 / kCells * (cell + random_point(random, 0.5)) - Vec3{1, 1, 1};
      const Vec3 p{half.x * u.x, half.y * u.y, half.z * u.z};
      if (signed_distance(shape, p).distance > 0) continue;
      inside += 1;
      centre += p;
      const Vec3 q = p - expected.centre;
      inertia += {q.y * q.y + q.z * q.z, q.z * q.z + q.x * q.x, q.x * q.x + q.y * q.y};
    }
    const double per_point = 8 * half.x * half.y * half.z / kPoints;
    EXPECT_NEAR(inside * per_point, expected.volume, 0.01 * expected.volume);
    EXPECT_NEAR(norm(centre / inside - expected.centre), 0, 0.01);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(inertia[k] * per_point, expected.inertia[k], 0.015 * expected.inertia[k]);
  }
}

TEST(SignedDistance, GrowsAlongItsNormalAtUnitRate) {
  RandomStream random{2, 0};
  for (const Shape& shape : kSolids)
    for (int k = 0; k < 2000; ++k) {
      const Vec3 p = random_point(random, 1.5);
      const SurfaceDistance s = signed_distance(shape, p);
      EXPECT_NEAR(norm(s.normal), 1, 1e-12);
      if (s.distance < 0) continue;
      EXPECT_NEAR(signed_distance(shape, p + 0.1 * s.normal).distance, s.distance + 0.1, 1e-9);
      EXPECT_NEAR(signed_distance(shape, p - s.distance * s.normal).distance, 0, 1e-9)
          << "foot point is on the surface";
    }
}

TEST(SignedDistance, NeverExceedsTheDistanceToAPointInside) {
  RandomStream random{3, 0};
  for (const Shape& shape : kSolids)
    for (int k = 0; k < 2000; ++k) {
      const Vec3 p = random_point(random, 1.5), q = random_point(random, 1);
      if (signed_distance(shape, q).distance <= 0)
        EXPECT_LE(signed_distance(shape, p).distance, norm(p - q) + 1e-12);
    }
}

TEST(SignedDistance, IsThatOfTheMovedShape) {
  const Pose pose{{1, 2, 3}, rotation({0, 1, 0}, M_PI / 2)};
  // its axis now lies along x
  const SurfaceDistance s = signed_distance(Cylinder{0.5, 2}, pose, {1, 3, 3});
  EXPECT_NEAR(s.distance, 0.5, 1e-12);
  EXPECT_NEAR(s.normal.y, 1, 1e-12);
}

TEST(SignedDistance, HasAFiniteNormalAtTheCentre) {
  for (const Shape& shape : kSolids) EXPECT_NEAR(norm(signed_distance(shape, {}).normal), 1, 1e-12);
}

TEST(HalfSpace, HasNoVolume) { EXPECT_THROW(volume_properties(HalfSpace{}), std::domain_error); }

TEST(Reach, IsTheSmallestBoxAroundATurnedShape) {
  RandomStream random{5, 0};
  for (const Shape& shape : kSolids) {
    const Quaternion turn = random_orientation(random);
    const Vec3 half = reach(shape, turn);
    Vec3 found;
    for (int k = 0; k < 200'000; ++k) {
      const Vec3 p = random_point(random, 1);
      if (signed_distance(shape, {{}, turn}, p).distance > 0) continue;
      for (int axis = 0; axis < 3; ++axis) found[axis] = std::max(found[axis], std::abs(p[axis]));
    }
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_LE(found[axis], half[axis] + 1e-12);
      EXPECT_GT(found[axis], 0.9 * half[axis]);  // few points fall into a corner
    }
  }
}

TEST(Scaled, MultipliesLengthsByTheFactorAndVolumesByItsCube) {
  for (const Shape& shape : kSolids) {
    EXPECT_NEAR(bounding_radius(scaled(shape, 3)), 3 * bounding_radius(shape), 1e-14);
    EXPECT_NEAR(volume_properties(scaled(shape, 3)).volume, 27 * volume_properties(shape).volume,
                1e-13);
  }
}

}  // namespace
}  // namespace scree
