/// Sums over contacts for the stages that assemble them.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/step.hpp"

namespace scree {

/// |x| + |y| + |z|
inline double size(const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }

/// Adds a contact: `squared_q` = |q|², `q_n` its normal component, and the q_n above which r = 0
/// obeys its law.
inline void accumulate_q(Scratch::ContactSums& sum, double squared_q, double q_n,
                         double parting_speed, double rounding) {
  if (q_n < parting_speed) sum.squared_q.add(squared_q);
  if (q_n < parting_speed + rounding) sum.squared_rounding.add(rounding * rounding);
}

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
