/// Volume and moments of a union of convex shapes, in which space counts once.
#pragma once

#include <span>

#include "geometry/principal_axes.hpp"
#include "scree/geometry/clump.hpp"

namespace scree {

/// Of spheres, slice by slice.
MassMoments moments_of_spheres(std::span<const ClumpPart> spheres);

/// Of any parts: see clump.hpp. Throws std::invalid_argument if too many overlap in one place.
MassMoments moments_of_union(std::span<const ClumpPart> parts);

}  // namespace scree
