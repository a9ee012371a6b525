/// Visible faces and edges of a box along a direction.
#include "collision/narrow/box_sides.hpp"

#include <cmath>

#include "collision/narrow/box_pair.hpp"

namespace scree {

int dominant_axis(const Vec3& n) {
  const int k = std::abs(n.y) > std::abs(n.x) ? 1 : 0;
  return std::abs(n.z) > std::abs(n[k]) ? 2 : k;
}

HeightAboveBox::HeightAboveBox(const Vec3& half_extent, const Vec3& n, double slack) {
  constexpr double kUpright = 0.1;  // cosine of a face that is nearly edge-on [-]
  const std::array<double, 3> h{half_extent.x, half_extent.y, half_extent.z}, m{n.x, n.y, n.z};
  const int first = dominant_axis(n);
  for (int offset = 0; offset < 3; ++offset) {
    const int k = (first + offset) % 3;
    const auto in_plane = [&](int l) -> Face::InPlaneAxis { return {l, m[l], h[l] + slack}; };
    faces_[count_] = {k,
                      m[k] > 0 ? 1.0 : -1.0,
                      h[k],
                      std::abs(m[k]),
                      {in_plane((k + 1) % 3), in_plane((k + 2) % 3)}};
    count_ += !(std::abs(m[k]) < kUpright);
  }
}

bool HeightAboveBox::operator()(const Vec3& p, double& height) const {
  for (int f = 0; f < count_; ++f) {
    const Face& face = faces_[f];
    height = (face.side * p[face.across] - face.half_extent) / face.cosine;
    const auto is_within = [&](const Face::InPlaneAxis& in_plane) {
      return std::abs(p[in_plane.axis] - height * in_plane.n) <= in_plane.reach;
    };
    if (is_within(face.in_plane[0]) && is_within(face.in_plane[1])) return true;
  }
  return false;
}

FaceEdges::FaceEdges(const Vec3& half_extent, const Vec3& n, double depth) {
  const std::array<double, 3> h{half_extent.x, half_extent.y, half_extent.z}, m{n.x, n.y, n.z};
  const int across = dominant_axis(n);
  const double farthest = std::abs(h[0] * m[0]) + std::abs(h[1] * m[1]) + std::abs(h[2] * m[2]);
  const int top = m[across] > 0 && h[across] > 0 ? 1 << across : 0;
  const double height = top != 0 ? h[across] : -h[across];
  const double lift = height * m[across];
  for (const int k : {(across + 1) % 3, (across + 2) % 3}) {
    const int in_plane = 3 - across - k;
    if (h[k] == 0) continue;
    const double along = h[k] * std::abs(m[k]);
    const int at_side[2] = {edge_index(k, top), edge_index(k, top | 1 << in_plane)};
    std::array<double, 3> middle{};
    middle[across] = height;
    for (int side = 0; side < (h[in_plane] > 0 ? 2 : 1); ++side) {
      middle[in_plane] = side == 1 ? h[in_plane] : -h[in_plane];
      edges_[count_] = {at_side[side], k, {middle[0], middle[1], middle[2]}};
      const double below = farthest - (lift + middle[in_plane] * m[in_plane]) - along;
      count_ += !(below >= depth);  // branch-free: the outcome is nearly random
    }
  }
}

}  // namespace scree
