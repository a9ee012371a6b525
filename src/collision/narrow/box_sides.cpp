#include "collision/narrow/box_sides.hpp"

#include <cmath>

#include "collision/narrow/box_pair.hpp"

namespace scree {

int most_across(const Vec3& n) {
  const int k = std::abs(n.y) > std::abs(n.x) ? 1 : 0;
  return std::abs(n.z) > std::abs(n[k]) ? 2 : k;
}

HeightAboveBox::HeightAboveBox(const Vec3& half_extent, const Vec3& n, double slack) {
  constexpr double kUpright = 0.1;  // cosine of a face that is seen too nearly edge-on [-]
  const int first = most_across(n);
  for (int turn = 0; turn < 3; ++turn) {
    const int k = (first + turn) % 3;
    if (std::abs(n[k]) < kUpright) continue;
    const auto beside = [&](int l) -> Face::Beside { return {l, n[l], half_extent[l] + slack}; };
    faces_[count_++] = {k,
                        n[k] > 0 ? 1.0 : -1.0,
                        half_extent[k],
                        std::abs(n[k]),
                        {beside((k + 1) % 3), beside((k + 2) % 3)}};
  }
}

FaceEdges::FaceEdges(const Vec3& half_extent, const Vec3& n, double depth) {
  const int across = most_across(n);
  const double farthest =
      std::abs(half_extent.x * n.x) + std::abs(half_extent.y * n.y) + std::abs(half_extent.z * n.z);
  const int top = n[across] > 0 && half_extent[across] > 0 ? 1 << across : 0;
  const double height = top != 0 ? half_extent[across] : -half_extent[across];
  for (const int k : {(across + 1) % 3, (across + 2) % 3}) {
    const int beside = 3 - across - k;
    if (half_extent[k] == 0) continue;
    for (int side = 0; side < (half_extent[beside] > 0 ? 2 : 1); ++side) {
      const double out = side == 1 ? half_extent[beside] : -half_extent[beside];
      if (farthest - (height * n[across] + out * n[beside]) - half_extent[k] * std::abs(n[k]) >=
          depth)
        continue;
      BoxEdge& edge = edges_[count_++];
      edge = {edge_index(k, top | side << beside), k, {}};
      edge.middle[across] = height;
      edge.middle[beside] = out;
    }
  }
}

}  // namespace scree
