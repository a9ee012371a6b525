#include "scree/core/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace scree {
namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum.value();
}

TEST(ExactSum, KeepsWhatPlainSumsLose) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({1e16, 1, 1, -1e16}), 2);
  EXPECT_EQ(sum_of({0.1, -0.1}), 0);
  EXPECT_EQ(sum_of({-3, 1}), -2);
  EXPECT_EQ(sum_of({5e-324, 5e-324}), 1e-323);
  EXPECT_EQ(sum_of({1e300, 5e-324, -1e300}), 5e-324);
  const double max_value = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({max_value, max_value, -max_value}), max_value);
  EXPECT_EQ(sum_of({max_value, max_value}), std::numeric_limits<double>::infinity());
}

TEST(ExactSum, IsThatOfLongDoublesToTheLastBits) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> terms(1 + random() % 300);
    long double expected = 0, size = 0;
    for (double& term : terms) {
      term = normal(random) * std::pow(10, static_cast<int>(random() % 6));
      expected += term, size += std::abs(term);
    }
    EXPECT_NEAR(sum_of(terms), static_cast<double>(expected),
                std::abs(sum_of(terms)) * 3e-16 + static_cast<double>(size) * 1e-17);
  }
}

TEST(ExactSum, HasTheSameBitsInAnyOrderAndInAnyParts) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> terms(500);
    for (double& term : terms) {
      const double magnitude = std::ldexp(1.0, static_cast<int>(random() % 400) - 200);
      term = magnitude * (static_cast<double>(random() >> 11) * 0x1p-52 - 1);
    }
    const double expected = sum_of(terms);
    std::ranges::shuffle(terms, random);
    EXPECT_EQ(sum_of(terms), expected);
    ExactSum parts[7], whole;
    for (const double term : terms) parts[random() % 7].add(term);
    for (const ExactSum& part : parts) whole += part;
    EXPECT_EQ(whole.value(), expected);
  }
}

TEST(ExactSum, RoundsOnceSoThatScalingByPowersOfTwoScalesItsBits) {
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-120}), std::nextafter(1, 2)) << "just above the middle";
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1) << "the middle goes to the even one";
  EXPECT_EQ(sum_of({1, 0x1p-53, -0x1p-120}), 1);
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> terms(20), scaled(20);
    const int power = static_cast<int>(random() % 200) - 100;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      terms[k] = std::ldexp(static_cast<double>(random() >> 11), -static_cast<int>(random() % 80));
      scaled[k] = std::ldexp(terms[k], power);
    }
    EXPECT_EQ(sum_of(scaled), std::ldexp(sum_of(terms), power));
  }
}

TEST(ExactSum, TellsOfTermsThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({1, infinity}), infinity);
  EXPECT_TRUE(std::isnan(sum_of({infinity, 2, -infinity})));
  EXPECT_TRUE(std::isnan(sum_of({std::nan(""), 1})));
}

}  // namespace
}  // namespace scree
