/// Order of points along a space-filling curve.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree::view {

/// Indices of points along Morton's curve in their bounding box: neighbours in the order are
/// neighbours in space, mostly.
std::vector<std::uint32_t> curve_order(std::span<const Vec3> points);

}  // namespace scree::view
