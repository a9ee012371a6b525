/// Equations of a sliding contact: r = ρ v(e) with v = (1, μ e) on the surface of the cone, so u =
/// ρ a(e) + q with a = W v.
///
/// Each law prescribes a vector l(e) along which the velocity must point, u = s l. Then a, l and q
/// are linearly dependent, and the directions e are the roots of F(α) = det [l, a, q], a
/// trigonometric polynomial of degree two:
///
///     coulomb                l = (0, −e)
///     max_dissipation        l = (0, −m),   m = W_nn e + μ w,   w = (W_nt1, W_nt2)
///     cone_complementarity   l = (μ, −e)
///
/// Only roots with ρ > 0 and s ≥ 0 count.
#pragma once

#include <cmath>

#include "scree/laws/contact_law.hpp"
#include "scree/math/trigonometric.hpp"

namespace scree::sliding {

/// Two tangential components, linear in e.
template <class Number>
struct LinearPairOf {
  TrigonometricLinearOf<Number> t, o;
  DirectionOf<Number> operator()(const DirectionOf<Number>& e) const { return {t(e), o(e)}; }
};
using LinearPair = LinearPairOf<double>;

template <class Number>
TrigonometricLinearOf<Number> cross(const LinearPairOf<Number>& f, const DirectionOf<Number>& b) {
  return b.s * f.t - b.c * f.o;
}
template <class Number>
TrigonometricQuadraticOf<Number> cross(const LinearPairOf<Number>& f,
                                       const LinearPairOf<Number>& g) {
  return f.t * g.o - f.o * g.t;
}

/// F of each law, for one contact or for several in lanes.
template <class Number, class Matrix, class Vector>
struct Equations {
  using Direction = DirectionOf<Number>;
  using Linear = TrigonometricLinearOf<Number>;
  using Quadratic = TrigonometricQuadraticOf<Number>;
  using LinearPair = LinearPairOf<Number>;

  const Matrix& W;
  const Vector& q;
  Number mu;

  Direction tangential_q() const { return {q.y, q.z}; }
  Linear normal_response() const { return {W.xx, mu * W.xy, mu * W.xz}; }
  LinearPair tangential_response() const {
    return {{W.xy, mu * W.yy, mu * W.yz}, {W.xz, mu * W.yz, mu * W.zz}};
  }

  LinearPair slip_of_coulomb() const {
    const Number zero{}, one = zero + 1.0;
    return {{zero, one, zero}, {zero, zero, one}};
  }
  LinearPair slip_of_max_dissipation() const {
    const Number zero{};
    return {{mu * W.xy, W.xx, zero}, {mu * W.xz, zero, W.xx}};
  }

  /// det [(0, −m), a, q]
  Quadratic in_plane(const LinearPair& m) const {
    return normal_response() * cross(m, tangential_q()) - q.x * cross(m, tangential_response());
  }
  /// det [(μ, −e), a, q]
  Quadratic of_cone_complementarity() const {
    const Linear lift = cross(tangential_response(), tangential_q());
    return in_plane(slip_of_coulomb()) + Quadratic{mu * lift.a0, mu * lift.a1, mu * lift.a2};
  }

  /// True if Coulomb's law has one solution, whatever q is. It is so if u_n grows with r_n while
  /// friction follows: W_nn + μ w·e > 0 and e·T e > μ a·e for all directions e, with T and a those
  /// parts of the adjugate of W that W_tt and w are of W. The second holds if T − τ/2 − μ² a
  /// aᵀ/(2τ) is positive definite, here for τ = det T / tr T. False leaves it open. See
  /// docs/theory/coulomb.md.
  auto has_one_solution() const {
    const Number yy = W.xx * W.zz - W.xz * W.xz, zz = W.xx * W.yy - W.xy * W.xy,
                 yz = W.xy * W.xz - W.xx * W.yz, ny = W.xz * W.yz - W.xy * W.zz,
                 nz = W.xy * W.yz - W.xz * W.yy;
    const Number tau = (yy * zz - yz * yz) / (yy + zz), y = yy - 0.5 * tau, z = zz - 0.5 * tau;
    const Number coupling = ny * ny * z - 2 * ny * nz * yz + nz * nz * y,
                 square = mu * mu * (W.xy * W.xy + W.xz * W.xz);
    return W.xx > 0 && square < W.xx * W.xx && mu * mu * coupling < 2 * tau * (y * z - yz * yz);
  }

  Vector ray(const Direction& e) const { return {Number{} + 1.0, mu * e.c, mu * e.s}; }
};

struct Contact : Equations<double, SymMat3, Vec3> {
  /// ρ such that ρ a + q has no normal component and is parallel to m, at a root e. Uses the
  /// equation that rounding affects less: where the ray is nearly parallel to the plane u_n = 0,
  /// the first is inaccurate.
  double length_in_plane(const Direction& e, const Direction& m) const {
    const double normal = normal_response()(e), in_plane = -q.x / normal;
    if (std::abs(normal) > 1e-3 * W.xx) return in_plane;
    const Direction a = tangential_response()(e), qt = tangential_q();
    const double across = scree::cross(m, a);
    const double error =
        std::abs(in_plane / normal) * (W.xx + mu * (std::abs(W.xy) + std::abs(W.xz)));
    const double error_across =
        (std::sqrt(scree::dot(qt, qt)) + std::sqrt(scree::dot(a, a)) * std::abs(in_plane)) *
        std::sqrt(scree::dot(m, m)) / std::abs(across);
    return q.x != 0 && error <= error_across ? in_plane : -scree::cross(m, qt) / across;
  }

  /// Directions e with W_nn + μ w·e = 0: rays in the plane through the tip of the cone that is
  /// parallel to u_n = 0, and equal to it if q_n = 0. Two, one or none.
  DirectionRoots rays_of_plane() const {
    const double coupling = std::hypot(W.xy, W.xz), c = -W.xx / (mu * coupling);
    if (!(c >= -1)) return {};
    const Direction toward{W.xy / coupling, W.xz / coupling};
    const double s = std::sqrt((1 - c) * (1 + c));
    return {{Direction{c * toward.c - s * toward.s, c * toward.s + s * toward.c},
             Direction{c * toward.c + s * toward.s, c * toward.s - s * toward.c}},
            s > 0 ? 2 : 1};
  }
};

/// Initial direction: that of friction in the warm start, or else in the sticking impulse.
inline Direction start(const Vec3& warm, const Vec3& stick) {
  if (warm.y != 0 || warm.z != 0) return unit({warm.y, warm.z});
  return stick.y != 0 || stick.z != 0 ? unit({stick.y, stick.z}) : Direction{};
}

}  // namespace scree::sliding
