#include "scree/geometry/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "scree/math/random.hpp"

namespace scree {
namespace {

std::vector<Vec3> corners_of_box(const Vec3& h) {
  std::vector<Vec3> corners;
  for (int v = 0; v < 8; ++v)
    corners.push_back({v & 1 ? h.x : -h.x, v & 2 ? h.y : -h.y, v & 4 ? h.z : -h.z});
  return corners;
}

TEST(ConvexHull, OfABoxIsTheBox) {
  const Vec3 half{0.3, 0.5, 0.8};
  std::vector<Vec3> points = corners_of_box(half);
  points.push_back({0.1, 0.2, 0.3});  // inside
  points.push_back({0.3, 0.1, 0.2});  // in a face
  const PlacedHull placed = convex_hull(points);
  const Polyhedron polyhedron{placed.hull.get(), placed.size};
  EXPECT_EQ(placed.hull->vertices().size(), 8U);
  EXPECT_EQ(placed.hull->faces().size(), 6U);
  for (const ConvexHull::Face& face : placed.hull->faces()) EXPECT_EQ(face.count, 4U);
  EXPECT_NEAR(placed.size, norm(half), 1e-15);
  EXPECT_NEAR(norm(placed.pose.position), 0, 1e-16);
  const VolumeProperties of_box = volume_properties(Box{half}),
                         of_hull = volume_properties(polyhedron);
  EXPECT_NEAR(of_hull.volume, of_box.volume, 1e-12 * of_box.volume);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(of_hull.inertia[k], of_box.inertia[k], 1e-12 * of_box.inertia[k]);
  RandomStream random{1, 0};
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    EXPECT_NEAR(signed_distance(polyhedron, p).distance, signed_distance(Box{half}, p).distance,
                1e-14);
  }
}

TEST(ConvexHull, OfATetrahedronHasTheClosedFormsOfIt) {
  // Moments of the corner tetrahedron of unit cube about its centre of mass: V = 1/6, and in the
  // principal directions (1,1,1) and across it ∫x² = V/80 · (1, 4, 4).
  const PlacedHull placed = convex_hull(std::array<Vec3, 4>{{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  const VolumeProperties p = volume_properties(Polyhedron{placed.hull.get(), placed.size});
  EXPECT_NEAR(p.volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(norm(placed.pose.position - Vec3{0.25, 0.25, 0.25}), 0, 1e-15);
  std::array<double, 3> moments{p.inertia.x, p.inertia.y, p.inertia.z};
  std::ranges::sort(moments);
  const double v = 1.0 / 6 / 80;
  EXPECT_NEAR(moments[0], 5 * v, 1e-15);
  EXPECT_NEAR(moments[1], 5 * v, 1e-15);
  EXPECT_NEAR(moments[2], 8 * v, 1e-15);
}

TEST(ConvexHull, HasEachEdgeOnceBetweenTwoOfItsFaces) {
  RandomStream random{8, 0};
  for (int k = 0; k < 20; ++k) {
    std::vector<Vec3> points = corners_of_box({0.3, 0.5, 0.8});
    for (int p = 0; p < k; ++p)
      points.push_back({random.normal(), random.normal(), random.normal()});
    const auto hull = convex_hull(points).hull;
    EXPECT_EQ(hull->vertices().size() + hull->faces().size(), hull->edges().size() + 2);  // Euler
    double sharpest = 1, inner = std::numeric_limits<double>::infinity();
    for (std::uint32_t f = 0; f < hull->faces().size(); ++f) {
      const ConvexHull::Face& face = hull->faces()[f];
      inner = std::min(inner, face.offset);
      const auto loop = hull->loop(face);
      const auto edges = hull->edges_of(face);
      ASSERT_EQ(loop.size(), edges.size());
      EXPECT_LE(loop.size(), hull->max_corners());
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const ConvexHull::Edge& edge = hull->edges()[edges[e]];
        const auto [low, high] = std::minmax(loop[e], loop[(e + 1) % loop.size()]);
        EXPECT_EQ(edge.end[0], low);
        EXPECT_EQ(edge.end[1], high);
        EXPECT_TRUE(edge.face[0] == f || edge.face[1] == f);
        const double angle = std::acos(edge.cosine);
        EXPECT_NEAR(edge.cosine,
                    dot(hull->faces()[edge.face[0]].normal, hull->faces()[edge.face[1]].normal),
                    1e-15);
        sharpest = std::max(sharpest, 1 / std::cos(angle / 2));
      }
    }
    EXPECT_NEAR(hull->sharpness(), sharpest, 1e-9 * sharpest);
    EXPECT_EQ(hull->inscribed_radius(), inner);
  }
}

TEST(ConvexHull, StandsWhereItsPointsWere) {
  RandomStream random{2, 0};
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Vec3> points;
    for (int k = 0; k < 30; ++k)
      points.push_back(
          {5 + random.uniform(-1, 1), random.uniform(-0.5, 0.5), random.uniform(0, 2)});
    const PlacedHull placed = convex_hull(points);
    const Polyhedron polyhedron{placed.hull.get(), placed.size};
    double max_value = -1;
    for (const Vec3& p : points) {
      const double distance = signed_distance(polyhedron, placed.pose, p).distance;
      EXPECT_LT(distance, 1e-13);
      max_value = std::max(max_value, distance);
    }
    EXPECT_NEAR(max_value, 0, 1e-13);
    EXPECT_NEAR(norm(volume_properties(polyhedron).centre), 0, 1e-15);
  }
}

TEST(ConvexHull, OfTinyAndHugeAndFarBodiesIsTheSame) {
  const std::vector<Vec3> points = corners_of_box({0.3, 0.5, 0.8});
  for (const double scale : {1e-6, 1e3})
    for (const double away : {0.0, 10.0}) {
      std::vector<Vec3> moved;
      for (const Vec3& p : points) moved.push_back(scale * (p + Vec3{away, 0, 0}));
      const PlacedHull placed = convex_hull(moved);
      EXPECT_EQ(placed.hull->faces().size(), 6U);
      EXPECT_NEAR(placed.size / scale, norm(Vec3{0.3, 0.5, 0.8}), 1e-12);
    }
}

TEST(ConvexHull, RefusesWhatHasNoVolume) {
  const Vec3 x{1, 0, 0}, y{0, 1, 0};
  EXPECT_THROW(convex_hull(std::vector<Vec3>{{}, x, y}), std::invalid_argument);
  EXPECT_THROW(convex_hull(std::vector<Vec3>{{}, x, y, x + y}), std::invalid_argument);
  EXPECT_THROW(convex_hull(std::vector<Vec3>{x, x, x, x}), std::invalid_argument);
  EXPECT_THROW(convex_hull(std::vector<Vec3>{{}, x, y, {0, 0, std::nan("")}}),
               std::invalid_argument);
}

TEST(Superellipsoid, HasTheMassOfAnEllipsoidAndNearlyOfABox) {
  const Vec3 axes{0.3, 0.5, 0.8};
  const double volume = 4 * std::numbers::pi / 3 * axes.x * axes.y * axes.z;
  const VolumeProperties p = volume_properties(Superellipsoid{axes});
  EXPECT_NEAR(p.volume, volume, 1e-13 * volume);
  EXPECT_NEAR(p.inertia.x, volume / 5 * (0.25 + 0.64), 1e-13);
  EXPECT_NEAR(p.inertia.y, volume / 5 * (0.09 + 0.64), 1e-13);
  EXPECT_NEAR(p.inertia.z, volume / 5 * (0.09 + 0.25), 1e-13);
  const VolumeProperties nearly = volume_properties(Superellipsoid{axes, 400, 400}),
                         box = volume_properties(Box{axes});
  EXPECT_NEAR(nearly.volume, box.volume, 1e-4 * box.volume);
}

TEST(Frustum, HasTheMassOfACylinderAndOfACone) {
  const VolumeProperties straight = volume_properties(Frustum{0.4, 0.4, -0.6, 0.6}),
                         cylinder = volume_properties(Cylinder{0.4, 0.6});
  EXPECT_NEAR(straight.volume, cylinder.volume, 1e-15);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(straight.inertia[k], cylinder.inertia[k], 1e-15);
  // A cone: 3/10 m r² about its axis, 3/20 m r² + 3/80 m h² across, its centre h/4 above the base.
  const double r = 0.5, h = 2;
  const VolumeProperties cone = volume_properties(Frustum{r, 0, 1, 1 + h});
  EXPECT_NEAR(cone.volume, std::numbers::pi * r * r * h / 3, 1e-15);
  EXPECT_NEAR(cone.centre.z, 1 + h / 4, 1e-15);
  EXPECT_NEAR(cone.inertia.z, 0.3 * cone.volume * r * r, 1e-15);
  EXPECT_NEAR(cone.inertia.x, cone.volume * (0.15 * r * r + 3.0 / 80 * h * h), 1e-15);
}

}  // namespace
}  // namespace scree
