/// Sums over contacts for the stages that assemble them.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/step_context.hpp"

namespace scree {

/// |x| + |y| + |z|
inline double size(const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// Adds the gap of a contact; `depth` is the overlap over the smaller radius.
inline void accumulate_place(Scratch::ContactSums& sum, double gap, double depth,
                             double turn_cosine) {
  sum.deepest = std::min(sum.deepest, gap);
  sum.depth = std::max(sum.depth, depth);
  ++sum.contacts;
  sum.touching += gap < 0;
  sum.turn_cosine = std::min(sum.turn_cosine, turn_cosine);
}

}  // namespace scree
