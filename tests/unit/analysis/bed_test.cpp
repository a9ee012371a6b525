#include "scree/analysis/bed.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/core/error.hpp"
#include "scree/math/random.hpp"
#include "unit/analysis/angles.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

using test::kPi;
constexpr Upward kUp{2, 1};

TEST(Bed, OfASimpleCubicLatticeHasItsFractionUpToTheTopLayer) {
  const Bodies bodies = spheres_at(simple_cubic(6, 1, {0.5, 0.5, 0.5}), 0.5);
  // The region's upper face has no effect.
  for (const double top : {1.0, 6.0, 50.0}) {
    const Bed bed = bed_of(bodies, kSpheres, {{0, 0, 0}, {6, 6, top}}, kUp, {6, 6});
    EXPECT_NEAR(bed.solid_fraction, kPi / 6, 1e-13);
    EXPECT_NEAR(bed.mean_height, 6, 1e-13);
    EXPECT_NEAR(bed.max_height, 6, 1e-13);
    EXPECT_NEAR(bed.volume, 216, 1e-10);
  }
  // From a floor inside, wherever that cuts.
  const Bed half = bed_of(bodies, kSpheres, {{0, 0, 3}, {6, 6, 7}}, kUp, {2, 6});
  EXPECT_NEAR(half.solid_fraction, kPi / 6, 1e-13);
  EXPECT_NEAR(half.mean_height, 3, 1e-13);
}

TEST(Bed, OfASlopeHasTheMeanHeightOfItsSteps) {
  // Columns of one to six spheres, side by side.
  std::vector<Vec3> points;
  for (int x = 0; x < 6; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z <= x; ++z) points.push_back({x + 0.5, y + 0.5, z + 0.5});
  const Bed bed = bed_of(spheres_at(points, 0.5), kSpheres, {{0, 0, 0}, {6, 2, 1}}, kUp, {6, 2});
  EXPECT_NEAR(bed.mean_height, 3.5, 1e-14);
  EXPECT_NEAR(bed.max_height, 6, 1e-14);
  EXPECT_NEAR(bed.solid_fraction, kPi / 6, 1e-13);
}

TEST(Bed, IsTheSameAlongEachAxisAndUpsideDown) {
  // Two layers at the bottom of a room of 4 × 4 × 4.
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      std::vector<Vec3> points;
      for (const Vec3& p : simple_cubic(4, 1, {0.5, 0.5, 0.5})) {
        if (sign > 0 ? p[axis] < 2 : p[axis] > 2) points.push_back(p);
      }
      const Bed bed =
          bed_of(spheres_at(points, 0.5), kSpheres, {{0, 0, 0}, {4, 4, 4}}, {axis, sign}, {4, 2});
      EXPECT_NEAR(bed.mean_height, 2, 1e-14) << axis << sign;
      EXPECT_NEAR(bed.solid_fraction, kPi / 6, 1e-13) << axis << sign;
    }
  }
}

TEST(Bed, LeavesOutBodiesThatFlyAndColumnsWithoutAny) {
  auto points = simple_cubic(2, 1, {0.5, 0.5, 0.5});
  points.push_back({0.5, 0.5, 2.5 + 1.001});  // more than a diameter above the layer beneath
  const Region region{{0, 0, 0}, {4, 2, 2}};
  Bed bed = bed_of(spheres_at(points, 0.5), kSpheres, region, kUp, {4, 2});
  EXPECT_NEAR(bed.max_height, 2, 1e-14);
  EXPECT_NEAR(bed.mean_height, 1, 1e-14);  // half of the floor is bare
  EXPECT_NEAR(bed.solid_fraction, kPi / 6, 1e-13);
  points.back().z = 2.5 + 0.999;  // hops, but belongs to the bed
  bed = bed_of(spheres_at(points, 0.5), kSpheres, region, kUp, {4, 2});
  EXPECT_NEAR(bed.max_height, 3.999, 1e-14);
  // A gap in one column is none if neighbours in the block fill it.
  const std::vector<Vec3> zigzag{{0.5, 0.5, 0.5}, {1.5, 0.5, 2}, {0.5, 0.5, 3.5}};
  bed = bed_of(spheres_at(zigzag, 0.5), kSpheres, {{0, 0, 0}, {2, 2, 2}}, kUp, {2, 2});
  EXPECT_NEAR(bed.max_height, 4, 1e-14);
  EXPECT_NEAR(bed.mean_height, (4 + 2.5) / 4, 1e-14);
}

TEST(Bed, StandsOnASlopingWall) {
  // Four spheres on a wall of 45 degrees, the last one alone in its block, and one that flies.
  const Bodies bodies = spheres_at(
      {{0.5, 0.5, 0.5}, {1.5, 0.5, 1.5}, {2.5, 0.5, 2.5}, {4.5, 0.5, 4.5}, {6.5, 0.5, 5.5}}, 0.5);
  std::vector<ContactRecord> contacts;
  const Vec3 down_the_wall = Vec3{1, 0, -1} / std::sqrt(2.0);
  for (std::size_t k = 0; k < 4; ++k)
    contacts.push_back({.a = {k},
                        .b = obstacle_id(0),
                        .point = bodies.position[k] + 0.5 * down_the_wall,
                        .normal = down_the_wall,
                        .gap = 0});
  const Region region{{0, 0, 0}, {8, 1, 8}};
  const Bed bed = bed_of(bodies, kSpheres, region, kUp, {8, 1}, contacts);
  EXPECT_NEAR(bed.mean_height, (1 + 2 + 3 + 5) / 8.0, 1e-14);
  EXPECT_NEAR(bed.max_height, 5, 1e-14);
  // A wall to the side, or above, bears nothing.
  contacts[3].normal = {1, 0, 0};
  EXPECT_NEAR(bed_of(bodies, kSpheres, region, kUp, {8, 1}, contacts).max_height, 3, 1e-14);
  contacts[3].normal = {0, 0, 1};
  EXPECT_NEAR(bed_of(bodies, kSpheres, region, kUp, {8, 1}, contacts).max_height, 3, 1e-14);
}

