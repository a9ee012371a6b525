#include "run/sampling.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace scree {
namespace {

std::vector<std::uint64_t> samples(double interval, double h, std::uint64_t last,
                                   Sampling::Zero zero) {
  Sampling sampling(interval, h, zero);
  std::vector<std::uint64_t> steps;
  for (std::uint64_t step = 0; step <= last; ++step) {
    if (sampling.is_due(step)) steps.push_back(step);
  }
  return steps;
}

TEST(Sampling, TakesTheFirstStepAlways) {
  EXPECT_EQ(samples(0, 1e-3, 7, Sampling::Zero::first_only), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(samples(4e-3, 1e-3, 7, Sampling::Zero::first_only), (std::vector<std::uint64_t>{0, 4}));
}

TEST(Sampling, TakesEveryStepForAnIntervalOfZeroOrShorterThanAStep) {
  EXPECT_EQ(samples(0, 1e-3, 3, Sampling::Zero::every_step),
            (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(samples(1e-4, 1e-3, 3, Sampling::Zero::first_only),
            (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(Sampling, TakesTheNearestStepWhenTheIntervalIsNoMultipleOfTheStep) {
  EXPECT_EQ(samples(2.5e-3, 1e-3, 10, Sampling::Zero::first_only),
            (std::vector<std::uint64_t>{0, 3, 5, 8, 10}));
}

TEST(Sampling, DoesNotDriftOverAMillionSteps) {
  // 0.1 s and 1e-5 s have no exact representation; still each sample is at a multiple of 10 000
  // steps.
  const auto steps = samples(0.1, 1e-5, 1000000, Sampling::Zero::first_only);
  ASSERT_EQ(steps.size(), 101U);
  for (std::size_t k = 0; k < steps.size(); ++k) EXPECT_EQ(steps[k], 10000 * k);
}

}  // namespace
}  // namespace scree
