/// Visible sides of a cylinder against a direction: lines, rims and caps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "scree/geometry/shape.hpp"

namespace scree {

/// Cylinder in the axes of the caller.
struct PlacedCylinder {
  double radius, half_length;  ///< [m]
  Vec3 centre;                 ///< [m]
  Vec3 across[2], axis;        ///< its x, y and z axes

  PlacedCylinder(const Cylinder& c, const Vec3& position, const Quaternion& rotation)
      : radius(c.radius),
        half_length(c.half_length),
        centre(position),
        across{rotate(rotation, {1, 0, 0}), rotate(rotation, {0, 1, 0})},
        axis(rotate(rotation, {0, 0, 1})) {}

  /// Minimum of n·x over the cylinder [m], with n of unit length.
  double lowest(const Vec3& n) const {
    return dot(n, centre) - radius * norm(cross(n, axis)) - half_length * std::abs(dot(n, axis));
  }
  /// Centre of a cap: 0 at −z, 1 at +z.
  Vec3 end(int k) const { return centre + (k == 0 ? -half_length : half_length) * axis; }
  /// Centre of the cap that faces −n.
  Vec3 facing_cap(const Vec3& n) const { return end(dot(n, axis) > 0 ? 0 : 1); }

  /// Height of the visible side above p along n [m]; false if p lies beside it.
  bool height_above(const Vec3& p, const Vec3& n, double slack, double& height) const;
};

/// Straight edge, middle + s along with |s| ≤ half_length.
struct Edge {
  Vec3 middle, along;  ///< [m], unit
  double half_length;  ///< [m]

  Vec3 point(double s) const { return middle + s * along; }
};
/// Line along which a cylinder's side is lowest along n; empty if the side is viewed too nearly
/// end-on.
std::optional<Edge> facing_line(const PlacedCylinder& cylinder, const Vec3& n);

/// Crossing of an edge and a cylinder above it along n: at s of the edge, `height` below the
/// cylinder [m].
struct Crossing {
  std::uint32_t feature;
  double s, height;
};
/// Crossing with the cylinder's facing line.
std::optional<Crossing> side_crossing(const PlacedCylinder& cylinder, const Vec3& n,
                                      const Edge& edge);
/// Crossings with the rim of the facing cap. Features: 0 and 1 at the end −z, 2 and 3 at +z.
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

/// Points of the rims that may be the lowest along n. Features 0 and 1: the lowest points of the
/// rims at −z and +z. Features 2–5 and 6–9: fixed points of the rims, if the cap is nearly
/// orthogonal to n, without those next to the lowest point of a leaning cap.
class RimPoints {
 public:
  static constexpr std::uint32_t kFeatures = 10;
  struct Point {
    std::uint32_t feature;
    Vec3 position;  ///< [m]
  };

  RimPoints(const PlacedCylinder& cylinder, const Vec3& n);
  const Point* begin() const { return points_.data(); }
  const Point* end() const { return points_.data() + count_; }

 private:
  std::array<Point, 6> points_;
  int count_ = 0;
};

}  // namespace scree
