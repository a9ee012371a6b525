/// Distance or overlap of two convex cores.
#pragma once

#include "collision/narrow/convex_core.hpp"

namespace scree {

/// Shortest displacement between two cores, or the shortest that separates them.
struct CoreDistance {
  Vec3 normal;      ///< unit, from A to B
  double distance;  ///< [m]; < 0: depth of the overlap
  Vec3 on_a, on_b;  ///< its ends [m]
};
struct CoreSeparation : CoreDistance {
  /// Points of A and B that span the features at its ends; some may be equal.
  int count = 0;
  std::array<Vec3, 3> of_a, of_b;
};

/// Algorithm of Gilbert, Johnson and Keerthi for separate cores, expanding polytope for overlapping
/// ones. On curved surfaces the normal is accurate only to about 1e-7. If the cores are at least
/// `enough` [m] apart, the distance is only a lower bound.
CoreSeparation separation_of_cores(const ConvexCore& a, const ConvexCore& b, double enough);

}  // namespace scree
