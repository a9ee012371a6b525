#include <algorithm>
#include <gtest/gtest.h>

#include "scree/analysis/bed.hpp"
#include "scree/analysis/solid_fraction.hpp"
#include "scree/analysis/velocity_profile.hpp"
#include "scree/math/random.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

constexpr double kRounding = 1e-14;

Vec3 random_point(RandomStream& random, double low, double high) {
  return {random.uniform(low, high), random.uniform(low, high), random.uniform(low, high)};
}

TEST(BoxOverlap, OfBoxesAlongTheAxesIsThatOfTwoRegions) {
  const std::uint64_t seed = 1;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  for (int k = 0; k < 2000; ++k) {
    const Box box{random_point(random, 0.1, 1)};
    const Vec3 centre = random_point(random, -1, 1), low = random_point(random, -2, 0),
               size = random_point(random, 0, 2);
    double expected = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double bottom = std::max(low[axis], centre[axis] - box.half_extent[axis]);
      const double top = std::min(low[axis] + size[axis], centre[axis] + box.half_extent[axis]);
      expected *= std::max(0.0, top - bottom);
    }
    const double whole = volume_properties(box).volume;
    EXPECT_NEAR(Solid(box, {centre, {}}).overlap({low, low + size}), expected,
                20 * kRounding * whole);
  }
}

TEST(BoxOverlap, OfTurnedBoxesIsThatOfCountedPoints) {
  const std::uint64_t seed = 2;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  for (int k = 0; k < 20; ++k) {
    const Box box{random_point(random, 0.2, 1)};
    const Pose pose{random_point(random, -0.5, 0.5), random_orientation(random)};
    const Region region{random_point(random, -1, 0), random_point(random, 0, 1)};
    constexpr int kPoints = 40000;
    int inside = 0;
    for (int i = 0; i < kPoints; ++i) {
      Vec3 p;
      for (int axis = 0; axis < 3; ++axis)
        p[axis] = random.uniform(region.min[axis], region.max[axis]);
      inside += signed_distance(box, pose, p).distance < 0 ? 1 : 0;
    }
    // Five standard errors of a share.
    EXPECT_NEAR(Solid(box, pose).overlap(region), inside * region.volume() / kPoints,
                region.volume() * 2.5 / 200);
  }
}

TEST(BoxOverlap, OfTheCellsOfAGridAddsUpToTheWholeBox) {
  const std::uint64_t seed = 3;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  for (int k = 0; k < 200; ++k) {
    const Box box{random_point(random, 0.01, 0.5)};
    const Pose pose{random_point(random, 1, 2), random_orientation(random)};
    const Grid grid{{{0, 0, 0}, {3, 3, 3}}, {5, 4, 3}};
    double sum = 0;
    for (std::size_t cell = 0; cell < grid.size(); ++cell)
      sum += Solid(box, pose).overlap(grid.cell(cell));
    const double whole = volume_properties(box).volume;
    EXPECT_NEAR(sum, whole, 100 * kRounding * whole);
  }
}

TEST(BoxOverlap, OfFacesThatLieInFacesOfTheRegionCountsOnce) {
  const Box cube{{0.5, 0.5, 0.5}};
  const Region region{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(Solid(cube, {{0.5, 0.5, 0.5}, {}}).overlap(region), 1);
  EXPECT_EQ(Solid(cube, {{1.5, 0.5, 0.5}, {}}).overlap(region), 0);
  EXPECT_NEAR(Solid(cube, {{1, 0.5, 0.5}, {}}).overlap(region), 0.5, kRounding);
  // faces lie in those of the region up to rounding
  const Quaternion quarter = rotation({0, 0, 1}, M_PI / 2);
  EXPECT_NEAR(Solid(cube, {{0.5, 0.5, 0.5}, quarter}).overlap(region), 1, kRounding);
  EXPECT_NEAR(Solid(cube, {{1.5, 0.5, 0.5}, quarter}).overlap(region), 0, kRounding);
}

TEST(SolidFraction, OfBoxesAndSpheresIsThatOfTheirVolumes) {
  const Vec3 size{0.2, 0.4, 0.6};
  const auto prototypes = spheres_and_boxes(size);
  Bodies bodies = boxes_at({{0.5, 0.5, 0.5}}, size, rotation({1, 2, 3}, 0.7));
  bodies.push_back({.id = {1}, .position = {1, 0.5, 0.5}, .radius = 0.1, .mass = 1});
  const double half_a_sphere = volume_properties(Sphere{0.1}).volume / 2;
  EXPECT_NEAR(solid_fraction(bodies, prototypes, {{0, 0, 0}, {1, 1, 1}}),
              0.2 * 0.4 * 0.6 + half_a_sphere, kRounding);
}

TEST(Bed, OfStackedBoxesIsAsHighAsTheStackAndSolid) {
  const Vec3 size{1, 1, 0.5};
  std::vector<Vec3> points;
  for (const double x : {0.5, 1.5, 2.5, 3.5})
    for (const double y : {0.5, 1.5})
      for (const double z : {0.25, 0.75, 1.25}) points.push_back({x, y, z});
  points.push_back({0.5, 0.5, 9});  // flies
  const Bed bed = bed_of(boxes_at(points, size), spheres_and_boxes(size), {{0, 0, 0}, {4, 2, 1}},
                         {2, 1}, {4, 2});
  EXPECT_NEAR(bed.max_height, 1.5, kRounding);
  EXPECT_NEAR(bed.mean_height, 1.5, kRounding);
  EXPECT_NEAR(bed.solid_fraction, 1, 10 * kRounding);
}

TEST(VelocityProfile, CountsThePartOfABoxInEachCell) {
  const Vec3 size{1, 1, 2};
  VelocityProfile profile({{{0, 0, 0}, {1, 1, 3}}, {1, 1, 3}});
  profile.add(boxes_at({{0.5, 0.5, 1.25}}, size), spheres_and_boxes(size));
  const auto cells = profile.cells();
  EXPECT_NEAR(cells[0].solid_fraction, 0.75, kRounding);
  EXPECT_NEAR(cells[1].solid_fraction, 1, kRounding);
  EXPECT_NEAR(cells[2].solid_fraction, 0.25, kRounding);
}

}  // namespace
}  // namespace scree
