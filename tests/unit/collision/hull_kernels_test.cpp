#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <vector>

#include "collision/narrow/kernels/hulls.hpp"
#include "scree/math/quaternion.hpp"
#include "unit/collision/shape_pairs.hpp"

namespace scree {
namespace {

using kernels::FeatureOverlay;
using kernels::kBits;
using kernels::SeenFeature;

struct HullLook {
  std::vector<Vec3> corners_a, corners_b;
  SeenFeature a, b;
  Vec3 n;
  double slack;
};

/// Corners round a convex face, or two, or one.
std::vector<Vec3> random_corners(RandomStream& random) {
  const auto count = static_cast<std::size_t>(random.uniform(1, SeenFeature::kMax + 1));
  const Quaternion turn = random_orientation(random);
  const Vec3 middle = random.uniform(0, 0.8) * shape_pairs::random_direction(random);
  const double across = random.uniform(0.3, 1);
  std::vector<Vec3> corners;
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
    corners.push_back(middle + rotate(turn, {std::cos(angle), across * std::sin(angle), 0}));
  }
  return corners;
}
SeenFeature seen(const std::vector<Vec3>& corners, const Vec3& n) {
  const auto count = static_cast<int>(corners.size());
  const Vec3 normal = count > 2 ? cross(corners[1] - corners[0], corners[2] - corners[1]) : Vec3{};
  return {corners, count <= 2 ? count - 1 : count, dot(normal, n) > 0 ? 1.0 : -1.0};
}
HullLook random_hull_look(RandomStream& random) {
  HullLook look{random_corners(random), random_corners(random), {}, {}, {}, 1e-5};
  look.n = shape_pairs::random_direction(random);
  look.a = seen(look.corners_a, look.n);
  look.b = seen(look.corners_b, look.n);
  return look;
}

Vec3 edge(const SeenFeature& piece, int k) {
  const auto count = piece.corners.size(), at = static_cast<std::size_t>(k);
  return piece.corners[(at + 1) % count] - piece.corners[at];
}
/// Which corners of one are on the inner side of all edges of the other, one by one.
std::uint64_t inside(const SeenFeature& one, const SeenFeature& other, const HullLook& look) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < one.corners.size(); ++k) {
    bool is_inside = true;
    for (int l = 0; l < other.edges; ++l) {
      const Vec3 outward = other.side * cross(edge(other, l), look.n),
                 way = one.corners[k] - other.corners[static_cast<std::size_t>(l)];
      is_inside = is_inside && dot(outward, way) <= look.slack * norm(outward);
    }
    bits |= std::uint64_t{is_inside} << k;
  }
  return bits;
}
/// Which edges cross, by where the lines meet in the plane across n.
std::uint64_t crossings(const HullLook& look) {
  std::uint64_t bits = 0;
  for (int k = 0; k < look.a.edges; ++k)
    for (int l = 0; l < look.b.edges; ++l) {
      const Vec3 e = edge(look.a, k), f = edge(look.b, l),
                 r = look.b.corners[static_cast<std::size_t>(l)] -
                     look.a.corners[static_cast<std::size_t>(k)];
      const double sine = dot(look.n, cross(e, f)), s = dot(look.n, cross(r, f)) / sine,
                   t = dot(look.n, cross(r, e)) / sine;
      const bool cross_each_other =
          std::abs(sine) >= 1e-6 * norm(e) * norm(f) && s >= 0 && s <= 1 && t >= 0 && t <= 1;
      bits |= std::uint64_t{cross_each_other} << (k * SeenFeature::kMax + l);
    }
  return bits;
}

TEST(HullKernels, LayPiecesOverEachOtherAsTheDefinitionSaysInEveryInstructionSet) {
  RandomStream random{12, 0};
  int covered = 0, crossed = 0;
  for (int k = 0; k < 20000; ++k) {
    const HullLook look = random_hull_look(random);
    const std::uint64_t of_a = inside(look.a, look.b, look), of_b = inside(look.b, look.a, look),
                        cross_each_other = crossings(look);
    covered += look.b.edges > 2 && of_a != 0;
    crossed += cross_each_other != 0;
    for (const InstructionSet set : instruction_sets()) {
      SCOPED_TRACE(name(set));
      FeatureOverlay overlay;
      kernels::hull_kernels_of(set).lay_over(look.a, look.b, look.n, look.slack, overlay);
      ASSERT_EQ(overlay.of_a, of_a) << k;
      ASSERT_EQ(overlay.of_b, of_b) << k;
      ASSERT_EQ(overlay.crossings, cross_each_other) << k;
    }
  }
  EXPECT_GT(covered, 2000);
  EXPECT_GT(crossed, 2000);
}

TEST(HullKernels, FindTheFacesAboveInEveryInstructionSet) {
  RandomStream random{13, 0};
  for (int faces = 1; faces <= 256; ++faces) {
    std::vector<double> height(static_cast<std::size_t>((faces + 7) / 8 * 8),
                               std::numeric_limits<double>::infinity());
    for (int f = 0; f < faces; ++f)
      height[static_cast<std::size_t>(f)] = std::floor(random.uniform(-2, 3));
    for (const InstructionSet set : instruction_sets()) {
      std::uint64_t above[256 / kBits];
      kernels::hull_kernels_of(set).faces_above(height.data(), faces, 1, above);
      for (int f = 0; f < (faces + kBits - 1) / kBits * kBits; ++f)
        ASSERT_EQ((above[f / kBits] >> f % kBits & 1) != 0,
                  f < faces && height[static_cast<std::size_t>(f)] > 1)
            << name(set) << ": " << f << " of " << faces;
    }
  }
}

}  // namespace
}  // namespace scree
