#include "scree/core/decimal.hpp"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace scree {
namespace {

TEST(DecimalMultiples, AreTheNumbersThatAreMeant) {
  EXPECT_EQ(decimal_multiple(3, 0.1), 0.3);
  EXPECT_EQ(decimal_multiple(3, 2e-4), 6e-4);
  EXPECT_EQ(decimal_multiple(600, 1e-4), 0.06);
  EXPECT_EQ(decimal_multiple(300, 2e-4), 0.06);
  EXPECT_EQ(decimal_multiple(7, 5e-6), 3.5e-5);
  EXPECT_EQ(decimal_multiple(3, 10, 100), 0.3);
  EXPECT_EQ(decimal_multiple(3, 0.007, 10), 0.0021);
  EXPECT_EQ(decimal_multiple(4, -2.5), -10);
  EXPECT_EQ(decimal_multiple(0, 1e-4), 0);
  EXPECT_EQ(decimal_multiple(1000000000000, 1e-6), 1e6);
}

TEST(DecimalMultiples, ReadBackFromTheirDecimalDigits) {
  for (int exponent = -9; exponent <= 2; ++exponent)
    for (const int digits : {1, 2, 5, 25, 125, 1234})
      for (const std::uint64_t n : {1, 3, 7, 10, 333, 123457}) {
        const double x =
            std::strtod((std::to_string(digits) + "e" + std::to_string(exponent)).c_str(), nullptr);
        const std::string product = std::to_string(n * static_cast<std::uint64_t>(digits));
        EXPECT_EQ(decimal_multiple(n, x),
                  std::strtod((product + "e" + std::to_string(exponent)).c_str(), nullptr))
            << n << " of " << x;
      }
}

TEST(DecimalMultiples, OfNumbersWithMoreDigitsAreThoseOfDoubles) {
  for (const double x : {1.0 / 3, 1e-4 / 7, 3e-40, 1e300, 5e22})
    for (const std::uint64_t n : {1ULL, 3ULL, 1ULL << 60}) {
      EXPECT_EQ(decimal_multiple(n, x), static_cast<double>(n) * x);
      EXPECT_EQ(decimal_multiple(n, x, 7), static_cast<double>(n) * x / 7);
    }
  EXPECT_TRUE(std::isnan(decimal_multiple(2, std::nan(""))));
  EXPECT_EQ(decimal_multiple(2, std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
}

TEST(DecimalMeans, AreTheNumbersThatAreMeant) {
  EXPECT_EQ(decimal_mean(1, 0.01, 1, 0.07), 0.04);
  EXPECT_EQ(decimal_mean(17, -0.05, 3, 0.05), -0.035);
  EXPECT_EQ(decimal_mean(3, 0.0015, 1, 0.003), 0.001875);
  EXPECT_EQ(decimal_mean(1, 1.0 / 3, 1, 2.0 / 3), (1.0 / 3 + 2.0 / 3) / 2);
}

}  // namespace
}  // namespace scree
