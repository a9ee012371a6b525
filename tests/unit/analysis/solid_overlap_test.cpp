#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/analysis/solid_fraction.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/math/random.hpp"

namespace scree {
namespace {

using std::numbers::pi;

Region above(double z) { return {{-9, -9, z}, {9, 9, 9}}; }

TEST(SolidOverlap, OfAnEllipsoidAndAHalfSpaceIsThatOfASphereThatIsStretched) {
  const Superellipsoid shape{{0.3, 0.5, 0.8}};
  const double whole = volume_properties(shape).volume;
  for (const double t : {-0.9, -0.5, 0.0, 0.3, 0.8}) {
    const double cap = 1 - t, share = cap * cap * (3 - cap) / 4;
    EXPECT_NEAR(Solid(shape, {}).overlap(above(0.8 * t)), share * whole, 1e-3 * whole) << t;
  }
}

TEST(SolidOverlap, OfACylinderThatIsCutAlongItsAxisIsThatOfASegmentOfACircle) {
  const Cylinder shape{0.5, 1};
  const double whole = volume_properties(shape).volume;
  const Pose across{{}, rotation({0, 1, 0}, pi / 2)};  // its axis along x
  for (const double t : {-0.8, -0.3, 0.0, 0.5, 0.9}) {
    const double segment = std::acos(t) - t * std::sqrt(1 - t * t);
    EXPECT_NEAR(Solid(shape, across).overlap(above(0.5 * t)), segment / pi * whole, 1e-3 * whole);
  }
}

TEST(SolidOverlap, OfAConeThatIsCutAcrossIsThatOfItsTip) {
  const Frustum cone{0.5, 0, 0, 1};
  const double whole = volume_properties(cone).volume;
  for (const double z : {0.1, 0.5, 0.9})
    EXPECT_NEAR(Solid(cone, {}).overlap(above(z)), std::pow(1 - z, 3) * whole, 1e-3 * whole);
}

TEST(SolidOverlap, OfATetrahedronIsExact) {
  const PlacedHull hull =
      convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const Solid solid(Polyhedron{hull.hull.get(), hull.size}, hull.pose);
  for (const double z : {0.0, 0.25, 0.5, 0.9})
    EXPECT_NEAR(solid.overlap(above(z)), std::pow(1 - z, 3) / 6, 1e-15);
  EXPECT_NEAR(solid.overlap({{0, 0, 0}, {0.25, 0.25, 0.25}}), std::pow(0.25, 3), 1e-15);
}

TEST(SolidOverlap, OfAnyShapeIsThatOfCountedPoints) {
  RandomStream random{8, 0};
  const PlacedHull hull = convex_hull(
      std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0.5}, {0.2, 0.9, 0.8}});
  for (const Shape& shape :
       {Shape(Capsule{0.3, 0.4}), Shape(Frustum{0.5, 0.2, -0.3, 0.6}),
        Shape(Superellipsoid{{0.6, 0.4, 0.5}, 4, 3}), Shape(Polyhedron{hull.hull.get(), 0.7})})
    for (int pair = 0; pair < 3; ++pair) {
      const auto jitter = [&] { return random.uniform(-0.3, 0.3); };
      const Pose pose{{jitter(), jitter(), jitter()}, random_orientation(random)};
      const Region region{{-0.3, -0.4, -0.35}, {0.3, 0.25, 0.4}};
      constexpr int kPoints = 40'000;
      int inside = 0;
      for (int k = 0; k < kPoints; ++k) {
        Vec3 p;
        for (int axis = 0; axis < 3; ++axis)
          p[axis] = random.uniform(region.min[axis], region.max[axis]);
        inside += signed_distance(shape, pose, p).distance < 0 ? 1 : 0;
      }
      // Five standard errors of a share, and what polyhedra miss of curved bodies.
      EXPECT_NEAR(Solid(shape, pose).overlap(region), inside * region.volume() / kPoints,
                  region.volume() * 2.5 / 200 + 1e-3 * volume_properties(shape).volume);
    }
}

TEST(SolidOverlap, OfTheCellsOfAGridAddsUpToTheWholeBody) {
  RandomStream random{9, 0};
  for (const Shape& shape : {Shape(Capsule{0.3, 0.4}), Shape(Frustum{0.5, 0, -0.3, 0.6}),
                             Shape(Superellipsoid{{0.6, 0.4, 0.5}, 4, 3})}) {
    const Solid solid(shape, {{1.4, 1.6, 1.5}, random_orientation(random)});
    const Grid grid{{{0, 0, 0}, {3, 3, 3}}, {5, 4, 3}};
    double sum = 0;
    for (std::size_t cell = 0; cell < grid.size(); ++cell) sum += solid.overlap(grid.cell(cell));
    const double whole = volume_properties(shape).volume;
    EXPECT_NEAR(sum, whole, 1e-12 * whole);
  }
}

TEST(SolidOverlap, IsBoundedByHowFarABodyReachesToEitherSide) {
  const Solid cone(Frustum{0.5, 0, -0.25, 0.75}, {{0, 0, 2}, {}});
  EXPECT_NEAR(cone.bounds().min.z, 1.75, 1e-15);
  EXPECT_NEAR(cone.bounds().max.z, 2.75, 1e-15);
  EXPECT_NEAR(cone.bounds().max.x, 0.5, 1e-15);
}

}  // namespace
}  // namespace scree
