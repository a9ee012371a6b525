/// COLLADA files: units, axes, nodes and primitives; damaged ones are refused.
#include "scene/collada.hpp"

#include <gtest/gtest.h>

#include "scree/core/error.hpp"

namespace scree::test {
namespace {

struct Extent {
  Vec3 low, high;
};

TriangleSoup collada(const std::string& file) {
  return scene::read_collada(SCREE_TEST_DATA "/corpus/collada/" + file);
}

Extent extent_of(const TriangleSoup& soup) {
  Extent extent{soup.vertices.at(0), soup.vertices.at(0)};
  for (const Vec3& v : soup.vertices)
    for (int k = 0; k < 3; ++k) {
      extent.low[k] = std::min(extent.low[k], v[k]);
      extent.high[k] = std::max(extent.high[k], v[k]);
    }
  return extent;
}

/// Twice the area of all triangles, as vectors: zero for a closed surface.
Vec3 area_of(const TriangleSoup& soup) {
  Vec3 sum;
  for (const auto& [a, b, c] : soup.triangles)
    sum += cross(soup.vertices[b] - soup.vertices[a], soup.vertices[c] - soup.vertices[a]);
  return sum;
}

void expect_block(const TriangleSoup& soup, const Vec3& low, const Vec3& high) {
  constexpr double kRounding = 1e-12;
  const Extent extent = extent_of(soup);
  EXPECT_LT(norm(extent.low - low), kRounding);
  EXPECT_LT(norm(extent.high - high), kRounding);
  EXPECT_EQ(soup.triangles.size(), 12u);
  EXPECT_LT(norm(area_of(soup)), kRounding);
}

constexpr double kInch = 0.0254;  // [m]

TEST(Collada, has_its_unit_its_up_axis_and_the_places_of_its_nodes) {
  // 4 x 2 x 6 inches, y up, 1 inch along x
  expect_block(collada("block.dae"), kInch * Vec3{1, -6, 0}, kInch * Vec3{5, 0, 2});
}

TEST(Collada, without_a_scene_has_all_its_geometries) {
  expect_block(collada("no_scene.dae"), kInch * Vec3{0, -6, 0}, kInch * Vec3{4, 0, 2});
}

TEST(Collada, has_nodes_of_its_library_and_skins) {
  // The inner node takes (x, y, z) to (x, -z, y), and x is up: x from 1 to 5, y from -6 to 0 and z
  // from 0 to 2 inches become -y, -z, x
  expect_block(collada("nodes_and_skins.dae"), kInch * Vec3{0, -2, 1}, kInch * Vec3{6, 0, 5});
}

TEST(Collada, has_strips_and_fans) {
  expect_block(collada("strips.dae"), kInch * Vec3{1, 0, 0}, kInch * Vec3{5, 2, 6});
  EXPECT_EQ(collada("fans.dae").triangles.size(), 12u);
}

TEST(Collada, that_is_damaged_is_refused) {
  EXPECT_THROW(collada("cut_off.dae"), InputError);
  EXPECT_THROW(collada("node_in_itself.dae"), InputError);
}

}  // namespace
}  // namespace scree::test
