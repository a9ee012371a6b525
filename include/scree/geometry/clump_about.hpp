/// Clumps whose centre of mass and moments are given instead of following from their parts: bodies
/// of several densities, robots' links.
#pragma once

#include <memory>
#include <vector>

#include "scree/geometry/clump.hpp"

namespace scree {

/// Parts [m] that together have a volume [m³], about the centre of mass and along the principal
/// axes that `frame` has among them; `hulls` as for clump_of(). `moments` are about that frame, of
/// the whole body over its mass [m²]. Throws std::invalid_argument as clump_of() does.
PlacedClump clump_about(const Pose& frame, const Vec3& moments, double volume,
                        std::vector<ClumpPart> parts,
                        std::vector<std::shared_ptr<const ConvexHull>> hulls);

}  // namespace scree
