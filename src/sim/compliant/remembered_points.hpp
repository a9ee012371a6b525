/// Memories of the points of a pair with springs, and what passes from point to point where they
/// jump. docs/theory/compliant_laws.md, "Points that jump"
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "scree/laws/force_law.hpp"
#include "scree/sim/state.hpp"
#include "sim/contacts/pair_points.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Memory of a point from the last step.
struct RememberedPoint {
  ForceMemory memory;
  Vec3 moment;  ///< of rolling and spinning friction [N m]
  std::uint32_t feature = Neighbours::kNoFeature;
  double radius = 0;  ///< R* at its start [m]; 0 if it is not stored
  ForceHeld held;
};

/// Memory of the feature; null if the last step had no such point.
inline const RememberedPoint* of_feature(std::span<const RememberedPoint> known,
                                         std::uint32_t feature) {
  const auto same = std::ranges::find(known, feature, &RememberedPoint::feature);
  return same == known.end() ? nullptr : &*same;
}

/// Memory of a point that appears while others of the pair with its normal vanish: they leave it
/// their shear. The lowest point of a rim, for one, jumps from side to side where a cylinder stands
/// upright. Of m points that vanish and n that appear, each of the latter has the sum over
/// max(m, n), so neither the force nor the energy of equal springs grows. Our own.
inline RememberedPoint inherited_memory(const PairPoint& point, const PairPoints& points,
                                        std::span<const RememberedPoint> known) {
  const auto is_along = [&](const Vec3& normal) {
    return dot(normal, point.normal) > kSameNormalOfPoints;
  };
  ForceMemory sum;
  Vec3 moment;
  int vanished = 0, appeared = 0;
  for (const RememberedPoint& before : known) {
    const bool stays = std::ranges::any_of(
        points, [&](const PairPoint& p) { return p.feature == before.feature; });
    if (stays || !is_along(before.memory.normal)) continue;
    ++vanished;
    sum.shear += before.memory.shear;
    sum.overlap += before.memory.overlap;
    sum.closing += before.memory.closing;
    moment += before.moment;
  }
  if (vanished == 0) return {};
  for (const PairPoint& p : points)
    appeared += p.gap <= 0 && is_along(p.normal) && !of_feature(known, p.feature);
  const double among = std::max(vanished, appeared);
  // The overlap belongs to the shear: a law whose stiffness follows it scales the shear by both.
  return {.memory = {.shear = sum.shear / among,
                     .normal = point.normal,
                     .overlap = sum.overlap / vanished,
                     .closing = sum.closing / vanished},
          .moment = moment / among,
          .feature = point.feature};
}

}  // namespace scree
