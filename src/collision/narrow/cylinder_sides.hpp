/// What a cylinder shows against a direction.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

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
  /// Centre of a cap: 0 at −z, 1 at +z.
  Vec3 end(int k) const { return centre + (k == 0 ? -half_length : half_length) * axis; }
  /// Centre of the cap that faces −n.
  Vec3 facing_cap(const Vec3& n) const { return end(dot(n, axis) > 0 ? 0 : 1); }

  /// How far along n it lies above p, on the side that it shows [m]; false if beside it.
  bool height_above(const Vec3& p, const Vec3& n, double slack, double& height) const;
};

/// A straight edge, middle + s along with |s| ≤ half_length.
struct Edge {
  Vec3 middle, along;  ///< [m], unit
  double half_length;  ///< [m]

  Vec3 point(double s) const { return middle + s * along; }
};
/// The line along which a cylinder's side is lowest along n; none where the side is seen too nearly
/// end-on.
std::optional<Edge> facing_line(const PlacedCylinder& cylinder, const Vec3& n);

/// Of an edge and a cylinder above it along n: at s of the edge, `height` below [m].
struct Crossing {
  std::uint32_t feature;
  double s, height;
};
/// Where it crosses the cylinder's facing line.
std::optional<Crossing> side_crossing(const PlacedCylinder& cylinder, const Vec3& n,
                                      const Edge& edge);
/// Where it crosses the rim of the cap that faces it. Features: 0 and 1 at the end −z, 2 and 3 at
/// +z.
class RimCrossings {
 public:
  static constexpr std::uint32_t kFeatures = 4;

  RimCrossings(const PlacedCylinder& cylinder, const Vec3& n, const Edge& edge);
  const Crossing* begin() const { return crossings_.data(); }
  const Crossing* end() const { return crossings_.data() + count_; }

 private:
  std::array<Crossing, 2> crossings_;
  int count_ = 0;
};

/// Points of the rims that may be the lowest along n. Features: 0 and 1, the lowest of the rim at
/// the end −z and +z; 2–5 and 6–9, fixed points of the rims, where the cap is nearly across n, but
/// for those beside the lowest of a cap that leans.
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
