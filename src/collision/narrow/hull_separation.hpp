/// Distance or overlap of two convex polyhedra, by their faces and edges.
#pragma once

#include <optional>

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/gjk_epa.hpp"

namespace scree {

/// Maximum separation; maximum over normals of faces; maximum over normals of faces of the other
/// body.
struct HullSeparation {
  CoreDistance any;
  BoxPair::Axis face, other_face;
  /// False if neither a face and a corner nor two edges separate the hulls: then `any` is only a
  /// lower bound of their distance.
  bool is_distance;
};
/// Equal to separation_of_cores() up to rounding, and exact for overlaps. Empty if it would take
/// too long. If the hulls are at least `enough` [m] apart, the separation is only a lower bound.
std::optional<HullSeparation> separation_of_hulls(const ConvexCore& a, const ConvexCore& b,
                                                  double enough);

}  // namespace scree
