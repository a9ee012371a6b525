/// Rotation of clumps by contacts away from their centres, for the choice of the step.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "scree/math/sym_mat3.hpp"
#include "scree/sim/model.hpp"

namespace scree {

/// Upper bound on the largest eigenvalue of a symmetric matrix; exact for n nᵀ and for 1.
inline double largest_eigenvalue_bound(const SymMat3& m) {
  const double mean = m.trace() / 3;
  const double x = m.xx - mean, y = m.yy - mean, z = m.zz - mean;
  const double others = m.xy * m.xy + m.xz * m.xz + m.yz * m.yz;
  return mean + 2 * std::sqrt((x * x + y * y + z * z + 2 * others) / 6);
}

/// factor · v vᵀ
inline void add_square(SymMat3& to, double factor, const Vec3& v) {
  to.xx += factor * v.x * v.x;
  to.yy += factor * v.y * v.y;
  to.zz += factor * v.z * v.z;
  to.xy += factor * v.x * v.y;
  to.xz += factor * v.x * v.z;
  to.yz += factor * v.y * v.z;
}

/// Rotation by a unit impulse along `d` at `arm`: I^(−1/2) (arm × d), in the principal frame, with
/// all lengths over the radius and moments over m r² [-].
inline Vec3 angular_row_of(const Vec3& inertia, const Vec3& arm, const Vec3& d) {
  const Vec3 torque = cross(arm, d);
  return {torque.x / std::sqrt(inertia.x), torque.y / std::sqrt(inertia.y),
          torque.z / std::sqrt(inertia.z)};
}

/// Largest ratio of the velocity at the impulse's point by rotation to that by translation, for a
/// clump: along a normal of its parts, and tangentially.
struct Leverage {
  double normal, tangential;  ///< [-]
};
/// Leverage of a clump; empty for other shapes.
inline std::optional<Leverage> leverage_of(const Prototype& prototype) {
  const auto* clump = std::get_if<Clump>(&prototype.shape);
  if (!clump) return {};
  const Vec3& inertia = prototype.inertia;
  const double min_root = std::sqrt(std::min({inertia.x, inertia.y, inertia.z}));
  Leverage max{0, 0};
  for (std::size_t k = 0; k < clump->parts->parts().size(); ++k) {
    const ClumpPart& part = clump->parts->parts()[k];
    SymMat3 square{};
    for (int row = 0; row < 3; ++row) {
      // (p × d)·I⁻¹ (p × d) over all d: a sum over the axes of torques
      Vec3 axis{};
      axis[row] = 1;
      add_square(square, 1 / inertia[row], cross(axis, clump->scale * part.pose.position));
    }
    const double of_place = std::sqrt(std::max(0.0, largest_eigenvalue_bound(square))),
                 of_reach = clump->scale * clump->parts->reaches()[k] / min_root;
    const bool sphere = std::holds_alternative<Sphere>(part.shape);
    const double along = sphere ? of_place : of_place + of_reach, across = of_place + of_reach;
    max.normal = std::max(max.normal, along * along);
    max.tangential = std::max(max.tangential, across * across);
  }
  return max;
}

}  // namespace scree