TEST(Bed, OfNothingIsNothing) {
  const Bed bed = bed_of({}, kSpheres, {{0, 0, 0}, {1, 1, 1}}, kUp, {4, 4});
  EXPECT_EQ(bed.solid_fraction, 0);
  EXPECT_EQ(bed.mean_height, 0);
  EXPECT_THROW((void)bed_of({}, kSpheres, {{0, 0, 0}, {1, 1, 0}}, kUp, {4, 4}), InputError);
  EXPECT_THROW((void)bed_of({}, kSpheres, {{0, 0, 0}, {1, 1, 1}}, kUp, {4, 0}), InputError);
  EXPECT_THROW((void)bed_of({}, kSpheres, {{0, 0, 0}, {1, 1, 1}}, kUp, {4, 3}), InputError);
}

TEST(Bed, CountsWhatOfOverlappingNeighboursIsBelowTheSurfaceAsSamplingDoes) {
  const std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  RandomStream random{seed};
  std::vector<Vec3> points(40);
  for (Vec3& p : points)
    p = {random.uniform(-0.5, 4.5), random.uniform(-0.5, 2.5), random.uniform(0, 2)};
  const Bodies bodies = spheres_at(points, 0.4);
  const Region region{{0, 0, 0}, {4, 2, 1}};
  const Bed bed = bed_of(bodies, kSpheres, region, kUp, {4, 2});
  // The surface by its definition, body after body until nothing changes; then points strewn below
  // it.
  std::array<double, 2> pile{};
  std::array<double, 8> height{};
  for (int round = 0; round < 40; ++round) {
    for (const Vec3& p : points) {
      if (p.x < 0 || p.x >= 4 || p.y < 0 || p.y >= 2) continue;
      double& below = pile[static_cast<std::size_t>(p.x / 2)];
      double& top = height[static_cast<std::size_t>(p.x) * 2 + static_cast<std::size_t>(p.y)];
      if (p.z - 0.4 - below <= 0.8)
        below = std::max(below, p.z + 0.4), top = std::max(top, p.z + 0.4);
    }
  }
  double hits = 0, below = 0;
  for (int k = 0; k < 400000; ++k) {
    const Vec3 x{random.uniform(0, 4), random.uniform(0, 2), random.uniform(0, 3)};
    if (x.z >= height[static_cast<std::size_t>(x.x) * 2 + static_cast<std::size_t>(x.y)]) continue;
    ++below;
    for (const Vec3& p : points) hits += squared_norm(x - p) < 0.16 ? 1 : 0;
  }
  // Overlaps of spheres count twice. Five standard deviations, of about one hit each.
  EXPECT_NEAR(bed.solid_fraction, hits / below, 5 / std::sqrt(below));
  EXPECT_NEAR(bed.volume, below / 400000 * 24, 5 * 24 * 0.5 / std::sqrt(400000));
}

TEST(Upward, IsTheAxisNearestToThatAgainstGravity) {
  EXPECT_FALSE(upward({0, 0, 0}));
  EXPECT_EQ(upward({3, 0, -9})->axis, 2);
  EXPECT_EQ(upward({3, 0, -9})->sign, 1);
  EXPECT_EQ(upward({0, 9.81, 0})->axis, 1);
  EXPECT_EQ(upward({0, 9.81, 0})->sign, -1);
}

TEST(Bed, OfASingleColumnOfBodiesIsAsHighAsTheyAre) {
  const Region footprint{{0, 0, 0}, {1, 1, 9}};
  const Bed bed = bed_of(spheres_at({{0.5, 0.5, 0.5}, {0.5, 0.5, 1.5}, {0.5, 0.5, 2.5}}, 0.5),
                         kSpheres, footprint, kUp, columns_of(footprint, kUp, 1));
  EXPECT_NEAR(bed.mean_height, 3, 1e-14);
  EXPECT_NEAR(bed.solid_fraction, std::numbers::pi / 6, 1e-14);
}

TEST(Columns, AreADiameterWideOrALittleMoreOrOne) {
  EXPECT_EQ(columns_of({{0, 0, 0}, {8, 7, 1}}, kUp, 1), (std::array<std::uint32_t, 2>{8, 6}));
  EXPECT_EQ(columns_of({{0, 0, 0}, {0.1, 0.8, 0.7}}, {0, 1}, 0.1),
            (std::array<std::uint32_t, 2>{8, 6}));
  EXPECT_EQ(columns_of({{0, 0, 0}, {1, 1, 1}}, kUp, 5), (std::array<std::uint32_t, 2>{1, 1}));
}

}  // namespace
}  // namespace scree
