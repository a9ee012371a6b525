#include <cmath>
#include <gtest/gtest.h>

#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using namespace shape_pairs;

/// Shapes as slender, and exponents as high, as scenes may have them.
Shape slender_shape(RandomStream& random) {
  constexpr double kThinnest = 0.01;
  const auto length = [&] { return std::exp(random.uniform(std::log(kThinnest), 0)); };
  switch (static_cast<int>(random.uniform(0, 6))) {
    case 0:
      return Capsule{length(), 1};
    case 1:
      return Cylinder{length(), length()};
    case 2:
      return Frustum{length(), random.uniform(0, 1) < 0.5 ? 0 : length(), -length(), length()};
    case 3:
      return Superellipsoid{{length(), length(), 1}};
    case 4:
      return Superellipsoid{{length(), length(), 1}, random.uniform(2, 10), random.uniform(2, 10)};
    default:
      return Box{{length(), length(), 1}};
  }
}

TEST(SlenderPairs, HaveTheSeparationOfTheBestPlaneBetweenThem) {
  RandomStream random{31, 0};
  for (int k = 0; k < 100; ++k) {
    const Placed a{slender_shape(random), {{}, random_orientation(random)}},
        b{slender_shape(random),
          {random.uniform(0.02, 2) * random_direction(random), random_orientation(random)}};
    const auto [distance, normal] = separation(a.shape, a.pose, b.shape, b.pose);
    const double size =
        std::min(-signed_distance(a.shape, {}).distance, -signed_distance(b.shape, {}).distance);
    ASSERT_TRUE(std::isfinite(distance) && is_finite(normal)) << k;
    ASSERT_NEAR(width(a, b, normal), distance, 1e-9 * size) << k;
    // No plane has more room. Of those apart that is the distance; of those that overlap deeply the
    // way out may be a longer one.
    if (distance > -0.02 * size)
      EXPECT_LT(greatest_width(a, b, random), distance + 1e-9 * size) << k;
  }
}

}  // namespace
}  // namespace scree
