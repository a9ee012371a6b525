#include "scree/geometry/domain.hpp"

#include <gtest/gtest.h>
#include <set>
#include <tuple>

#include "scree/math/random.hpp"
#include "unit/geometry/random_point.hpp"

namespace scree {
namespace {

using test::random_point;

TEST(ADomainWithoutBounds, HasPlainDifferencesBitForBit) {
  const Domain domain;
  const Vec3 a{-0.0, 1e300, 0.1}, b{-0.0, -1e300, 0.3};
  EXPECT_EQ(domain.separation(a, b), b - a);
  EXPECT_TRUE(std::signbit(domain.nearest(a, b).x));
  EXPECT_EQ(domain.nearest(a, b), b);
  EXPECT_EQ(domain.home(a), a);
  EXPECT_EQ(Domain(Vec3{}).separation(a, b), b - a);
}

TEST(ADomainThatRepeats, KnowsTheShortestOfAllWaysToAnImage) {
  const Vec3 period{1.5, 0, 2};
  const Domain domain(period);
  RandomStream random{1, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 a = random_point(random, 5), b = random_point(random, 5);
    double min_value = norm(b - a);
    for (int x = -8; x <= 8; ++x)
      for (int z = -8; z <= 8; ++z)
        min_value = std::min(min_value, norm(b + Vec3{x * period.x, 0, z * period.z} - a));
    const Vec3 way = domain.separation(a, b);
    EXPECT_NEAR(norm(way), min_value, 1e-14);
    EXPECT_EQ(domain.separation(b, a), -way);
    EXPECT_NEAR(norm(domain.nearest(a, b) - a - way), 0, 1e-14);
  }
}

TEST(ADomainThatLeans, HasTheSameImagesAsItsEdgesMake) {
  const UpperTriangle edges{1.5, 1.2, 2, 0.7, -0.9, 0.55};
  const Domain domain(edges, {});
  RandomStream random{3, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 a = random_point(random, 5), b = random_point(random, 5);
    const Vec3 way = domain.separation(a, b), home = domain.home(a);
    EXPECT_EQ(domain.separation(b, a), -way);
    int nearer = 0;
    double nearest_image = 1e300, home_image = 1e300;
    for (int x = -16; x <= 16; ++x)
      for (int y = -12; y <= 12; ++y)
        for (int z = -8; z <= 8; ++z) {
          const Vec3 shift = edges * Vec3{1.0 * x, 1.0 * y, 1.0 * z}, to_image = b + shift - a;
          nearer += norm(to_image) < norm(way) - 1e-12;
          nearest_image = std::min(nearest_image, norm(to_image - way));
          home_image = std::min(home_image, norm(a + shift - home));
        }
    EXPECT_LT(nearest_image, 1e-13) << "it is an image";
    // Whoever is nearer than half the least period is found, whatever the lean.
    if (norm(way) < 0.6) EXPECT_EQ(nearer, 0);
    EXPECT_LT(home_image, 1e-13);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GE(home[axis], -1e-15);
      EXPECT_LE(home[axis], edges.diagonal()[axis]);
    }
  }
}

TEST(ADomainThatLeans, ShowsABoxAllImagesThatReachIt) {
  const UpperTriangle edges{1.5, 1.2, 2, 0.7, -0.9, 0.55};
  const Domain domain(edges, {});
  RandomStream random{4, 0};
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 point = random_point(random, 5), low = random_point(random, 5),
               high = low + Vec3{2.2, 0.4, 3.1};
    const double reach = 0.3;
    int found = 0, expected = 0;
    domain.for_each_image_in(low, high, point, reach, [&](const Vec3& image, const Vec3& shift) {
      ++found;
      EXPECT_NEAR(norm(image - point - edges * shift), 0, 1e-14);
    });
    for (int x = -30; x <= 30; ++x)
      for (int y = -25; y <= 25; ++y)
        for (int z = -12; z <= 12; ++z) {
          const Vec3 image = point + edges * Vec3{1.0 * x, 1.0 * y, 1.0 * z};
          bool near = true;
          for (int axis = 0; axis < 3; ++axis)
            near = near && image[axis] > low[axis] - reach && image[axis] < high[axis] + reach;
          expected += near;
        }
    EXPECT_EQ(found, expected);
  }
}

TEST(AFlow, IsUndoneExactly) {
  const UpperTriangle flow{-0.5, 0.25, 1, 3, -2, 0.7};
  const Vec3 was{0.3, -2, 0.7}, now = was + 0.01 * (flow * was);
  EXPECT_NEAR(norm(before_flow(flow, 0.01, now) - was), 0, 1e-15);
}

TEST(ADomainThatRepeats, SeesAPairOfPlacesFromOneImageOfEach) {
  const Domain domain(Vec3{1.5, 0, 2});
  RandomStream random{2, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 a = random_point(random, 5), b = random_point(random, 5);
    const double reach = norm(domain.separation(a, b)) + 1e-9;
    int seen = 0;
    std::set<std::tuple<double, double, double>> shifts;
    domain.for_each_image(a, reach, [&](const Vec3& image, const Vec3& shift) {
      EXPECT_TRUE(shifts.insert({shift.x, shift.y, shift.z}).second) << "an image reported twice";
      if (shift != domain.nearest_shift(a, b)) return;
      ++seen;
      EXPECT_NEAR(norm(domain.home(b) - image - domain.separation(a, b)), 0, 1e-14);
    });
    EXPECT_EQ(seen, 1);
    EXPECT_EQ(domain.nearest_shift(b, a), -domain.nearest_shift(a, b));
  }
}

}  // namespace
}  // namespace scree
