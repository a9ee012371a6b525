#include "scree/math/trigonometric.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/math/random.hpp"

namespace scree {
namespace {

using std::numbers::pi;

TEST(TrigonometricRoots, AreAllThatADenseScanFinds) {
  RandomStream random{7, 0};
  for (int trial = 0; trial < 3000; ++trial) {
    const TrigonometricQuadratic f{random.normal(), random.normal(), random.normal(), random.normal(), random.normal()};
    int changes = 0;
    constexpr int kSamples = 4000;
    for (int k = 0; k < kSamples; ++k)
      changes += (f(2 * pi * k / kSamples) > 0) != (f(2 * pi * (k + 1) / kSamples) > 0);
    const AngleRoots roots = real_roots(f);
    EXPECT_GE(roots.count, changes) << "trial " << trial;
    EXPECT_LE(roots.count, 4) << "trial " << trial;
    for (int k = 0; k < roots.count; ++k) EXPECT_NEAR(f(roots.angle[k]), 0, 1e-13);
  }
}

TEST(TrigonometricRoots, IncludeDoubleOnes) {
  // 1 − cos(α − 0.3) touches zero once.
  const AngleRoots roots = real_roots({1, -std::cos(0.3), -std::sin(0.3), 0, 0});
  ASSERT_GE(roots.count, 1);
  EXPECT_NEAR(roots.angle[0], 0.3, 1e-7);
}

TEST(TrigonometricRoots, OfASineAreFoundAtTheEndsOfTheHalfCircles) {
  const AngleRoots roots = real_roots({0, 1, 0, 0, 0});  // cos α
  ASSERT_GE(roots.count, 2);
  for (int k = 0; k < roots.count; ++k) EXPECT_NEAR(std::abs(roots.angle[k]), pi / 2, 1e-12);
}

}  // namespace
}  // namespace scree
