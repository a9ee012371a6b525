/// How far two convex polyhedra are apart, or overlap, by their faces and edges.
#pragma once

#include <optional>

#include "collision/narrow/box_pair.hpp"
#include "collision/narrow/gjk_epa.hpp"

namespace scree {

/// The greatest separation, the greatest across a face, and that across a face of the other.
struct HullSeparation {
  CoreWay any;
  BoxPair::Axis face, other_face;
};
/// As separation_of_cores() to rounding, and of overlaps surely the least. None where it would take
/// long, or where what tells them apart is no face against a corner and no two edges. Of two that
/// are `enough` [m] apart some separation that is no less.
std::optional<HullSeparation> separation_of_hulls(const ConvexCore& a, const ConvexCore& b,
                                                  double enough);

}  // namespace scree
