#include <gtest/gtest.h>

#ifdef SCREE_HAVE_FCL
#include "unit/collision/oracles.hpp"
#endif

namespace scree {
namespace {

TEST(RandomPairs, HaveTheDistancesOfFclAndOverlapWhereLibccdSaysSo) {
#ifdef SCREE_HAVE_FCL
  const oracles::Tally tally = oracles::compare(SCREE_ORACLE_PAIRS, 7);
  std::printf("%zu pairs by FCL, %zu differ; %zu by libccd, %zu differ; %zu misses\n", tally.by_fcl,
              tally.fcl_differs, tally.by_ccd, tally.ccd_differs, tally.misses);
  EXPECT_EQ(tally.misses, 0U);
  EXPECT_GT(tally.by_fcl, tally.by_ccd);
#else
  GTEST_SKIP() << "libfcl-dev and libccd-dev are not installed";
#endif
}

}  // namespace
}  // namespace scree
