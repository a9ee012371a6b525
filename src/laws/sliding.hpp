/// A contact that slides: r = ρ v(e) with v = (1, μ e) on the surface of the cone, so u = ρ a(e) + q with a = W v.
///
/// Each law says in which plane the slip must lie: u ∈ span of one vector l(e). Then a, l and q are linearly dependent, and the
/// directions e are the roots of F(α) = det [a, l, q], a trigonometric polynomial of degree two:
///
///     coulomb                l = (0, −e)
///     max_dissipation        l = (0, −m),   m = W_nn e + μ w,   w = (W_nt1, W_nt2)
///     cone_complementarity   l = (μ, −e)
///
/// Of the roots those count that have ρ > 0 and slip along +l.
#pragma once

#include <cmath>

#include "scree/laws/contact_law.hpp"
#include "scree/math/trigonometric.hpp"

namespace scree::sliding {

/// Two tangential components that depend on e.
struct LinearPair {
  TrigonometricLinear t, o;
  Direction operator()(const Direction& e) const { return {t(e), o(e)}; }
};
inline TrigonometricLinear cross(const LinearPair& f, const Direction& b) { return b.s * f.t - b.c * f.o; }
inline TrigonometricQuadratic cross(const LinearPair& f, const LinearPair& g) { return f.t * g.o - f.o * g.t; }

struct Contact {
  const SymMat3& W;
  const Vec3& q;
  double mu;

  Direction tangential_q() const { return {q.y, q.z}; }
  TrigonometricLinear normal_response() const { return {W.xx, mu * W.xy, mu * W.xz}; }
  LinearPair tangential_response() const { return {{W.xy, mu * W.yy, mu * W.yz}, {W.xz, mu * W.yz, mu * W.zz}}; }

  LinearPair slip_of_coulomb() const { return {{0, 1, 0}, {0, 0, 1}}; }
  LinearPair slip_of_max_dissipation() const { return {{mu * W.xy, W.xx, 0}, {mu * W.xz, 0, W.xx}}; }

  /// det [a, (0, −m), q]
  TrigonometricQuadratic in_plane(const LinearPair& m) const {
    return normal_response() * cross(m, tangential_q()) - q.x * cross(m, tangential_response());
  }
  /// det [a, (μ, −e), q]
  TrigonometricQuadratic of_cone_complementarity() const {
    const TrigonometricLinear lift = cross(tangential_response(), tangential_q());
    return in_plane(slip_of_coulomb()) + TrigonometricQuadratic{mu * lift.a0, mu * lift.a1, mu * lift.a2, 0, 0};
  }

  Vec3 ray(const Direction& e) const { return {1, mu * e.c, mu * e.s}; }

  /// ρ such that ρ a + q has no normal part and is parallel to m, e a root. Of the two equations the one that is better posed:
  /// where the ray is nearly parallel to the plane u_n = 0 the first says nothing.
  double length_in_plane(const Direction& e, const Direction& m) const {
    const double normal = normal_response()(e);
    if (std::abs(normal) > 1e-3 * W.xx) return -q.x / normal;
    const Direction a = tangential_response()(e);
    const double across = scree::cross(m, a);
    const double weight = std::abs(across) * W.xx, size = std::sqrt(scree::dot(m, m) * scree::dot(a, a));
    return std::abs(normal) * size >= weight ? -q.x / normal : -scree::cross(m, tangential_q()) / across;
  }
};

/// Direction to start from: of friction in the warm start, or in the percussion that would stick.
inline Direction start(const Vec3& warm, const Vec3& stick) {
  if (warm.y != 0 || warm.z != 0) return unit({warm.y, warm.z});
  return stick.y != 0 || stick.z != 0 ? unit({stick.y, stick.z}) : Direction{};
}

}  // namespace scree::sliding
