/// Sets of the three axes of the world.
#pragma once

#include <cstdint>

#include "scree/math/vec3.hpp"

namespace scree {

/// Bit mask: 1 is x, 2 is y, 4 is z.
using AxisSet = std::uint8_t;
inline constexpr AxisSet kAllAxes = 7;

inline constexpr bool contains(AxisSet axes, int axis) { return axes >> axis & 1; }

/// Vector v with its components along `axes` set to 0.
inline constexpr Vec3 without(const Vec3& v, AxisSet axes) {
  return {contains(axes, 0) ? 0 : v.x, contains(axes, 1) ? 0 : v.y, contains(axes, 2) ? 0 : v.z};
}

}  // namespace scree
