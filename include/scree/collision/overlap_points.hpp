/// Overlap points of two convex shapes, for springs.
#pragma once

#include <cstdint>

#include "scree/collision/surface_contacts.hpp"

namespace scree {

struct OverlapPoints : SurfacePoints {
  /// Number of points that share the pair's stiffness: four, or max_overlaps() where all corners
  /// below a side count.
  std::uint32_t sharing = 4;
};

/// Points of two overlapping convex shapes. They are those of contact_points() without margin,
/// except for cylinders, frusta and polyhedra that overlap a half-space or the inside of a flat
/// side. There the energy of equal springs at the points is a continuous function of the pose. Our
/// own.
///
/// * Polyhedron: all overlapping corners; the deepest if there are more than max_overlaps().
/// * Rim that overlaps completely: four points that rotate with the body. Their springs have the
///   energy, force and torque of any other four equidistant points. Rim that overlaps in part: the
///   deepest point, and the two next to the middle; both sets agree where the overlap becomes
///   complete. Rim that faces away: the deepest point. A disc thinner than its overlap has one
///   point too many, so the shallowest is dropped.
OverlapPoints overlap_points(const Shape& a, const Pose& pose_a, const Shape& b,
                             const Pose& pose_b);

/// Maximum number of overlap_points() of two shapes, neither of them round: four, or the number of
/// corners of the largest face of a polyhedron, if that is at most kMaxOnSurface.
std::uint32_t max_overlaps(const Shape& a, const Shape& b);

}  // namespace scree
