/// Contact points of clumps: each pair of parts touches as two separate bodies would.
#pragma once

#include <array>
#include <cstdint>

#include "scree/collision/contact_points.hpp"
#include "scree/collision/surface_contacts.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// Points of A and B with a gap below `margin` [m], normals from A to B. One of the two is a clump;
/// the other may be any shape.
///
/// * A pair of parts has the points of contact_points(); a part and a surface have those of
///   points_on_surface(), or of touches_of_sphere() if the part is a sphere. A round part and a
///   convex one have only the nearest point.
/// * Points inside other parts of their clump are not on its surface: they are dropped, unless one
///   is deeper than all points that are. Of points at one position with nearly equal normals, the
///   nearest stays. Of more than kMaxOnSurface, the nearest stays, and those whose wrenches differ
///   most from the others.
/// * A feature combines the two parts and the point's feature between them. On surfaces its lowest
///   twelve bits are those of the body's part alone: see same_part_of_body().
SurfacePoints points_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b, double margin);

/// Points, with the indices of the parts of A and B that touch there; 0 if a shape is not a clump.
struct ClumpPoints : SurfacePoints {
  struct Parts {
    std::uint32_t a, b;
  };
  std::array<Parts, kMaxOnSurface> parts;
};
/// Overlapping points, for springs: those of points_of_clump() with two exceptions, so that a
/// spring comes or goes only where its overlap begins or ends. Points of round parts count wherever
/// they lie, each for itself. Of more than kMaxOnSurface the deepest count: where one replaces
/// another, both store the same energy.
ClumpPoints overlaps_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b);
/// Feature of a point of a part on a surface, as points_of_clump() has it, from the feature on the
/// part and that on the surface.
std::uint32_t feature_on_surface(std::uint32_t part, std::uint32_t of_part,
                                 std::uint32_t of_surface);

/// The same for a step of length h [s], in which parts may pass or slide over a seam: see
/// contact_points_in_step() and internal_edge_manifold(). Parts with a gap of at most test.level
/// touch and do not pass.
SurfacePoints points_of_clump_in_step(const Shape& a, const Pose& pose_a, const Twist& twist_a,
                                      const Shape& b, const Pose& pose_b, const Twist& twist_b,
                                      double margin, double h, const SeamTest& test);

/// Minimum distance of their parts, as separation() has it.
SurfaceDistance separation_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b);

/// Maximum number of points of two shapes, one of them a clump and neither a surface.
std::uint32_t max_points_of_clump(const Shape& a, const Shape& b);

}  // namespace scree
