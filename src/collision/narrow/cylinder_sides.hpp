/// What a cylinder shows against a direction.
#pragma once

#include <array>
#include <cstdint>

#include "scree/geometry/shape.hpp"

namespace scree {

/// A cylinder in the axes of whoever looks at it.
struct PlacedCylinder {
  double radius, half_length;  ///< [m]
  Vec3 centre;                 ///< [m]
  Vec3 across[2], axis;        ///< its x, y and z axes

  PlacedCylinder(const Cylinder& c, const Vec3& place, const Quaternion& turn)
      : radius(c.radius),
        half_length(c.half_length),
        centre(place),
        across{rotate(turn, {1, 0, 0}), rotate(turn, {0, 1, 0})},
        axis(rotate(turn, {0, 0, 1})) {}

  /// Least n·x of the cylinder [m], n of unit length.
  double lowest(const Vec3& n) const {
    return dot(n, centre) - radius * norm(cross(n, axis)) - half_length * std::abs(dot(n, axis));
  }
  /// Centre of the cap that faces −n.
  Vec3 facing_cap(const Vec3& n) const {
    return centre + (dot(n, axis) > 0 ? -half_length : half_length) * axis;
  }
};

/// Points of the rims that may be the lowest along n. Features: 0 and 1, the lowest of the rim at
/// the end −z and +z; 2–5 and 6–9, fixed points of the rims, where the cap is nearly across n.
class RimPoints {
 public:
  static constexpr std::uint32_t kFeatures = 10;
  struct Point {
    std::uint32_t feature;
    Vec3 place;  ///< [m]
  };

  RimPoints(const PlacedCylinder& cylinder, const Vec3& n);
  const Point* begin() const { return points_.data(); }
  const Point* end() const { return points_.data() + count_; }

 private:
  std::array<Point, 6> points_;
  int count_ = 0;
};

}  // namespace scree
