/// Closest points of two cores, accurate to rounding even on curved surfaces.
#pragma once

#include "collision/narrow/gjk_epa.hpp"

namespace scree {

/// Like separation_of_cores, but accurate to rounding: it then searches among the normals that the
/// meeting features allow. A face has one normal, those of an edge form a circle, a corner and a
/// smooth surface have any. Where both shapes leave a choice, the separation is stationary.
CoreSeparation refine_distance(const ConvexCore& a, const ConvexCore& b, double enough);

}  // namespace scree
