/// The order of points along a space-filling curve.
#include "view/curve_order.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace scree::view {
namespace {

TEST(CurveOrder, NamesEachPointOnce) {
  std::vector<Vec3> points;
  for (int i = 0; i < 1000; ++i) points.push_back({i % 7 * 0.3, i % 11 * 0.1, i % 13 * 1.0});
  std::vector<std::uint32_t> order = curve_order(points), all(points.size());
  std::iota(all.begin(), all.end(), 0U);
  std::ranges::sort(order);
  EXPECT_EQ(order, all);
}

TEST(CurveOrder, KeepsTheHalvesOfARowApart) {
  const std::vector<Vec3> points{{0, 0, 0}, {8, 0, 0}, {1, 0, 0}, {9, 0, 0}, {2, 0, 0}, {10, 0, 0}};
  EXPECT_EQ(curve_order(points), (std::vector<std::uint32_t>{0, 2, 4, 1, 3, 5}));
}

TEST(CurveOrder, AcceptsNoPointAndPointsInOnePlace) {
  EXPECT_TRUE(curve_order({}).empty());
  EXPECT_EQ(curve_order(std::vector<Vec3>(3, Vec3{1, 2, 3})).size(), 3U);
}

}  // namespace
}  // namespace scree::view
