#include "scree/analysis/solid_fraction.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "scree/math/random.hpp"
#include "unit/analysis/angles.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

using test::kPi;
constexpr double kUnitBall = 4 * kPi / 3;

/// ∫ f over [a, b] by the tanh-sinh rule, which roots at the ends do not disturb.
template <class F>
double integral(double a, double b, const F& f) {
  if (!(a < b)) return 0;
  constexpr double kStep = 1.0 / 16;
  double sum = 0;
  for (int k = -60; k <= 60; ++k) {
    const double t = k * kStep, s = kPi / 2 * std::sinh(t);
    // Distance to the nearer end, so that nothing is lost there.
    const double to_end = (b - a) / (1 + std::exp(2 * std::abs(s)));
    const double x = t < 0 ? a + to_end : b - to_end;
    sum += kPi / 2 * std::cosh(t) / (std::cosh(s) * std::cosh(s)) * f(x);
  }
  return sum * kStep * (b - a) / 2;
}

/// The same piece by piece, cut at ±√c for those c that are positive: f is smooth between.
template <class F>
double integral(double a, double b, std::vector<double> squares, const F& f) {
  std::vector<double> cuts{a, b};
  for (const double c : squares) {
    for (const double x : {-std::sqrt(std::max(c, 0.0)), std::sqrt(std::max(c, 0.0))}) {
      if (x > a && x < b) cuts.push_back(x);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  double sum = 0;
  for (std::size_t k = 1; k < cuts.size(); ++k) sum += integral(cuts[k - 1], cuts[k], f);
  return sum;
}

/// Volume of the unit ball in a box by integration over x and y of the length along z.
double integrated(const Region& box) {
  const Vec3& lo = box.min;
  const Vec3& hi = box.max;
  std::vector<double> x_cuts{1};
  for (const double y : {lo.y, hi.y, 0.0}) {
    for (const double z : {lo.z, hi.z, 0.0}) x_cuts.push_back(1 - y * y - z * z);
  }
  return integral(std::max(lo.x, -1.0), std::min(hi.x, 1.0), x_cuts, [&](double x) {
    const double rho2 = 1 - x * x;
    return integral(lo.y, hi.y, {rho2, rho2 - lo.z * lo.z, rho2 - hi.z * hi.z}, [&](double y) {
      const double half = std::sqrt(std::max(0.0, rho2 - y * y));
      return std::max(0.0, std::min(half, hi.z) - std::max(-half, lo.z));
    });
  });
}

TEST(SphereBoxOverlap, IsWhatNumericalIntegrationFinds) {
  const std::uint64_t seed = 20160101;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  for (int n = 0; n < 200; ++n) {
    Region box;
    for (int k = 0; k < 3; ++k) {
      const double a = random.uniform(-1.3, 1.3), b = random.uniform(-1.3, 1.3);
      box.min[k] = std::min(a, b), box.max[k] = std::max(a, b);
    }
    // The error of the rule dominates where two cuts nearly coincide.
    EXPECT_NEAR(sphere_box_overlap({}, 1, box), integrated(box), 1e-10 * kUnitBall)
        << box.min.x << " " << box.min.y << " " << box.min.z << "; " << box.max.x << " "
        << box.max.y << " " << box.max.z;
  }
}

TEST(SphereBoxOverlap, IsAllOrNothingWhereNoFaceCuts) {
  const Region box{{0, 0, 0}, {4, 5, 6}};
  EXPECT_DOUBLE_EQ(sphere_box_overlap({1, 2, 3}, 1, box), kUnitBall);
  EXPECT_DOUBLE_EQ(sphere_box_overlap({2, 2, 3}, 0.5, box), kUnitBall / 8);
  EXPECT_EQ(sphere_box_overlap({-1, 2, 3}, 1, box), 0);
  // near the edge, within reach of both faces
  EXPECT_NEAR(sphere_box_overlap({-0.9, -0.9, 3}, 1, box), 0, 1e-15);
  EXPECT_NEAR(sphere_box_overlap({-0.6, -0.6, -0.6}, 1, box), 0,
              1e-15);  // near the corner, within reach of three edges
  EXPECT_EQ(sphere_box_overlap({1, 2, 3}, 1, {{1, 1, 1}, {1, 2, 2}}), 0);
  EXPECT_DOUBLE_EQ(sphere_box_overlap({2, 2.5, 3}, 100, box), 120);  // the box inside the sphere
}

TEST(SphereBoxOverlap, HasTheVolumeOfACapAtAFace) {
  for (const double height : {1e-3, 0.1, 0.7, 1.0, 1.5, 1.999}) {
    EXPECT_NEAR(sphere_box_overlap({0, 0, height - 1}, 1, {{-9, -9, 0}, {9, 9, 9}}),
                kPi * height * height * (3 - height) / 3, 1e-14);
  }
}

TEST(SphereBoxOverlap, IsAQuarterAtAnEdgeAndAnEighthAtACorner) {
  EXPECT_NEAR(sphere_box_overlap({1, 2, 3}, 2, {{1, 2, -9}, {9, 9, 9}}), 8 * kUnitBall / 4, 1e-13);
  EXPECT_NEAR(sphere_box_overlap({1, 2, 3}, 2, {{1, 2, 3}, {9, 9, 9}}), 8 * kUnitBall / 8, 1e-13);
  EXPECT_NEAR(sphere_box_overlap({1, 2, 3}, 2, {{-9, -9, 3}, {1, 2, 9}}), 8 * kUnitBall / 8, 1e-13);
}

TEST(SphereBoxOverlap, AddsUpWhenTheBoxIsSplit) {
  const std::uint64_t seed = 7;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  for (int n = 0; n < 1000; ++n) {
    const Vec3 centre{random.uniform(-1, 2), random.uniform(-1, 2), random.uniform(-1, 2)};
    const double radius = std::pow(10, random.uniform(-3, 1));
    const Grid grid{{{0, 0, 0}, {1, 1.5, 0.7}}, {3, 2, 4}};
    double sum = 0;
    for (std::size_t k = 0; k < grid.size(); ++k)
      sum += sphere_box_overlap(centre, radius, grid.cell(k));
    // 24 cells, each with a few roundings of the whole sphere.
    EXPECT_NEAR(sum, sphere_box_overlap(centre, radius, grid.region),
                1e-13 * kUnitBall * radius * radius * radius);
  }
}

TEST(SphereBoxOverlap, IsExactWhereAnEdgeOnlyTouches) {
  // An edge of the box is a tangent of the sphere, or a corner lies on it, to rounding.
  for (const double angle : {1e-9, 1e-4, 0.3, 0.785, 1.2}) {
    const double c = std::cos(angle), s = std::sin(angle);
    EXPECT_NEAR(sphere_box_overlap({}, 1, {{c, s, -2}, {2, 2, 2}}), 0, 1e-14);
    EXPECT_NEAR(
        sphere_box_overlap({}, 1, {{-2, -2, -2}, {c, s, 2}}),
        kUnitBall - kPi * (1 - c) * (1 - c) * (2 + c) / 3 - kPi * (1 - s) * (1 - s) * (2 + s) / 3,
        1e-14);
    EXPECT_NEAR(sphere_box_overlap({}, 1, {{c * 0.6, s * 0.6, 0.8}, {2, 2, 2}}), 0, 1e-14);
  }
}

TEST(SolidFraction, IsThatOfTheLatticeOverWholeCells) {
  // Shifted, so that faces cut spheres at all heights.
  const Region cells{{0.3, -0.1, 0.77}, {4.3, 3.9, 4.77}};
  const auto cubic = simple_cubic(8, 1, {-2, -2, -2});
  EXPECT_NEAR(solid_fraction(cubic, std::vector<double>(cubic.size(), 0.5), cells), kPi / 6, 1e-13);
  const auto fcc = face_centred_cubic(8, 1, {-2, -2, -2});
  EXPECT_NEAR(solid_fraction(fcc, std::vector<double>(fcc.size(), std::sqrt(2) / 4), cells),
              kPi / (3 * std::sqrt(2)), 1e-13);
}

TEST(SolidFraction, OfAnEmptyRegionIsZero) {
  const std::vector<Vec3> position{{0, 0, 0}};
  EXPECT_EQ(solid_fraction(position, std::vector<double>{1}, {{0, 0, 0}, {1, 1, 0}}), 0);
  EXPECT_EQ(solid_fraction(std::vector<Vec3>{}, std::vector<double>{}, {{0, 0, 0}, {1, 1, 1}}), 0);
}

TEST(BoundingRegion, HasEveryPointAndNoneMore) {
  const std::vector<Vec3> position{{1, 2, 3}, {-1, 5, 4}, {NAN, 9, 9}};
  const Region box = bounding_region(position);
  EXPECT_TRUE(box.contains(position[0]) && box.contains(position[1]));
  EXPECT_EQ(box.min, (Vec3{-1, 2, 3}));
  EXPECT_NEAR(norm(box.max - Vec3{1, 5, 4}), 0, 1e-14);
  EXPECT_EQ(bounding_region({}).volume(), 0);
}

TEST(Grids, FindTheCellOfAPoint) {
  const Grid grid{{{0, 0, 0}, {1, 1.5, 0.7}}, {3, 2, 4}};
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const Region cell = grid.cell(k);
    EXPECT_EQ(grid.cell_of(0.5 * (cell.min + cell.max)), k);
  }
  EXPECT_EQ(grid.cell(grid.size() - 1).max, grid.region.max);
}

}  // namespace
}  // namespace scree
