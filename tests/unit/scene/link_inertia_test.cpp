/// Inertia of robots' links: the nearest moments that a body can have, and links that are one.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "scene/robots/inertia.hpp"
#include "scree/math/random.hpp"

namespace scree::test {
namespace {

double squared_distance(const Vec3& a, const Vec3& b) { return dot(a - b, a - b); }

/// Moments of a body with the second moments p along its axes.
Vec3 moments_with(const Vec3& p) { return {p.y + p.z, p.z + p.x, p.x + p.y}; }

TEST(LinkInertia, nearest_moments_are_those_of_a_body_and_none_are_nearer) {
  constexpr std::uint64_t kSeed = 1;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  RandomStream random{kSeed, 0};
  const auto between = [&](double low, double high) { return random.uniform(low, high); };
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 given{between(-1, 2), between(-1, 2), between(-1, 2)};
    const Vec3 nearest = robots::nearest_moments(given);
    const double sum = nearest.x + nearest.y + nearest.z;
    for (int k = 0; k < 3; ++k) {
      EXPECT_GE(nearest[k], 0);
      EXPECT_LE(2 * nearest[k], sum + 1e-12);
    }
    // Any body is at least as far, and a body stays as it is
    for (int other = 0; other < 100; ++other) {
      const Vec3 p{std::max(0.0, between(-1, 1)), std::max(0.0, between(-1, 1)),
                   std::max(0.0, between(-1, 1))};
      EXPECT_GE(squared_distance(given, moments_with(p)), squared_distance(given, nearest) - 1e-12);
    }
    EXPECT_LT(squared_distance(robots::nearest_moments(nearest), nearest), 1e-24);
  }
}

TEST(LinkInertia, two_links_that_are_one_have_the_moments_of_both_about_their_common_centre) {
  const auto ball = [](double mass, double x) {
    return robots::Inertia{mass, {x, 0, 0}, 0.1 * mass * Eigen::Matrix3d::Identity()};
  };
  const robots::Inertia both = robots::sum(ball(1, 0), ball(3, 4));
  EXPECT_EQ(both.mass, 4);
  EXPECT_EQ(both.centre.x, 3);
  EXPECT_NEAR(both.tensor(0, 0), 0.4, 1e-15);
  EXPECT_NEAR(both.tensor(1, 1), 0.4 + 1 * 9 + 3 * 1, 1e-14);
}

}  // namespace
}  // namespace scree::test
