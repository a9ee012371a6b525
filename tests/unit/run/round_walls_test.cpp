// Regions whose corners reach beyond round walls.
#include "scree/run/round_walls.hpp"

#include <gtest/gtest.h>

namespace scree {
namespace {

/// A funnel that opens upward from radius 1 at z = 0 to 3 at z = 4, or lies along x.
RoundWall funnel(const Quaternion& orientation = {}) {
  return {
      "funnel", {.bottom_radius = 1, .top_radius = 3, .bottom = 0, .top = 4}, {{}, orientation}};
}

TEST(RoundWall, IsLeftByABoxWhoseCornersAreBeyondIt) {
  // At the height z the wall has the radius 1 + z/2, and a square of side 2a the half diagonal 1.41
  // a.
  EXPECT_FALSE(reaches_beyond({{-0.7, -0.7, 0}, {0.7, 0.7, 4}}, funnel()));
  EXPECT_TRUE(reaches_beyond({{-0.72, -0.72, 0}, {0.72, 0.72, 4}}, funnel()));
  EXPECT_FALSE(reaches_beyond({{-0.72, -0.72, 1}, {0.72, 0.72, 4}}, funnel()));
  // Below its end there is no wall.
  EXPECT_FALSE(reaches_beyond({{-9, -9, -3}, {9, 9, -1}}, funnel()));
  EXPECT_TRUE(reaches_beyond({{-0.72, -0.72, -3}, {0.72, 0.72, 4}}, funnel()));
}

TEST(RoundWall, IsFoundWhereverItLies) {
  const RoundWall lying = funnel(rotation_between({0, 0, 1}, {1, 0, 0}));
  EXPECT_FALSE(reaches_beyond({{0, -0.7, -0.7}, {4, 0.7, 0.7}}, lying));
  EXPECT_TRUE(reaches_beyond({{0, -0.72, -0.72}, {4, 0.72, 0.72}}, lying));
}

TEST(RoundWall, IsNamedInTheWarning) {
  const std::vector<RoundWall> walls{funnel()};
  const Region wide{{-2, -2, 0}, {2, 2, 1}}, narrow{{-0.5, -0.5, 0}, {0.5, 0.5, 1}};
  EXPECT_NE(describe_corners(corners_beyond(wide, walls)).find("'funnel'"), std::string::npos);
  EXPECT_EQ(describe_corners(corners_beyond(narrow, walls)), "");
}

}  // namespace
}  // namespace scree
