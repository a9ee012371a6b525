/// Where clumps touch: each pair of parts as two bodies of their own would.
#pragma once

#include <array>
#include <cstdint>

#include "scree/collision/contact_points.hpp"
#include "scree/collision/surface_contacts.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// Points of A and B with a gap below `margin` [m], normals from A to B; one of the two is a clump,
/// the other may be any shape.
///
/// * A pair of parts has the points of contact_points(), a part and a surface those of
///   points_on_surface(), or of touches_of_sphere() if it is a sphere; of a round part and a convex
///   one the nearest alone.
/// * Points that lie inside other parts of their clump are not on its surface, and count for
///   nothing, unless one is deeper than all that are; of points at one place with normals nearly
///   alike the nearest is kept. Of more than kMaxOnSurface the nearest and those whose pushes
///   differ most from the others.
/// * A feature is made of the two parts and of the point's feature among theirs. On surfaces its
///   twelve lowest bits are of the part of the body alone: see same_part_of_body().
SurfacePoints points_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b, double margin);

/// Points with the parts of A and of B that touch there, by their numbers; 0 of what is no clump.
struct ClumpPoints : SurfacePoints {
  struct Parts {
    std::uint32_t a, b;
  };
  std::array<Parts, kMaxOnSurface> parts;
};
/// Points that overlap, for springs: those of points_of_clump() with these exceptions, so that no
/// spring comes or goes but where its overlap begins and ends. Points of round parts count wherever
/// they lie, and each for itself. Of more than kMaxOnSurface those count that are deepest: where
/// one stands in for another, both hold as much energy.
ClumpPoints overlaps_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b);
/// The feature of a point of a part on a surface, as points_of_clump() has it: of the point of the
/// part, and of that of the surface.
std::uint32_t feature_on_surface(std::uint32_t part, std::uint32_t of_part,
                                 std::uint32_t of_surface);

/// The same for a step of length h [s], in which parts may pass or slide over a seam: see
/// contact_points_in_step() and internal_edge_manifold(). Parts with a gap of test.level or less
/// touch and do not pass.
SurfacePoints points_of_clump_in_step(const Shape& a, const Pose& pose_a, const Twist& twist_a,
                                      const Shape& b, const Pose& pose_b, const Twist& twist_b,
                                      double margin, double h, const SeamTest& test);

/// Least of the distances of their parts, as separation() has it.
SurfaceDistance separation_of_clump(const Shape& a, const Pose& pose_a, const Shape& b,
                                    const Pose& pose_b);

/// The most points that two shapes have, one of them a clump, and neither a surface.
std::uint32_t max_points_of_clump(const Shape& a, const Shape& b);

}  // namespace scree
