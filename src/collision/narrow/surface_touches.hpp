/// Places of a surface near a point: what touches_of_sphere() and its kin share.
#pragma once

#include <span>

#include "scree/collision/surface_contacts.hpp"

namespace scree {

/// Closer than that, of a sphere's radius, two places are one [-].
inline constexpr double kSameTouch = 1e-5;

/// Of any number of touches: the nearest, and then again and again the one whose normal is farthest
/// from those that are kept.
SurfaceTouches reduced_manifold(std::span<SurfaceTouch> touches);

}  // namespace scree
