#include "scree/sim/steps.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(StepsUntil, CountsUpToRounding) {
  EXPECT_EQ(steps_until(0.3, 0.1), 3U);
  EXPECT_EQ(steps_until(10, 1e-5), 1000000U);
  EXPECT_EQ(steps_until(0.35, 0.1), 4U) << "a run reaches its end";
  EXPECT_EQ(steps_until(0, 0.1), 0U);
}

}  // namespace
}  // namespace scree
