/// Volume and moments of a union of convex shapes, in which overlaps count once.
#pragma once

#include <span>

#include "geometry/principal_axes.hpp"
#include "scree/geometry/clump.hpp"

namespace scree {

/// Moments of a union of spheres, by slices.
MassMoments moments_of_spheres(std::span<const ClumpPart> spheres);

/// Moments of a union of any parts; see clump.hpp. Throws std::invalid_argument if too many overlap
/// in one region.
MassMoments moments_of_union(std::span<const ClumpPart> parts);

}  // namespace scree
