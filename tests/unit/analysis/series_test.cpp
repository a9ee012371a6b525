/// Figures of series that are known.
#include "scree/analysis/series.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

namespace scree {
namespace {

TEST(Series, HasTheFiguresOfItsNumbers) {
  const Series series = series_of(std::array{1.0, 2.0, 3.0, 4.0});
  EXPECT_EQ(series.count, 4);
  EXPECT_DOUBLE_EQ(series.mean, 2.5);
  EXPECT_DOUBLE_EQ(series.scatter, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(series.error, std::sqrt(5.0 / 12));
  EXPECT_DOUBLE_EQ(series.correlated, 0.25);  // (0.75 - 0.25 + 0.75) / 5
  EXPECT_DOUBLE_EQ(series_of(std::array{1.0, -1.0, 1.0, -1.0}).correlated, -0.75);
}

TEST(Series, OfFewNumbersHasNoScatter) {
  EXPECT_EQ(series_of({}).count, 0);
  const Series one = series_of(std::array{3.0});
  EXPECT_EQ(one.mean, 3);
  EXPECT_EQ(one.scatter, 0);
  EXPECT_EQ(series_of(std::array{3.0, 3.0, 3.0}).correlated, 0);
}

}  // namespace
}  // namespace scree
