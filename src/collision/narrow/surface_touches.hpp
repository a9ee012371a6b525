/// Touches of a surface near a point, shared by touches_of_sphere() and related functions.
#pragma once

#include <span>

#include "scree/collision/surface_contacts.hpp"

namespace scree {

/// Distance over a sphere's radius within which two touches count as one [-].
inline constexpr double kSameTouch = 1e-5;

/// Reduces touches: keeps the nearest, then repeatedly the one whose normal is farthest from those
/// already kept.
SurfaceTouches reduced_manifold(std::span<SurfaceTouch> touches);

}  // namespace scree
