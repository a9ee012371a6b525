/// How far two convex cores are apart, or overlap.
#pragma once

#include "collision/narrow/convex_core.hpp"

namespace scree {

/// The shortest way between two cores, or the shortest that parts them.
struct CoreWay {
  Vec3 normal;      ///< unit, from A to B
  double distance;  ///< [m]; < 0: depth of the overlap
  Vec3 on_a, on_b;  ///< where it ends [m]
};
struct CoreSeparation : CoreWay {
  /// Points of A and of B that span the parts of their surfaces where it ends; some may be equal.
  int count = 0;
  std::array<Vec3, 3> of_a, of_b;
};

/// By the algorithm of Gilbert, Johnson and Keerthi if the cores are apart, by the
/// expanding polytope if they overlap. Where surfaces are curved the normal is
/// good to about 1e-7 only. Of two that are at least `enough` [m] apart only that is told: the
/// distance is a bound from below.
CoreSeparation separation_of_cores(const ConvexCore& a, const ConvexCore& b, double enough);

}  // namespace scree
