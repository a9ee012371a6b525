/// Closest points of a superellipsoid and another core, to rounding.
#pragma once

#include "collision/narrow/core_separation.hpp"

namespace scree {

/// Improves a separation that is good to about 1e-7 where a core is a superellipsoid; others are
/// given back as they are.
CoreSeparation on_smooth_surface(const ConvexCore& a, const ConvexCore& b,
                                 const CoreSeparation& found);

}  // namespace scree
