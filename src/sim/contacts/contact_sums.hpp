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

/// Adds the Painlevé number along the slip, μ w·u_t / (W_nn |u_t|), of a contact that touches: from
/// 1 on, friction against the slip closes the contact faster than its load opens it. Velocities up
/// to `rest` are those of bodies at rest, and faster closing ones those of impacts.
/// `u` is the velocity before loads.
inline void accumulate_painleve(Scratch::ContactSums& sum, const ContactRows& c, const Vec3& u,
                                double mu, double rest) {
  const double slip = tangential_norm(u);
  if (!(slip > rest) || u.x < -rest) return;
  const double number = mu * (c.W.xy * u.y + c.W.xz * u.z) / (c.W.xx * slip);
  if (!(number > sum.painleve)) return;
  sum.painleve = number;
  sum.painleve_body = c.a;
}

}  // namespace scree
