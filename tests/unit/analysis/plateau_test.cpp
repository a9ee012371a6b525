/// Plateaus are found where they were put.
#include "scree/analysis/plateau.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "scree/math/random.hpp"

namespace scree {
namespace {

/// The curve of a rate at equal intervals.
Curve curve_of(std::size_t intervals, double interval, const std::function<double(double)>& rate) {
  Curve curve{{0, 0}};
  for (std::size_t k = 0; k < intervals; ++k) {
    const double t = interval * static_cast<double>(k);
    curve.push_back({t + interval, curve.back().amount + interval * rate(t + interval / 2)});
  }
  return curve;
}

TEST(Plateau, OfAConstantRateIsAllOfIt) {
  const auto plateau = plateau_of(curve_of(50, 0.1, [](double) { return 3.0; }));
  ASSERT_TRUE(plateau);
  EXPECT_NEAR(plateau->rate, 3, 1e-12);
  EXPECT_NEAR(plateau->scatter, 0, 1e-6);
  EXPECT_EQ(plateau->intervals, 50u);
  EXPECT_NEAR(plateau->end - plateau->begin, 5, 1e-12);
}

TEST(Plateau, LeavesOutHowAFlowBeginsAndEnds) {
  // Closed for 2 s, opens over 1 s, flows for 5 s, and runs empty over 1 s.
  const auto flow = [](double t) {
    if (t < 2 || t > 9) return 0.0;
    if (t < 3) return 2 * (t - 2);
    return t < 8 ? 2.0 : 2 * (9 - t);
  };
  const auto plateau = plateau_of(curve_of(200, 0.05, flow));
  ASSERT_TRUE(plateau);
  EXPECT_NEAR(plateau->rate, 2, 0.04);
  EXPECT_NEAR(plateau->begin, 3, 0.3);
  EXPECT_NEAR(plateau->end, 8, 0.3);
}

TEST(Plateau, HasTheMeanAndTheScatterThatWerePutIn) {
  int found = 0, within = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomStream random{seed};
    const auto flow = [&](double t) { return t < 1 ? 0 : 5 + 0.5 * random.normal(); };
    const auto plateau = plateau_of(curve_of(220, 0.1, flow));
    ASSERT_TRUE(plateau) << seed;
    ++found;
    EXPECT_NEAR(plateau->rate, 5, 0.25) << seed;
    EXPECT_NEAR(plateau->scatter, 0.5, 0.1) << seed;
    EXPECT_NEAR(plateau->correlated, 0, 0.25) << seed;
    within += std::abs(plateau->rate - 5) < 2 * plateau->error ? 1 : 0;
  }
  // Two standard errors hold the mean in 95 % of all cases; the choice of the stretch takes some.
  EXPECT_GT(within, found * 8 / 10);
}

TEST(Plateau, OfBodiesThatComeInTurnsBeginsWithTheFirstOfThem) {
  // Nothing for eight intervals; then four bodies in every other one, as of a moving row.
  const auto flow = [](double t) { return t < 8 || std::fmod(t, 2) < 1 ? 0.0 : 4.0; };
  const auto plateau = plateau_of(curve_of(40, 1, flow));
  ASSERT_TRUE(plateau);
  EXPECT_GE(plateau->begin, 8);
  EXPECT_NEAR(plateau->rate, 2, 0.1);
  EXPECT_LT(plateau->correlated, -0.8);
}

TEST(Plateau, IsTheHalfInWhichAnythingFlowsOfAFlowThatIsOpenedLate) {
  for (const std::size_t intervals : {20u, 40u, 200u}) {
    const auto half = static_cast<double>(intervals) / 2;
    const auto plateau =
        plateau_of(curve_of(intervals, 1, [half](double t) { return t < half ? 0.0 : 3.0; }));
    ASSERT_TRUE(plateau) << intervals;
    EXPECT_NEAR(plateau->rate, 3, 1e-9);
    EXPECT_NEAR(plateau->begin, half, 1e-9);
  }
}

TEST(Plateau, IsNotFoundInAFlowThatChangesAllTheTime) {
  EXPECT_FALSE(plateau_of(curve_of(12, 1, [](double t) { return t * t; })));
  EXPECT_FALSE(plateau_of(curve_of(100, 1, [](double t) { return t; })));
}

TEST(Plateau, NeedsEightIntervalsAndSomethingThatPasses) {
  EXPECT_FALSE(plateau_of({}));
  EXPECT_FALSE(plateau_of(curve_of(7, 1, [](double) { return 1.0; })));
  EXPECT_TRUE(plateau_of(curve_of(8, 1, [](double) { return 1.0; })));
  EXPECT_FALSE(plateau_of(curve_of(100, 1, [](double) { return 0.0; })));
}

TEST(Plateau, OfTenThousandIntervalsTakesSeveralAsOne) {
  const auto plateau = plateau_of(curve_of(10000, 0.01, [](double t) { return t < 50 ? 1.0 : 0; }));
  ASSERT_TRUE(plateau);
  EXPECT_NEAR(plateau->rate, 1, 0.02);
  EXPECT_NEAR(plateau->end, 50, 2);
}

}  // namespace
}  // namespace scree
