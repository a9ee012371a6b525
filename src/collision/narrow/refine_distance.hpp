/// The closest points of two cores to rounding, curved surfaces as well.
#pragma once

#include "collision/narrow/gjk_epa.hpp"

namespace scree {

/// As separation_of_cores, but exact to rounding: from there the normal is looked for among those
/// that the parts which meet allow. A face has one, those of an edge lie on a circle, a corner and
/// a smooth surface have any; where both shapes leave a choice the separation is stationary.
CoreSeparation refine_distance(const ConvexCore& a, const ConvexCore& b, double enough);

}  // namespace scree
