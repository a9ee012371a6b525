#include "scree/collision/separating_plane.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "scree/math/random.hpp"

namespace scree {
namespace {

constexpr double kWholeStep = 1;

Vec3 random_vector(RandomStream& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// Whether a contact on this plane would let the free paths be.
bool lets_pass(const SeparatingPlane& plane, const Vec3& approach) {
  return plane.remaining_gap + kWholeStep * dot(plane.normal, approach) >= -1e-12;
}

/// Least of f over the step, by brute force.
template <class F>
double least(F&& f) {
  double value = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= 1000; ++k) value = std::min(value, f(kWholeStep * k / 1000));
  return value;
}

TEST(PlaneBetweenSpheres, LetsAPairPassIffItsFreePathsDoNotTouch) {
  RandomStream random{11, 0};
  int passes = 0, hits = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec3 apart = random_vector(random, 3),
               approach = random_vector(random, 2) - random.uniform(0, 2) * apart;
    if (norm(apart) < 1) continue;
    const double closest = least([&](double t) { return norm(apart + t * approach); }) - 1;
    if (std::abs(closest) < 1e-3) continue;  // brute force cannot tell
    const SeparatingPlane plane = plane_between_spheres(apart, 1, approach, kWholeStep);
    EXPECT_EQ(lets_pass(plane, approach), closest > 0) << "closest " << closest;
    (closest > 0 ? passes : hits)++;
  }
  EXPECT_GT(passes, 200);
  EXPECT_GT(hits, 200);
}

TEST(PlaneBetweenSpheres, KeepsApartWhateverObeysIt) {
  RandomStream random{12, 0};
  for (int k = 0; k < 2000; ++k) {
    const Vec3 apart = random_vector(random, 3);
    if (norm(apart) < 1) continue;
    const SeparatingPlane plane =
        plane_between_spheres(apart, 1, random_vector(random, 6), kWholeStep);
    EXPECT_GE(plane.remaining_gap, 0);
    Vec3 after = random_vector(random, 6);  // any velocity, made to obey u_n ≥ −room / h
    after +=
        std::max(0.0, -plane.remaining_gap / kWholeStep - dot(plane.normal, after)) * plane.normal;
    EXPECT_GE(least([&](double t) { return norm(apart + t * after); }), 1 - 1e-12);
  }
}

TEST(PlaneBetweenSpheres, TellsHowFarTheLineOfCentresTurnsUntilTheHit) {
  // Offset 0.6 of the sum of radii: they touch at (−0.8, 0.6).
  const SeparatingPlane plane = plane_between_spheres({-1.5, 0.6, 0}, 1, {2, 0, 0}, kWholeStep);
  EXPECT_NEAR(plane.turn_cosine, (1.5 * 0.8 + 0.6 * 0.6) / std::hypot(1.5, 0.6), 1e-14);
}

TEST(PlaneBetweenSpheres, IsThatOfTheCentresUnlessThePairPasses) {
  for (const auto& [apart, approach] : {std::pair{Vec3{0.9, 0, 0}, Vec3{-1, 1, 0}},
                                        {Vec3{1.2, 0, 0}, Vec3{1, 3, 0}},
                                        {Vec3{1.2, 0, 0}, Vec3{-0.1, 3, 0}},
                                        {Vec3{1.2, 0, 0}, Vec3{-1, 0.3, 0}}}) {
    const SeparatingPlane plane = plane_between_spheres(apart, 1, approach, kWholeStep);
    EXPECT_EQ(plane.normal, (Vec3{1, 0, 0}));
    EXPECT_EQ(plane.remaining_gap, plane.gap);
    EXPECT_EQ(plane.gap, apart.x - 1);
  }
}

TEST(PlaneBetweenSpheres, IsTheSameAtAnyScale) {
  const Vec3 apart{-1.5, 0.61, 0.2}, approach{2, 0.1, 0};
  const SeparatingPlane plane = plane_between_spheres(apart, 1, approach, kWholeStep);
  for (const double scale : {0x1p-60, 0x1p60}) {
    const SeparatingPlane scaled =
        plane_between_spheres(scale * apart, scale, scale * approach, kWholeStep);
    EXPECT_EQ(scaled.normal, plane.normal);
    EXPECT_EQ(scaled.remaining_gap, scale * plane.remaining_gap);
  }
}

class PlaneBetweenSphereAndShape : public testing::TestWithParam<Shape> {};

TEST_P(PlaneBetweenSphereAndShape, LetsPassIffTheFreePathsDoNotTouch) {
  RandomStream random{13, GetParam().index()};
  int passes = 0, hits = 0;
  for (int k = 0; k < 800; ++k) {
    const Pose pose{random_vector(random, 1),
                    rotation(random_vector(random, 1), random.uniform(0, 3))};
    const Twist twist{random_vector(random, 1), {}};
    const Vec3 centre = random_vector(random, 4),
               velocity = random_vector(random, 2) - random.uniform(0, 2) * centre;
    const double radius = 0.3;
    if (signed_distance(GetParam(), pose, centre).distance < radius) continue;
    const double closest = least([&](double t) {
      return signed_distance(GetParam(), advance_pose(pose, twist, t), centre + t * velocity)
                 .distance -
             radius;
    });
    if (std::abs(closest) < 1e-3) continue;
    const SeparatingPlane plane =
        plane_between(GetParam(), pose, twist, centre, radius, velocity, kWholeStep);
    EXPECT_NEAR(norm(plane.velocity - twist.linear), 0, 1e-12);
    EXPECT_EQ(
        plane.remaining_gap + kWholeStep * dot(plane.normal, velocity - plane.velocity) >= -1e-9,
        closest > 0)
        << "closest " << closest << ", room " << plane.remaining_gap;
    (closest > 0 ? passes : hits)++;
  }
  EXPECT_GT(passes, 100);
  EXPECT_GT(hits, 100);
}

TEST_P(PlaneBetweenSphereAndShape, KeepsApartWhateverObeysIt) {
  RandomStream random{14, GetParam().index()};
  for (int k = 0; k < 500; ++k) {
    const Pose pose{random_vector(random, 1),
                    rotation(random_vector(random, 1), random.uniform(0, 3))};
    const Vec3 centre = random_vector(random, 4);
    const double radius = 0.3;
    if (signed_distance(GetParam(), pose, centre).distance < radius) continue;
    const SeparatingPlane plane =
        plane_between(GetParam(), pose, {}, centre, radius, random_vector(random, 6), kWholeStep);
    Vec3 after = random_vector(random, 6);
    after +=
        std::max(0.0, -plane.remaining_gap / kWholeStep - dot(plane.normal, after)) * plane.normal;
    EXPECT_GE(least([&](double t) {
                return signed_distance(GetParam(), pose, centre + t * after).distance;
              }),
              radius * (1 - 1e-9));
  }
}

TEST_P(PlaneBetweenSphereAndShape, SeesAShapeThatTurnsIntoThePath) {
  RandomStream random{15, GetParam().index()};
  for (int k = 0; k < 500; ++k) {
    const Pose pose{{}, rotation(random_vector(random, 1), random.uniform(0, 3))};
    const Twist twist{{}, random_vector(random, 1)};
    const Vec3 centre = random_vector(random, 3), velocity = random_vector(random, 2);
    const double radius = 0.3;
    const auto gap = [&](double t) {
      return signed_distance(GetParam(), advance_pose(pose, twist, t), centre + t * velocity)
                 .distance -
             radius;
    };
    if (gap(0) < 0) continue;
    const SeparatingPlane plane =
        plane_between(GetParam(), pose, twist, centre, radius, velocity, kWholeStep);
    const bool passes =
        plane.remaining_gap + kWholeStep * dot(plane.normal, velocity - plane.velocity) >= -1e-9;
    // A path that is not straight, seen from the shape, may come back: only the first approach
    // counts.
    if (!passes) EXPECT_LT(least(gap), 1e-6);
    if (gap(kWholeStep) < -1e-6) EXPECT_FALSE(passes);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, PlaneBetweenSphereAndShape,
                         testing::Values(Sphere{0.8}, HalfSpace{}, Box{{1, 0.5, 0.2}},
                                         Cylinder{0.7, 0.9}, Capsule{0.4, 0.8}));

}  // namespace
}  // namespace scree
