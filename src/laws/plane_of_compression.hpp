/// The single contact seen in the plane of maximum compression u_n = 0, and its sliding angles.
#pragma once

#include <cmath>

#include "scree/laws/contact_law.hpp"
#include "scree/math/trigonometric.hpp"

namespace scree {

struct Vec2 {
  double t = 0, o = 0;
};
constexpr double dot(const Vec2& a, const Vec2& b) { return a.t * b.t + a.o * b.o; }
constexpr double cross(const Vec2& a, const Vec2& b) { return a.t * b.o - a.o * b.t; }
constexpr Vec2 quarter_turn(const Vec2& a) { return {-a.o, a.t}; }

/// Coefficients of (a·e)(b·e) with e = (cos α, sin α).
constexpr TrigonometricQuadratic product(const Vec2& a, const Vec2& b) {
  return {0.5 * (a.t * b.t + a.o * b.o), 0, 0, 0.5 * (a.t * b.t - a.o * b.o), 0.5 * (a.t * b.o + a.o * b.t)};
}

/// u = W r + q with friction of direction e(α) at the surface of the cone, r = r_n (1, μ e).
struct SlidingContact {
  const SymMat3& W;
  const Vec3& q;
  double mu;

  Vec2 coupling() const { return {W.xy, W.xz}; }
  Vec2 tangential_q() const { return {q.y, q.z}; }
  Vec2 tangential_block(const Vec2& e) const { return {W.yy * e.t + W.yz * e.o, W.yz * e.t + W.zz * e.o}; }

  /// r with u_n = 0 and friction along e; r.x is not finite or negative where the ray misses the plane.
  Vec3 percussion(const Vec2& e) const {
    const double normal = -q.x / (W.xx + mu * dot(coupling(), e));
    return {normal, mu * normal * e.t, mu * normal * e.o};
  }
  /// ½ rᵀWr + rᵀq [J], the energy that r leaves in the contact.
  double energy(const Vec3& r) const { return 0.5 * dot(r, W * r) + dot(r, q); }
};

/// The unconstrained minimum −W⁻¹q if it lies in the cone: the contact sticks.
inline bool sticks(const SymMat3& W, const Vec3& minus_inverse_q, double mu) {
  return W.xx > 0 && minus_inverse_q.x >= 0 && tangential_norm(minus_inverse_q) <= mu * minus_inverse_q.x;
}

}  // namespace scree
