#include "scree/math/quaternion.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(TheRotationBetweenVectors, TakesOneToTheOtherHoweverNearlyOppositeTheyAre) {
  for (const double angle : {2.0, 1.0, 1e-2, 1e-4, 1e-6, 1e-8, 1e-12}) {
    const Vec3 to{std::sin(angle) * 0.6, -std::sin(angle) * 0.8, -std::cos(angle)};
    const Quaternion q = rotation_between({0, 0, 1}, to);
    EXPECT_NEAR(norm(q), 1, 1e-15) << angle;
    const Vec3 got = rotate(q, {0, 0, 1});
    EXPECT_NEAR(got.x, to.x, 4e-16 * angle) << angle;
    EXPECT_NEAR(got.y, to.y, 4e-16 * angle) << angle;
    EXPECT_NEAR(got.z, to.z, 1e-15) << angle;
  }
}

TEST(TheRotationBetweenVectors, IsHalfATurnBetweenOppositeOnes) {
  for (const Vec3& a : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0.6, -0.8, 0}}) {
    const Vec3 got = rotate(rotation_between(a, -a), a);
    EXPECT_NEAR(norm(got + a), 0, 4e-16);
  }
}

}  // namespace
}  // namespace scree
