#include "scree/collision/clump_contacts.hpp"

#include <gtest/gtest.h>
#include <set>

#include "scree/collision/contact_points.hpp"
#include "support/clumps.hpp"
#include "unit/collision/manifolds.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

using namespace test;

struct AsShape {
  explicit AsShape(const std::vector<ClumpPart>& parts) : placed(clump_of(parts, {})) {}
  Shape shape() const { return Clump{placed.clump.get(), placed.size}; }
  /// Where its own frame stands when that of the parts stands at `pose`.
  Pose pose(const Pose& pose) const { return moved(pose, placed.pose); }
  PlacedClump placed;
};

TEST(PointsOfClump, OnAPlaneAreThoseOfEachSphere) {
  const AsShape clump(tri_sphere(0.1));
  const Pose pose = clump.pose({{0, 0, 0.1}, {}});
  const SurfacePoints points = points_of_clump(clump.shape(), pose, HalfSpace{}, {}, 0.1);
  ASSERT_EQ(points.count, 3);
  std::set<std::uint32_t> features;
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(points.points[k].normal.z, -1, 1e-14);
    features.insert(points.points[k].feature);
  }
  EXPECT_EQ(features.size(), 3U);
  EXPECT_NEAR(points.points[0].gap, 0, 1e-15);
  EXPECT_NEAR(points.points[2].gap, 0.01 + 0.1 * 0.12, 1e-15);
}

TEST(PointsOfClump, OnAPlaneOfTwoTrianglesAreThoseOnTheHalfSpaceAndNoMore) {
  const TriangleMesh mesh = mesh_of(square_soup(1, 1), Sides::one);
  for (const auto& parts :
       {tri_sphere(0.1), std::vector<ClumpPart>{{Box{{0.2, 0.1, 0.1}}, {{0.1, 0, 0}, {}}},
                                                {Box{{0.1, 0.2, 0.1}}, {{-0.1, 0, 0}, {}}}}}) {
    const AsShape clump(parts);
    const Pose pose = clump.pose({{0.05, 0.02, 0.1}, rotation({0, 0, 1}, 0.3)});
    const SurfacePoints on_plane = points_of_clump(clump.shape(), pose, HalfSpace{}, {}, 0.05);
    const SurfacePoints on_mesh = points_of_clump(clump.shape(), pose, Mesh{&mesh}, {}, 0.05);
    ASSERT_EQ(on_mesh.count, on_plane.count);
    for (int k = 0; k < on_mesh.count; ++k) {
      EXPECT_NEAR(norm(on_mesh.points[k].normal - Vec3{0, 0, -1}), 0, 1e-12);
      const bool is_there = std::any_of(
          on_plane.points.begin(), on_plane.points.begin() + on_plane.count,
          [&](const ContactPoint& p) { return norm(p.point - on_mesh.points[k].point) < 1e-9; });
      EXPECT_TRUE(is_there) << k;
    }
  }
}

TEST(PointsOfClump, LieOnTheSurfacesWithTheLeastGapThatAnyPartHas) {
  RandomStream random{3, 0};
  const auto any = [&](double most) { return random.uniform(-most, most); };
  const AsShape clump({{Box{{0.3, 0.1, 0.1}}, {}},
                       {Cylinder{0.1, 0.3}, {{0.2, 0, 0}, rotation({1, 0, 0}, 1)}},
                       {Sphere{0.15}, {{-0.3, 0.1, 0}, {}}}});
  const AsShape spheres(tri_sphere(0.2));
  for (int trial = 0; trial < 500; ++trial) {
    const Pose at_a = {{}, normalised({any(1), any(1), any(1), any(1)})};
    const Pose at_b = {{any(0.8), any(0.8), any(0.8)},
                       normalised({any(1), any(1), any(1), any(1)})};
    const double expected = separation(clump.shape(), at_a, spheres.shape(), at_b).distance;
    const SurfacePoints points = points_of_clump(clump.shape(), at_a, spheres.shape(), at_b, 0.1);
    if (expected > 0.1) {
      EXPECT_EQ(points.count, 0);
      continue;
    }
    ASSERT_GT(points.count, 0);
    EXPECT_NEAR(min_gap(points), expected, 1e-9);
    for (int k = 0; k < points.count; ++k) {
      const ContactPoint& p = points.points[k];
      if (p.gap < 0) continue;
      // Where other parts hide less than a millionth of the clump, it is not seen.
      EXPECT_NEAR(signed_distance(clump.shape(), at_a, p.point - p.gap / 2 * p.normal).distance, 0,
                  1e-6);
      EXPECT_NEAR(signed_distance(spheres.shape(), at_b, p.point + p.gap / 2 * p.normal).distance,
                  0, 1e-6);
    }
    // The other way round there are the same points.
    EXPECT_EQ(points_of_clump(spheres.shape(), at_b, clump.shape(), at_a, 0.1).count, points.count);
  }
}

TEST(PointsOfClump, DoNotCatchOnASeamBetweenItsParts) {
  // A small box, a little too deep, over the seam of two boxes that are flush.
  const AsShape floor({{Box{{0.5, 0.5, 0.1}}, {{0.5, 0, -0.1}, {}}},
                       {Box{{0.5, 0.5, 0.1}}, {{-0.5, 0, -0.1}, {}}}});
  for (int k = -20; k <= 20; ++k) {
    const Pose at{{0.01 * k, 0.02, 0.05 - 1e-4}, rotation({0, 0, 1}, 0.1)};
    const SurfacePoints points =
        points_of_clump(floor.shape(), floor.pose({}), Box{{0.05, 0.05, 0.05}}, at, 1e-3);
    ASSERT_GE(points.count, 3);
    for (int p = 0; p < points.count; ++p) EXPECT_NEAR(points.points[p].normal.z, 1, 1e-12) << k;
  }
}

}  // namespace
}  // namespace scree
