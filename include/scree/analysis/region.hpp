/// Boxes along the axes: the region of an analysis, and grids of cells.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "scree/math/vec3.hpp"

namespace scree {

/// Points with min ≤ x < max in each coordinate: a point on a common face belongs to one box.
struct Region {
  Vec3 min, max;  ///< [m]

  constexpr Vec3 extent() const { return max - min; }  ///< [m]
  /// Volume [m³]; 0 if empty.
  constexpr double volume() const {
    const Vec3 e = extent();
    return e.x > 0 && e.y > 0 && e.z > 0 ? e.x * e.y * e.z : 0;
  }
  constexpr bool contains(const Vec3& p) const {
    return p.x >= min.x && p.x < max.x && p.y >= min.y && p.y < max.y && p.z >= min.z &&
           p.z < max.z;
  }
  constexpr bool operator==(const Region&) const = default;
};

/// Smallest region that contains all points; non-finite points are left out. Empty without points.
Region bounding_region(std::span<const Vec3> position);

/// A region cut into equal cells, the last coordinate running fastest.
struct Grid {
  Region region;
  std::array<std::uint32_t, 3> cells{1, 1, 1};  ///< along x, y, z; each > 0

  std::size_t size() const { return std::size_t{cells[0]} * cells[1] * cells[2]; }
  std::size_t index(const std::array<std::uint32_t, 3>& at) const {
    return (std::size_t{at[0]} * cells[1] + at[1]) * cells[2] + at[2];
  }
  /// Cells along an axis that contain low and high [m]; the nearest cell if outside.
  std::array<std::uint32_t, 2> range(int axis, double low, double high) const;
  /// Cell of a point in the region.
  std::size_t cell_of(const Vec3& p) const;
  Region cell(std::size_t index) const;
  Vec3 centre(std::size_t index) const;  ///< of a cell [m]
  /// Indices of a cell along x, y, z.
  std::array<std::size_t, 3> place_of(std::size_t index) const;
};

}  // namespace scree
