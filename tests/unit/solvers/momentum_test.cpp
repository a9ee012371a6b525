#include "scree/solvers/momentum.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace scree {
namespace {

/// Blocks of one number. All but one shrink by a hundredth in an iteration; that one jumps to and
/// fro for ever, as a contact does that sticks and slips in turn.
constexpr int kBlocks = 100;
using Blocks = std::array<double, kBlocks>;

Blocks iterated(Blocks x) {
  x[0] = x[0] > 0 ? -1 : 1;
  for (int k = 1; k < kBlocks; ++k) x[k] *= 0.99;
  return x;
}

/// Iterations until those that shrink are 1e-6 of what they were.
template <class BetaOf>
int iterations(const BetaOf& beta_of) {
  Blocks y, last;
  y.fill(1);
  last.fill(1);
  for (int iteration = 1; iteration < 10'000; ++iteration) {
    const Blocks x = iterated(y);
    if (std::abs(x[1]) < 1e-6) return iteration;
    Votes votes;
    for (int k = 0; k < kBlocks; ++k) votes.count((y[k] - x[k]) * (x[k] - last[k]));
    const double beta = beta_of(votes);
    for (int k = 0; k < kBlocks; ++k) y[k] = extrapolated(x[k], last[k], beta);
    last = x;
  }
  return 10'000;
}

TEST(Momentum, BringsManyBlocksSoonerThoughOneOfThemNeverComesToRest) {
  const int without = iterations([](const Votes&) { return 0.0; });
  NesterovSequence sequence;
  const int with =
      iterations([&](const Votes& votes) { return sequence.next(votes.share_against()); });
  EXPECT_EQ(without, 1375);  // ln 1e-6 / ln 0.99
  EXPECT_LT(with, without / 5);
}

TEST(Momentum, IsThatOfNesterovWhereNoneVotesAgainstIt) {
  // θ is 1, the golden ratio φ, (1 + sqrt(1 + 4 φ²)) / 2 and so on
  NesterovSequence sequence;
  EXPECT_EQ(sequence.next(0), 0);
  EXPECT_NEAR(sequence.next(0), 0.281754, 1e-6);
  EXPECT_NEAR(sequence.next(0), 0.434043, 1e-6);
}

TEST(Momentum, BeginsAnewWhereAllVoteAgainstIt) {
  NesterovSequence sequence;
  for (int k = 0; k < 50; ++k) sequence.next(0);
  EXPECT_GT(sequence.next(0), 0.9);
  EXPECT_EQ(sequence.next(1), 0);
  EXPECT_EQ(sequence.next(0), 0);
}

TEST(Momentum, OfBlocksThatDoNotMoveHasNoVotesAgainstIt) {
  Votes votes;
  votes.count(0);
  EXPECT_EQ(votes.share_against(), 0);
}

}  // namespace
}  // namespace scree
