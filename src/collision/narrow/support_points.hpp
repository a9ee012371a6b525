/// Points of a convex shape that a plane may touch, shared by half-spaces, facets and discs.
#pragma once

#include <array>
#include <cstdint>

#include "collision/narrow/convex_core.hpp"

namespace scree {

/// Points of the core visible against n: corners of the visible side, and the point farthest along
/// n. For a box: all visible corners. For a cylinder: points of its rims. For other shapes: those
/// of the feature most nearly orthogonal to n.
class SupportPoints {
 public:
  static constexpr std::uint32_t kFarthest = 0xffe;  ///< feature of a point that is not a corner
  struct Point {
    std::uint32_t feature;  ///< index of a corner, for shapes that have corners
    Vec3 position;          ///< [m]
  };

  /// `core` is that of `shape` at `pose`, all in the axes of the caller; n is a unit vector.
  SupportPoints(const Shape& shape, const Pose& pose, const ConvexCore& core, const Vec3& n);
  const Point* begin() const { return points_.data(); }
  const Point* end() const { return points_.data() + count_; }

 private:
  std::array<Point, SupportFeature::kMax + 1> points_;
  int count_ = 0;
};

}  // namespace scree
