/// Points of a convex shape that a plane may touch: what half-spaces, facets and discs share.
#pragma once

#include <array>
#include <cstdint>

#include "collision/narrow/convex_core.hpp"

namespace scree {

/// Of the core, for who looks at the shape against n: corners of the side that it shows, and the
/// point farthest along n. Of a box all corners that are seen, of a cylinder points of its rims, of
/// other shapes those of the piece that lies most nearly across n.
class SupportPoints {
 public:
  static constexpr std::uint32_t kFarthest = 0xffe;  ///< feature of a point that is no corner
  struct Point {
    std::uint32_t feature;  ///< of a shape that has one, the index of a corner
    Vec3 place;             ///< [m]
  };

  /// `core` is that of `shape` at `pose`, which are in the axes of whoever looks; n is unit.
  SupportPoints(const Shape& shape, const Pose& pose, const ConvexCore& core, const Vec3& n);
  const Point* begin() const { return points_.data(); }
  const Point* end() const { return points_.data() + count_; }

 private:
  std::array<Point, SupportFeature::kMax + 1> points_;
  int count_ = 0;
};

}  // namespace scree
