/// Periodic images of bodies in a region.
#pragma once

#include "scree/analysis/region.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// All images of bodies whose bounding spheres reach the region along periodic axes, with their
/// velocities there, including the flow of the cell. Ordered by bodies, then by shifts. Without
/// periods these are the bodies.
Bodies images_in(const Region& region, const Bodies& bodies, const Domain& domain);

}  // namespace scree
