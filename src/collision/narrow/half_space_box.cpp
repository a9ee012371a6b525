#include <algorithm>
#include <limits>

#include "collision/narrow/manifold_reduction.hpp"
#include "collision/narrow/pairs.hpp"

namespace scree {
namespace {

struct Height {
  Vec3 from_plane;  ///< from the half-space's origin to the vertex [m]
  double gap;       ///< [m]
};

Height height_of_vertex(const Pose& pose_a, const Vec3& normal, const RoundedBox& b,
                        const Pose& pose_b, int v) {
  const Vec3 p =
      pose_b.position - pose_a.position + rotate(pose_b.orientation, vertex(b.half_extent, v));
  return {p, dot(normal, p) - b.radius};
}

}  // namespace

SurfaceDistance half_space_separation(const Pose& pose_a, const RoundedBox& b, const Pose& pose_b) {
  const Vec3 normal = rotate(pose_a.orientation, {0, 0, 1});
  double least = std::numeric_limits<double>::infinity();
  for (int v = 0; v < 8; ++v)
    least = std::min(least, height_of_vertex(pose_a, normal, b, pose_b, v).gap);
  return {least, normal};
}

Manifold half_space_points(const Pose& pose_a, const RoundedBox& b, const Pose& pose_b,
                           double margin) {
  const Vec3 normal = rotate(pose_a.orientation, {0, 0, 1});
  const Vec3 against = -rotate_back(pose_b.orientation, normal);
  Candidates candidates(0);
  for_each_vertex(seen_vertices(b.half_extent, against), [&](int v) {
    const auto [p, gap] = height_of_vertex(pose_a, normal, b, pose_b, v);
    if (gap < margin) candidates.add(v, pose_a.position + p - (b.radius + 0.5 * gap) * normal, gap);
  });
  return candidates.reduced_manifold(normal, margin);
}

}  // namespace scree
