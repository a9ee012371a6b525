/// Closed loops over very many steps.
#include <gtest/gtest.h>

#include "support/mechanisms.hpp"

namespace scree {
namespace {

TEST(AClosedLoop, DoesNotDriftOpenInAMillionSteps) {
  EXPECT_LT(test::largest_error(test::crank_rocker(1e-3), 1'000'000), 1e-10);
}

}  // namespace
}  // namespace scree
