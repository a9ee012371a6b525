/// Clumps whose centre of mass and moments are given, not computed from their parts: bodies of
/// several densities, robots' links.
#pragma once

#include <memory>
#include <vector>

#include "scree/geometry/clump.hpp"

namespace scree {

/// Clump of parts [m] with a given volume [m³]. `frame` is the frame of the centre of mass and
/// principal axes in that of the parts; `hulls` as for clump_of(). `moments` are about that frame:
/// those of the whole body over its mass [m²]. Throws std::invalid_argument as clump_of() does.
PlacedClump clump_about(const Pose& frame, const Vec3& moments, double volume,
                        std::vector<ClumpPart> parts,
                        std::vector<std::shared_ptr<const ConvexHull>> hulls);

}  // namespace scree
