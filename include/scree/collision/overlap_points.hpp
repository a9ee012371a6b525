/// Where two convex shapes overlap, for springs.
#pragma once

#include <cstdint>

#include "scree/collision/surface_contacts.hpp"

namespace scree {

struct OverlapPoints : SurfacePoints {
  /// Of how many points each has its part of the pair's stiffness: four, or max_overlaps() where
  /// all corners below a side count.
  std::uint32_t sharing = 4;
};

/// Points of two convex shapes that overlap, as contact_points() has them with no margin, but for
/// cylinders, frusta and polyhedra that overlap a half-space, or the middle of a flat side: of them
/// the energy of equal springs at the points is a function of the pose, without steps. Our own.
///
/// * Of a polyhedron all corners that overlap, the deepest of more than max_overlaps().
/// * Of a rim that overlaps with all of its points, four that turn with the body: their springs
/// hold
///   the same energy, push and turn as those of any other four. Of one that overlaps in part the
///   deepest, and the two beside the middle; where it comes to overlap with all, both have the
///   same. Of the rim that faces away the deepest. A disc thinner than its overlap has one more
///   than there is room for, and the shallowest is left out.
OverlapPoints overlap_points(const Shape& a, const Pose& pose_a, const Shape& b,
                             const Pose& pose_b);

/// The most that overlap_points() has of two shapes, neither of them round: four, or the corners of
/// the largest face of a polyhedron where it has up to kMaxOnSurface.
std::uint32_t max_overlaps(const Shape& a, const Shape& b);

}  // namespace scree
