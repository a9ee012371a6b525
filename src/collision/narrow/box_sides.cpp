#include "collision/narrow/box_sides.hpp"

#include <cmath>

#include "collision/narrow/box_pair.hpp"

namespace scree {

int most_across(const Vec3& n) {
  const int k = std::abs(n.y) > std::abs(n.x) ? 1 : 0;
  return std::abs(n.z) > std::abs(n[k]) ? 2 : k;
}

bool height_above(const Vec3& half_extent, const Vec3& p, const Vec3& n, double slack,
                  double& height) {
  constexpr double kUpright = 0.1;  // cosine of a face that is seen too nearly edge-on [-]
  const int first = most_across(n);
  for (int turn = 0; turn < 3; ++turn) {
    const int k = (first + turn) % 3;
    if (std::abs(n[k]) < kUpright) continue;
    const double t = ((n[k] > 0 ? p[k] : -p[k]) - half_extent[k]) / std::abs(n[k]);
    const auto is_within = [&](int l) {
      return std::abs(p[l] - t * n[l]) <= half_extent[l] + slack;
    };
    if (!is_within((k + 1) % 3) || !is_within((k + 2) % 3)) continue;
    height = t;
    return true;
  }
  return false;
}

FaceEdges::FaceEdges(const Vec3& half_extent, const Vec3& n, double depth) {
  const int across = most_across(n);
  const double farthest =
      std::abs(half_extent.x * n.x) + std::abs(half_extent.y * n.y) + std::abs(half_extent.z * n.z);
  for (const int k : {(across + 1) % 3, (across + 2) % 3}) {
    const int beside = 3 - across - k;
    if (half_extent[k] == 0) continue;
    for (int side = 0; side < (half_extent[beside] > 0 ? 2 : 1); ++side) {
      const int v = (n[across] > 0 && half_extent[across] > 0 ? 1 << across : 0) | side << beside;
      Vec3 middle = vertex(half_extent, v);
      middle[k] = 0;
      if (farthest - dot(middle, n) - half_extent[k] * std::abs(n[k]) < depth)
        edges_[count_++] = {edge_index(k, v), k, middle};
    }
  }
}

}  // namespace scree
