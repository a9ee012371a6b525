#include "scree/math/polynomial.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace scree {
namespace {

Quartic from_roots(double a, double b, double c, double d) {
  return {a * b * c * d, -(a * b * c + a * b * d + a * c * d + b * c * d),
          a * b + a * c + a * d + b * c + b * d + c * d, -(a + b + c + d), 1};
}

TEST(SignChanges, AreTheRootsInside) {
  const QuarticRoots roots = sign_changes(from_roots(-0.5, 0.25, 0.75, 2));
  ASSERT_EQ(roots.count, 3);
  EXPECT_NEAR(roots.at[0], -0.5, 1e-15);
  EXPECT_NEAR(roots.at[1], 0.25, 1e-15);
  EXPECT_NEAR(roots.at[2], 0.75, 1e-15);
}

TEST(SignChanges, HaveAllTheirDigitsHoweverSmallTheyAre) {
  // (t − s)(1 + t + t²) for small s: all coefficients but the first are of size one.
  for (const double s : {1e-3, 1e-8, 1e-15, 1e-100}) {
    const QuarticRoots roots = sign_changes({-s, 1 - s, 1 - s, 1, 0});
    ASSERT_EQ(roots.count, 1) << s;
    EXPECT_NEAR(roots.at[0], s, 1e-15 * s);
  }
}

TEST(SignChanges, AreNoneWhereThereIsNone) {
  EXPECT_EQ(sign_changes({1, 0, 1, 0, 1}).count, 0);
  EXPECT_EQ(sign_changes({0, 0, 0, 0, 0}).count, 0);
  EXPECT_EQ(sign_changes({1, 0, 0, 0, 0}).count, 0);
}

}  // namespace
}  // namespace scree
