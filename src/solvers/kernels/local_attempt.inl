// Local solves in lanes, for all laws: the sticking impulse, and the test whether a lane's answer
// can be trusted.
#pragma once

#include "laws/sliding.hpp"
#include "solvers/kernels/lane_vectors.inl"
#include "solvers/step_settings.hpp"

namespace scree::kernels {
namespace {

using LaneContact = sliding::Equations<L, LaneSym3, Lane3>;
using LaneDirection = DirectionOf<L>;
using LaneQuadratic = TrigonometricQuadraticOf<L>;

inline LaneDirection select(const Mask& mask, const LaneDirection& a, const LaneDirection& b) {
  return {mask ? a.c : b.c, mask ? a.s : b.s};
}

struct Attempt {
  Lane3 r;    ///< [N s]
  Mask sure;  ///< True if r obeys the law
};

/// Data that every law needs before it considers sliding.
struct Prepared {
  Lane3 stick;  ///< −W⁻¹q [N s]
  /// True if W is clearly positive definite, and all numbers are finite and of moderate size
  Mask sound;
  L squared_speed;  ///< |q|² [m²/s²]
};

/// True if products of W's and q's entries stay far from the ends of the range of doubles. False
/// for NaN.
inline Mask of_moderate_size(const LaneSym3& W, const Lane3& q) {
  const L size = W.xx + W.yy + W.zz, x = absolute(q.x), y = absolute(q.y), z = absolute(q.z);
  return size > 1e-60 && size < 1e60 && x < 1e60 && y < 1e60 && z < 1e60 &&
         (x > 1e-60 || y > 1e-60 || z > 1e-60 || x + y + z == 0);
}

/// Factorises W = LDLᵀ and solves for sticking.
inline Prepared prepare(const LaneSym3& W, const Lane3& q) {
  const L inverse_d1 = 1 / W.xx, l21 = W.xy * inverse_d1, l31 = W.xz * inverse_d1;
  const L d2 = W.yy - l21 * W.xy, c32 = W.yz - l31 * W.xy, inverse_d2 = 1 / d2,
          l32 = c32 * inverse_d2;
  const L d3 = W.zz - l31 * W.xz - l32 * c32;
  const L y2 = l21 * q.x - q.y, y3 = l31 * q.x - q.z - l32 * y2;
  Prepared p;
  p.stick.z = y3 / d3;
  p.stick.y = y2 * inverse_d2 - l32 * p.stick.z;
  p.stick.x = -q.x * inverse_d1 - l21 * p.stick.y - l31 * p.stick.z;
  p.squared_speed = dot(q, q);
  p.sound = W.xx > 0 && d2 > 1e-12 * W.yy && d3 > 1e-12 * W.zz && of_moderate_size(W, q);
  return p;
}

/// |u| ≤ kMaxLaneViolation |q| / (1 + μ) for r = −W⁻¹q: |û| of no law is more than (1 + μ) |u|.
inline Mask holds(const LaneContact& c, const Prepared& p) {
  const Lane3 u = c.W * p.stick + c.q;
  const L factor = 1 + c.mu;
  constexpr double kSquaredViolation = kMaxLaneViolation * kMaxLaneViolation;
  return dot(u, u) * factor * factor <= kSquaredViolation * p.squared_speed;
}

/// r_n = −q_n / W_nn, r_t = 0.
inline Attempt without_friction(const LaneSym3& W, const Lane3& q, const Mask& sound) {
  const L r_n = positive_part<N>(-q.x / W.xx);
  const L u_n = W.xx * r_n + q.x;
  const Mask holds_normal = r_n == 0 || absolute(u_n) <= kMaxLaneViolation * absolute(q.x);
  return {{r_n, L{}, L{}}, sound && holds_normal};
}

/// r = ρ v(e) with u_n = 0.
inline Lane3 in_plane(const LaneContact& c, const LaneDirection& e) {
  return (-c.q.x / c.normal_response()(e)) * c.ray(e);
}
inline Mask weakly_coupled(const LaneContact& c) {
  const L square = c.mu * c.mu * (c.W.xy * c.W.xy + c.W.xz * c.W.xz);
  return square < kMaxLaneCoupling * c.W.xx * c.W.xx;
}

}  // namespace
}  // namespace scree::kernels
