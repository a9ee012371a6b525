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

/// Number of passing bodies, with the mean `mean`, each independent (Poisson).
double poisson(RandomStream& random, double mean) {
  double passed = -1;
  for (double waited = 0; waited < mean; ++passed) waited -= std::log(1 - random.uniform());
  return passed;
}

/// Flows with twenty bodies an interval during a steady stretch of a hundred intervals.
struct Flows {
  double rate = 0, end = 0, error = 0;  ///< in the mean [-], of the even rate and of the duration
  double square = 0;                    ///< mean square of what the rate is off [-]
  int within = 0;                       ///< whose even rate is within two errors of what was found
  int whole = 0;                        ///< that lost less than a twentieth of their intervals
};
constexpr int kFlows = 200;

Flows of_flows(const std::function<double(double)>& share) {
  constexpr int kIntervals = 100;
  Flows flows;
  for (std::uint64_t seed = 1; seed <= kFlows; ++seed) {
    RandomStream random{seed};
    const auto plateau = plateau_of(curve_of(kIntervals, 1, [&](double t) {
      const double mean = 20 * share(t / kIntervals);
      return mean > 0 ? poisson(random, mean) : 0;
    }));
    if (!plateau) continue;
    const double off = plateau->rate / 20 - 1;
    flows.rate += (1 + off) / kFlows;
    flows.square += off * off / kFlows;
    flows.end += plateau->end / kIntervals / kFlows;
    flows.error += plateau->error / 20 / kFlows;
    if (std::abs(off) < 2 * plateau->error / 20) ++flows.within;
    if (plateau->intervals > 95) ++flows.whole;
  }
  return flows;
}

TEST(Plateau, OfBodiesThatPassAtRandomIsTheWholeOfAnEvenFlow) {
  const Flows flows = of_flows([](double) { return 1; });
  // A hundred intervals of twenty: 1 / sqrt(2000) = 2.2 %.
  EXPECT_NEAR(flows.rate, 1, 0.005);
  EXPECT_NEAR(flows.error, 0.0224, 0.005);
  EXPECT_GT(flows.whole, kFlows * 19 / 20);
  EXPECT_GT(flows.within, kFlows * 9 / 10);
}

TEST(Plateau, LeavesOutHowAFlowThatScattersRunsEmpty) {
  struct Tail {
    const char* name;
    double begins;
    std::function<double(double)> share;
    double latest;  // end to be found in the mean: scatter hides how a slow fall begins
  };
  const Tail tails[] = {
      {"falls to nothing", 0.8, [](double t) { return t < 0.8 ? 1 : (1 - t) / 0.2; }, 0.86},
      {"falls to a third", 0.7, [](double t) { return t < 0.7 ? 1 : 1 - (t - 0.7) / 0.45; }, 0.79},
      {"is short", 0.95, [](double t) { return t < 0.95 ? 1 : 0.5; }, 0.96},
      {"is a step", 0.9, [](double t) { return t < 0.9 ? 1 : 0.7; }, 0.92},
  };
  for (const Tail& tail : tails) {
    const Flows flows = of_flows(tail.share);
    EXPECT_NEAR(flows.rate, 1, 0.01) << tail.name;
    EXPECT_GT(flows.end, tail.begins - 0.04) << tail.name;
    EXPECT_LT(flows.end, tail.latest) << tail.name;
    // The error is that of the rates: two of them hold the even rate in 95 % of all flows; what of
    // the tail is left takes some.
    EXPECT_GT(flows.within, kFlows * 9 / 10) << tail.name;
    EXPECT_NEAR(flows.error / std::sqrt(flows.square), 1, 0.2) << tail.name;
  }
}

TEST(Plateau, TellsInItsErrorThatTheRateDrifts) {
  // A rate that falls from 1.22 to 0.78 while it goes up and down by as much hides how it falls.
  const auto flow = [](double t) {
    return 1 - 0.04 * (t - 6) + (std::fmod(t, 4) < 2 ? 0.3 : -0.3);
  };
  const auto plateau = plateau_of(curve_of(12, 1, flow));
  ASSERT_TRUE(plateau);
  ASSERT_EQ(plateau->intervals, 12u);
  double slope = 0;  // of the line of least squares
  for (int k = 0; k < 12; ++k) slope += (k - 5.5) * flow(k + 0.5) / 143;
  double squares = 0;  // of what the line departs from its mean
  for (int k = 0; k < 12; ++k) squares += std::pow(slope * (k - 5.5), 2);
  EXPECT_NEAR(plateau->error, std::sqrt(squares / 12), 1e-9);
  EXPECT_GT(plateau->error, 1.5 * plateau->scatter / std::sqrt(12));
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
