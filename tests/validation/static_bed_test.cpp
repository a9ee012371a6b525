// A bed of soft grains under gravity comes to rest: forces on each of them balance.
#include "support/static_bed.hpp"

namespace scree {
namespace {

TEST(ABedOf500SoftGrains, ComesToRestWithForcesInBalance) {
  EXPECT_LT(test::unbalanced_after_settling(500, 1.2), 1e-6);
}

}  // namespace
}  // namespace scree
