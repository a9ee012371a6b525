/// Surfaces of obstacles as frames show them.
#include <gtest/gtest.h>
#include <memory>

#include "scree/geometry/convex_hull.hpp"
#include "scree/io/obstacle_frames.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

using namespace test;

/// Volume enclosed by the triangles, if they face outwards [m³].
double volume(const ObstacleSurface& surface) {
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum += dot(surface.points[a], cross(surface.points[b], surface.points[c])) / 6;
  return sum;
}

double area(const ObstacleSurface& surface) {
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum +=
        norm(cross(surface.points[b] - surface.points[a], surface.points[c] - surface.points[a])) /
        2;
  return sum;
}

/// True if each edge of a closed surface occurs once in each direction.
bool is_closed(const ObstacleSurface& surface) {
  // Points at the axis stand there once for each corner.
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return norm(surface.points[a] - surface.points[b]) < 1e-12;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& t : surface.triangles)
    for (std::size_t k = 0; k < 3; ++k) edges.emplace_back(t[k], t[(k + 1) % 3]);
  return std::ranges::all_of(edges, [&](const auto& edge) {
    return std::ranges::count_if(edges, [&](const auto& other) {
             return same(other.first, edge.second) && same(other.second, edge.first);
           }) == 1;
  });
}

TEST(ObstacleSurface, EnclosesTheVolumeOfItsShape) {
  const std::vector<Vec3> corners{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  const PlacedHull hull = convex_hull(corners);
  const Shape shapes[] = {Sphere{0.7},
                          Box{{1, 2, 3}},
                          Cylinder{0.5, 2},
                          Capsule{0.5, 1},
                          Capsule{0.5, 0},
                          Frustum{0.5, 1, -1, 2},
                          Frustum{1, 0, 0, 2},
                          Superellipsoid{{1, 2, 0.5}},
                          Superellipsoid{{1, 2, 0.5}, 4, 3},
                          Polyhedron{hull.hull.get(), 1.5}};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.index());
    const ObstacleSurface surface = surface_of({.name = "", .shape = shape, .pose = {}}, {});
    const double wanted = volume_properties(shape).volume;
    // Chords of 48 corners enclose 1 − (2π/48)²/6 of a circle, and half circles of 24 as much.
    EXPECT_LE(volume(surface), wanted * (1 + 1e-9));
    EXPECT_GT(volume(surface), 0.98 * wanted);
    EXPECT_TRUE(is_closed(surface));
    for (const Vec3& point : surface.points)
      EXPECT_NEAR(signed_distance(shape, point).distance, 0, 1e-9);
  }
}

TEST(ObstacleSurface, OfAMeshHasItsFacetsInTheirOrder) {
  const TriangleMesh mesh = mesh_of(tube_soup(1, 0.5, 12, 3), Sides::two);
  const ObstacleSurface surface = surface_of({.name = "", .shape = Mesh{&mesh, 2}, .pose = {}}, {});
  ASSERT_EQ(surface.triangles.size(), mesh.facets().size());
  for (std::size_t k = 0; k < surface.triangles.size(); ++k)
    for (std::size_t corner = 0; corner < 3; ++corner)
      EXPECT_EQ(surface.points[surface.triangles[k][corner]], 2 * mesh.facets()[k].corner[corner]);
}

TEST(ObstacleSurface, OfHollowFormsIsTheirSideAndTheDiscsThatCloseThem) {
  const double pi = std::numbers::pi;
  const Hollow open{1, 1, 0, 2}, closed{1, 1, 0, 2, true, true};
  EXPECT_NEAR(area(surface_of({.name = "", .shape = open, .pose = {}}, {})), 4 * pi, 0.05);
  EXPECT_NEAR(area(surface_of({.name = "", .shape = closed, .pose = {}}, {})), 6 * pi, 0.08);
}

TEST(ObstacleSurface, OfAHalfSpaceLiesInItsPlaneAboutTheBodies) {
  Model model;
  model.materials = {{"stone", 1000}};
  model.obstacles.push_back({"ramp", HalfSpace{}, {{5, 0, 0}, rotation({0, 1, 0}, 0.3)}, 0});
  State state = initial_state(model);
  state.bodies.push_back({.position = {1, 2, 3}, .radius = 0.5});
  state.bodies.push_back({.position = {3, 2, 3}, .radius = 0.5});
  const PlanePatch patch = plane_patch(model, state);
  EXPECT_EQ(patch.middle, (Vec3{2, 2, 3}));
  const ObstacleSurface surface = surface_of(model.obstacles[0], patch);
  Vec3 middle;
  for (const Vec3& point : surface.points) {
    EXPECT_EQ(point.z, 0);
    middle += 0.25 * point;
  }
  const Pose& pose = model.obstacles[0].pose;
  const Vec3 up = rotate(pose.orientation, {0, 0, 1}),
             foot = pose.position + rotate(pose.orientation, middle), away = patch.middle - foot;
  EXPECT_LT(norm(away - dot(away, up) * up), 1e-12) << "right below the bodies";
  EXPECT_GT(area(surface), 4);
  EXPECT_EQ(plane_patch(model, State{}).size, 1) << "nothing to show it by";
}

}  // namespace
}  // namespace scree
