// Beds of every shape, poured with default settings, come to rest.
#include <gtest/gtest.h>

#include "support/poured_solids.hpp"

namespace scree {
namespace {

using namespace test;

void expect_rest(const PouredBed& bed) {
  EXPECT_EQ(bed.not_finite, 0U);
  EXPECT_EQ(bed.missed, 0U);
  EXPECT_LT(bed.energy_error, 1e-5);
  EXPECT_LT(bed.depth, 1e-2);
  EXPECT_LT(bed.speed, 1e-3);
}

TEST(PouredBed, OfCylindersComesToRest) {
  expect_rest(pour(solid_prototype(Cylinder{0.005, 0.004}), 32, 3000));
}

TEST(PouredBed, OfConesComesToRest) {
  expect_rest(pour(solid_prototype(Frustum{0.006, 0, 0, 0.01}), 32, 3000));
}

TEST(PouredBed, OfCapsulesComesToRest) {
  expect_rest(pour(solid_prototype(Capsule{0.003, 0.004}), 32, 3000));
}

TEST(PouredBed, OfEllipsoidsComesToRest) {
  expect_rest(pour(solid_prototype(Superellipsoid{{0.007, 0.005, 0.004}}), 32, 6000));
}

TEST(PouredBed, OfSuperellipsoidsComesToRestWithRollingFriction) {
  // On a face that is nearly flat they touch in one point, and rock: without a resistance to
  // rolling nothing takes that energy.
  expect_rest(
      pour(solid_prototype(Superellipsoid{{0.006, 0.005, 0.004}, 4, 4}), 12, 2400, {}, 1e-4));
}

TEST(PouredBed, OfPolyhedraComesToRest) {
  const PlacedHull hull = convex_hull(times(0.01, wedge()));
  expect_rest(pour(solid_prototype(hull), 32, 3000, hull.hull));
}

}  // namespace
}  // namespace scree
