#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "collision/narrow/kernels/boxes.hpp"
#include "scree/math/quaternion.hpp"
#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using kernels::Look;
using kernels::Overlay;
using kernels::TwoBoxes;
using kernels::VertexDisplacements;

/// Near to each other; some turned by quarters, some flat.
TwoBoxes random_boxes(RandomStream& random) {
  const Quaternion quarter = rotation({0, 0, 1}, std::asin(1.0));
  const Quaternion turn = random.uniform(0, 1) < 0.3 ? quarter : random_orientation(random);
  TwoBoxes boxes{shape_pairs::random_box(random).half_extent,
                 shape_pairs::random_box(random).half_extent,
                 {rotate(turn, {1, 0, 0}), rotate(turn, {0, 1, 0}), rotate(turn, {0, 0, 1})},
                 random.uniform(0.5, 1.5) * shape_pairs::random_direction(random)};
  if (random.uniform(0, 1) < 0.2) boxes.half_of_b.x = boxes.half_of_b.y = 0;
  return boxes;
}

Vec3 corner(const Vec3& half_extent, int v) {
  return {v & 1 ? half_extent.x : -half_extent.x, v & 2 ? half_extent.y : -half_extent.y,
          v & 4 ? half_extent.z : -half_extent.z};
}
Vec3 in_b(const TwoBoxes& boxes, const Vec3& v) {
  return {dot(boxes.axes_of_b[0], v), dot(boxes.axes_of_b[1], v), dot(boxes.axes_of_b[2], v)};
}
Vec3 from_b(const TwoBoxes& boxes, const Vec3& v) {
  return v.x * boxes.axes_of_b[0] + v.y * boxes.axes_of_b[1] + v.z * boxes.axes_of_b[2];
}

Look random_look(const TwoBoxes& boxes, RandomStream& random) {
  const Vec3 n = shape_pairs::random_direction(random);
  double lowest = std::numeric_limits<double>::infinity();
  for (int v = 0; v < 8; ++v)
    lowest =
        std::min(lowest, dot(n, boxes.centre_of_b + from_b(boxes, corner(boxes.half_of_b, v))));
  return {n, in_b(boxes, n), lowest, random.uniform(0, 2), 1e-5, 0xFF, 0xFF};
}

bool same(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

TEST(BoxKernels, AgreeInEveryBitOnAllInstructionSets) {
  RandomStream random{11, 0};
  std::size_t over = 0, crossings = 0;
  for (int k = 0; k < 3000; ++k) {
    const TwoBoxes boxes = random_boxes(random);
    const Look look = random_look(boxes, random);
    VertexDisplacements displacements;
    Overlay overlay;
    kernels::scalar_box_kernels.vertex_displacements(boxes, displacements);
    kernels::scalar_box_kernels.lay_over(boxes, look, overlay);
    over += std::popcount(overlay.of_a) + std::popcount(overlay.of_b);
    crossings += overlay.crossings;
    for (const InstructionSet set : instruction_sets()) {
      SCOPED_TRACE(name(set));
      VertexDisplacements its_displacements;
      Overlay its;
      kernels::box_kernels_of(set).vertex_displacements(boxes, its_displacements);
      kernels::box_kernels_of(set).lay_over(boxes, look, its);
      ASSERT_TRUE(std::ranges::equal(its_displacements.distance2, displacements.distance2, same));
      ASSERT_TRUE(std::ranges::equal(its_displacements.extent, displacements.extent, same));
      ASSERT_EQ(its_displacements.shortest, displacements.shortest);
      ASSERT_EQ(its.of_a, overlay.of_a);
      ASSERT_EQ(its.of_b, overlay.of_b);
      ASSERT_EQ(its.crossings, overlay.crossings);
      for (int v = 0; v < 8; ++v) {
        if (its.of_a >> v & 1) ASSERT_TRUE(same(its.height_of_a[v], overlay.height_of_a[v]));
        if (its.of_b >> v & 1) ASSERT_TRUE(same(its.height_of_b[v], overlay.height_of_b[v]));
      }
      for (int c = 0; c < its.crossings; ++c) {
        ASSERT_EQ(its.crossing[c].edge_of_a.axis, overlay.crossing[c].edge_of_a.axis);
        ASSERT_EQ(its.crossing[c].edge_of_a.vertex, overlay.crossing[c].edge_of_a.vertex);
        ASSERT_EQ(its.crossing[c].edge_of_b.axis, overlay.crossing[c].edge_of_b.axis);
        ASSERT_EQ(its.crossing[c].edge_of_b.vertex, overlay.crossing[c].edge_of_b.vertex);
        ASSERT_EQ(its.crossing[c].on_a, overlay.crossing[c].on_a);
        ASSERT_TRUE(same(its.crossing[c].height, overlay.crossing[c].height));
      }
    }
  }
  EXPECT_GT(over, 3000U);
  EXPECT_GT(crossings, 1000U);
}

TEST(BoxKernels, FindHeightsAtWhichTheOtherSurfaceLies) {
  RandomStream random{12, 0};
  for (int k = 0; k < 1000; ++k) {
    const TwoBoxes boxes = random_boxes(random);
    const Look look = random_look(boxes, random);
    Overlay overlay;
    kernels::scalar_box_kernels.lay_over(boxes, look, overlay);
    const auto from_surface_of_b = [&](const Vec3& p) {
      const Vec3 at = in_b(boxes, p - boxes.centre_of_b);
      return std::abs(signed_distance(Box{boxes.half_of_b}, {}, at).distance);
    };
    constexpr double kSlack = 2e-4;  // a vertex may lie over a steep face by its slack
    for (int v = 0; v < 8; ++v)
      if (overlay.of_a >> v & 1)
        EXPECT_LT(from_surface_of_b(corner(boxes.half_of_a, v) + overlay.height_of_a[v] * look.n),
                  kSlack);
    for (int c = 0; c < overlay.crossings; ++c)
      EXPECT_LT(from_surface_of_b(overlay.crossing[c].on_a + overlay.crossing[c].height * look.n),
                1e-9);
  }
}

}  // namespace
}  // namespace scree
