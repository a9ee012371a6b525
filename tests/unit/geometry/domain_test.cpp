#include "scree/geometry/domain.hpp"

#include <gtest/gtest.h>
#include <set>
#include <tuple>

#include "scree/math/random.hpp"

namespace scree {
namespace {

Vec3 random_point(RandomStream& random) {
  return {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
}

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
    const Vec3 a = random_point(random), b = random_point(random);
    double least = norm(b - a);
    for (int x = -8; x <= 8; ++x)
      for (int z = -8; z <= 8; ++z)
        least = std::min(least, norm(b + Vec3{x * period.x, 0, z * period.z} - a));
    const Vec3 way = domain.separation(a, b);
    EXPECT_NEAR(norm(way), least, 1e-14);
    EXPECT_EQ(domain.separation(b, a), -way);
    EXPECT_NEAR(norm(domain.nearest(a, b) - a - way), 0, 1e-14);
  }
}

TEST(ADomainThatRepeats, SeesAPairOfPlacesFromOneImageOfEach) {
  const Domain domain(Vec3{1.5, 0, 2});
  RandomStream random{2, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 a = random_point(random), b = random_point(random);
    const double reach = norm(domain.separation(a, b)) + 1e-9;
    int seen = 0;
    std::set<std::tuple<double, double, double>> shifts;
    domain.for_each_image(a, reach, [&](const Vec3& image, const Vec3& shift) {
      EXPECT_TRUE(shifts.insert({shift.x, shift.y, shift.z}).second) << "an image told twice";
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
