#include "collision/narrow/support_points.hpp"

#include <algorithm>
#include <limits>

#include "collision/narrow/cylinder_sides.hpp"
#include "collision/narrow/rounded_box.hpp"

namespace scree {

SupportPoints::SupportPoints(const Shape& shape, const Pose& pose, const ConvexCore& core,
                             const Vec3& n) {
  const auto add = [&](std::uint32_t feature, const Vec3& position) {
    points_[count_++] = {feature, position};
  };
  const auto add_corners = [&](const Vec3& half_extent) {
    const Vec3 seen = rotate_back(pose.orientation, n);
    for_each_vertex(seen_vertices(half_extent, seen), [&](int v) {
      add(static_cast<std::uint32_t>(v),
          pose.position + rotate(pose.orientation, vertex(half_extent, v)));
    });
  };
  if (const auto* box = std::get_if<Box>(&shape)) {
    add_corners(box->half_extent);
    return;
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    add_corners({0, 0, capsule->half_length});
    return;
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    for (const auto& [feature, position] :
         RimPoints(PlacedCylinder(*cylinder, pose.position, pose.orientation), -n))
      add(feature, position);
    return;
  }
  constexpr double kRounding = 1e-13;  // fraction of the size
  const SupportFeature feature = core.facing(n);
  double farthest = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < feature.count; ++k) {
    add(feature.feature[k], feature.corner[k]);
    farthest = std::max(farthest, dot(n, feature.corner[k]));
  }
  const Vec3 point = core.support(n);
  if (dot(n, point) > farthest + kRounding * core.size()) add(kFarthest, point);
}

}  // namespace scree
