#include "scree/math/trigonometric.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/math/random.hpp"

namespace scree {
namespace {

using std::numbers::pi;

Direction at_angle(double angle) { return {std::cos(angle), std::sin(angle)}; }

int changes_of_sign(const TrigonometricQuadratic& f) {
  constexpr int kSamples = 4000;
  int changes = 0;
  for (int k = 0; k < kSamples; ++k)
    changes +=
        (f(at_angle(2 * pi * k / kSamples)) > 0) != (f(at_angle(2 * pi * (k + 1) / kSamples)) > 0);
  return changes;
}

void expect_roots(const TrigonometricQuadratic& f, const DirectionRoots& roots) {
  for (int k = 0; k < roots.count; ++k) {
    EXPECT_NEAR(f(roots.at[k]), 0, 2e-15 * f.scale());
    EXPECT_NEAR(dot(roots.at[k], roots.at[k]), 1, 1e-14);
  }
}

TEST(TrigonometricRoots, AreAllThatADenseScanFinds) {
  RandomStream random{7, 0};
  for (int trial = 0; trial < 3000; ++trial) {
    const TrigonometricQuadratic f{random.normal(), random.normal(), random.normal(),
                                   random.normal(), random.normal()};
    const DirectionRoots roots = real_roots(f);
    EXPECT_GE(roots.count, changes_of_sign(f)) << "trial " << trial;
    expect_roots(f, roots);
  }
}

TEST(TrigonometricRoots, AreTheSameByTheFastWayFromAnyHint) {
  RandomStream random{8, 0};
  for (int trial = 0; trial < 100'000; ++trial) {
    // Coefficients that differ by orders of magnitude: near-parallel, nearly first degree, nearly
    // constant.
    const auto coefficient = [&] { return random.normal() * std::pow(10, random.uniform(-6, 0)); };
    const TrigonometricQuadratic f{coefficient(), coefficient(), coefficient(), coefficient(),
                                   coefficient()};
    const DirectionRoots all = real_roots(f),
                         fast = real_roots(f, at_angle(random.uniform(0, 2 * pi)));
    ASSERT_EQ(fast.count, all.count) << "trial " << trial;
    expect_roots(f, fast);
    for (int k = 0; k < all.count; ++k) {
      double nearest = 2;
      for (int j = 0; j < fast.count; ++j)
        nearest =
            std::min(nearest, std::hypot(all.at[k].c - fast.at[j].c, all.at[k].s - fast.at[j].s));
      EXPECT_LT(nearest, 1e-6) << "trial " << trial;
    }
  }
}

TEST(TrigonometricRoots, IncludeDoubleOnes) {
  RandomStream random{9, 0};
  for (int trial = 0; trial < 1000; ++trial) {
    // (1 − cos(α − a)) (c + cos(α − b)): touches zero at a, and crosses it twice more if |c| < 1.
    const Direction a = at_angle(random.uniform(0, 2 * pi)),
                    b = at_angle(random.uniform(0, 2 * pi));
    const TrigonometricQuadratic f =
        TrigonometricLinear{1, -a.c, -a.s} * TrigonometricLinear{random.uniform(-2, 2), b.c, b.s};
    for (const DirectionRoots& roots : {real_roots(f), real_roots(f, b)}) {
      double nearest = 2;
      for (int k = 0; k < roots.count; ++k)
        nearest = std::min(nearest, std::hypot(roots.at[k].c - a.c, roots.at[k].s - a.s));
      EXPECT_LT(nearest, 1e-6) << "trial " << trial;
    }
  }
}

TEST(TrigonometricRoots, AreNotMistakenForExtrema) {
  // Halley's steps are short there, too.
  const TrigonometricQuadratic f{-0.5, 1, 0, 0, 0};
  for (const double angle : {0.0, 1e-12, 1e-9, pi, pi + 1e-9}) {
    Direction e = at_angle(angle);
    EXPECT_FALSE(root_near(f, e) && std::abs(f(e)) > 1e-12) << angle;
    EXPECT_EQ(real_roots(f, at_angle(angle)).count, 2);
    expect_roots(f, real_roots(f, at_angle(angle)));
  }
}

TEST(TrigonometricRoots, OfACosineAreTwo) {
  const TrigonometricQuadratic cosine{0, 1, 0, 0, 0};
  for (const DirectionRoots& roots : {real_roots(cosine), real_roots(cosine, {0.6, 0.8})}) {
    ASSERT_EQ(roots.count, 2);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(std::abs(roots.at[k].s), 1, 1e-15);
  }
}

TEST(TrigonometricRoots, AreNoneWhereThereIsNothingToSolve) {
  EXPECT_EQ(real_roots({1, 0, 0, 0, 0}, {}).count, 0);
  EXPECT_EQ(real_roots({3, 1, 0.5, 0.5, 0.2}, {}).count, 0);
}

}  // namespace
}  // namespace scree
