#include <cstdio>
#include <gtest/gtest.h>

#ifdef SCREE_HAVE_FCL
#include "oracles/pairs.hpp"
#endif

namespace scree {
namespace {

#ifdef SCREE_HAVE_FCL
class RandomPairs : public testing::TestWithParam<int> {};

TEST_P(RandomPairs, HaveTheDistancesOfFclOverlapWhereLibccdSaysSoAndAreProved) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const oracles::Tally tally = oracles::compare(SCREE_ORACLE_PAIRS, seed);
  std::printf("%zu pairs by FCL, %zu differ; %zu by libccd, %zu differ; %zu proved, %zu misses\n",
              tally.by_fcl, tally.fcl_differs, tally.by_ccd, tally.ccd_differs, tally.proved,
              tally.misses);
  EXPECT_EQ(tally.misses, 0U);
  EXPECT_GT(tally.by_fcl, tally.by_ccd);
}

INSTANTIATE_TEST_SUITE_P(Seed, RandomPairs, testing::Range(0, SCREE_ORACLE_SEEDS));
#else
TEST(RandomPairs, HaveTheDistancesOfFclOverlapWhereLibccdSaysSoAndAreProved) {
  GTEST_SKIP() << "libfcl-dev and libccd-dev are not installed";
}
#endif

}  // namespace
}  // namespace scree
