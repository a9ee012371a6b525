#include "scree/geometry/mesh_repair.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "scree/math/random.hpp"
#include "unit/geometry/meshes.hpp"

namespace scree {
namespace {

double volume(const RepairedMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += dot(mesh.vertices[t[0]], cross(mesh.vertices[t[1]], mesh.vertices[t[2]])) / 6;
  return sum;
}

/// As STL has it: each triangle with three vertices of its own.
TriangleSoup torn(const TriangleSoup& soup) {
  TriangleSoup result;
  for (const auto& t : soup.triangles) {
    const auto n = static_cast<std::uint32_t>(result.vertices.size());
    for (const std::uint32_t v : t) result.vertices.push_back(soup.vertices[v]);
    result.triangles.push_back({n, n + 1, n + 2});
  }
  return result;
}

TEST(MeshRepair, WeldsWhatIsEqualOrNearlySo) {
  TriangleSoup soup = torn(test::box_soup({1, 1, 1}, 4));
  RandomStream random{1, 0};
  for (Vec3& v : soup.vertices)
    for (int k = 0; k < 3; ++k) v[k] += random.uniform(-5e-7, 5e-7);
  const RepairedMesh mesh = repair(soup);
  EXPECT_EQ(mesh.vertices.size(), 98U);  // 8 corners, 12 · 3 on edges, 6 · 9 in faces
  EXPECT_EQ(mesh.triangles.size(), 192U);
  EXPECT_TRUE(mesh.findings.is_closed());
  EXPECT_NEAR(volume(mesh), 8, 1e-4);
}

TEST(MeshRepair, LeavesOutTrianglesWithoutAreaAndDoubles) {
  TriangleSoup soup = test::square_soup(1, 2);
  soup.triangles.push_back({0, 1, 2});  // on one line
  soup.triangles.push_back({0, 0, 3});
  soup.triangles.push_back(soup.triangles[3]);
  std::swap(soup.triangles.back()[0], soup.triangles.back()[1]);
  const RepairedMesh mesh = repair(soup);
  EXPECT_EQ(mesh.triangles.size(), 8U);
  EXPECT_EQ(mesh.findings.without_area.count, 2U);
  EXPECT_EQ(mesh.findings.twice.count, 1U);
  EXPECT_EQ(mesh.findings.open_edges.count, 8U);
  EXPECT_FALSE(mesh.findings.is_closed());
}

TEST(MeshRepair, TurnsTheFewerOver) {
  TriangleSoup soup = test::box_soup({1, 2, 3}, 3);
  for (const std::size_t t : {5U, 17U, 60U}) std::swap(soup.triangles[t][0], soup.triangles[t][1]);
  const RepairedMesh mesh = repair(soup);
  EXPECT_EQ(mesh.findings.turned.count, 3U);
  EXPECT_FALSE(mesh.findings.inside_out);
  EXPECT_NEAR(volume(mesh), 48, 1e-12);
}

TEST(MeshRepair, TurnsAClosedSurfaceOutward) {
  TriangleSoup soup = test::box_soup({1, 2, 3}, 2);
  for (auto& t : soup.triangles) std::swap(t[0], t[1]);
  const RepairedMesh mesh = repair(soup);
  EXPECT_TRUE(mesh.findings.inside_out);
  EXPECT_EQ(mesh.findings.turned.count, 0U);
  EXPECT_NEAR(volume(mesh), 48, 1e-12);
}

TEST(MeshRepair, TellsOfBranchesAndOfStripsWithOneSide) {
  TriangleSoup soup = test::square_soup(1, 1);
  soup.vertices.push_back({0, 0, 1});
  soup.triangles.push_back({0, 3, 4});  // a third on the diagonal
  EXPECT_EQ(repair(soup).findings.branching_edges.count, 1U);

  TriangleSoup strip;
  constexpr std::uint32_t kTurns = 12;
  for (std::uint32_t i = 0; i < kTurns; ++i) {
    const double angle = 2 * std::numbers::pi * i / kTurns;
    for (const double side : {-0.3, 0.3}) {
      const double across = side * std::cos(angle / 2);
      strip.vertices.push_back({(1 + across) * std::cos(angle), (1 + across) * std::sin(angle),
                                side * std::sin(angle / 2)});
    }
  }
  for (std::uint32_t i = 0; i < kTurns; ++i) {
    const std::uint32_t a = 2 * i, b = 2 * i + 1;
    const bool last = i + 1 == kTurns;
    const std::uint32_t c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    strip.triangles.push_back({a, b, c});
    strip.triangles.push_back({b, d, c});
  }
  EXPECT_GT(repair(strip).findings.one_sided.count, 0U);
  EXPECT_EQ(repair(test::tube_soup(1, 1, 12, 1)).findings.one_sided.count, 0U);
}

TEST(MeshRepair, KeepsAHollowInASolid) {
  TriangleSoup soup = test::box_soup({2, 2, 2}), cavity = test::box_soup({1, 1, 1});
  const auto first = static_cast<std::uint32_t>(soup.vertices.size());
  soup.vertices.insert(soup.vertices.end(), cavity.vertices.begin(), cavity.vertices.end());
  for (const auto& t : cavity.triangles)
    soup.triangles.push_back({first + t[0], first + t[2], first + t[1]});
  const RepairedMesh mesh = repair(soup);
  EXPECT_EQ(mesh.findings.turned.count, 0U);
  EXPECT_NEAR(volume(mesh), 64 - 8, 1e-12);
  const TriangleMesh surface(mesh.vertices, mesh.triangles, Sides::one);
  EXPECT_NEAR(surface.signed_distance({0.1, 0, 0}).distance, 0.9, 1e-15);
  EXPECT_NEAR(surface.signed_distance({1.2, 0, 0}).distance, -0.2, 1e-15);
}

}  // namespace
}  // namespace scree
