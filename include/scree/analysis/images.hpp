/// Bodies of a world that repeats, as a part of space sees them.
#pragma once

#include "scree/analysis/region.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// All images of bodies whose bounding spheres come into the region along the axes that repeat,
/// with the velocities that they have there, the flow of the cell included. In the order of the
/// bodies, the images of one by their shifts. Without periods these are the bodies.
Bodies images_in(const Region& region, const Bodies& bodies, const Domain& domain);

}  // namespace scree
