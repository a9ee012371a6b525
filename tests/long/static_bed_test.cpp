// The same for a bed that takes minutes.
#include "support/static_bed.hpp"

namespace scree {
namespace {

TEST(ABedOf5000SoftGrains, ComesToRestWithForcesInBalance) {
  EXPECT_LT(test::unbalanced_after_settling(5000, 2.5), 1e-6);
}

}  // namespace
}  // namespace scree
