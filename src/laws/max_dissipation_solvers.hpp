/// Ways to the lowest energy on the conic in which the plane u_n = 0 cuts the surface of the cone,
/// for q_n ≤ 0 and a contact that does not stick. The set inside the conic is convex and the energy
/// strictly convex on it, so a point of the conic is the solution if and only if the energy falls
/// towards the outside there: u_t = −λ m, λ ≥ 0, m the outward normal.
#pragma once

#include "laws/sliding.hpp"

namespace scree::max_dissipation {

/// An impulse on the conic.
struct Slide {
  Vec3 r;
  bool in_plane = false;  ///< u_n = 0 and u_t parallel to m, to kInexact |q|
  bool optimal = false;   ///< and λ ≥ 0
};

/// Halley's method on F from a direction close to the answer.
Slide near(const sliding::Contact& contact, Direction start);

/// Always converges. Seen from the unconstrained minimum x0 = (−W⁻¹q)_t, the energy has one minimum
/// and no other stationary point on the part of the conic that faces it: discs about x0, in the
/// metric of the energy, cut a convex set in convex sets. The direction of x0 meets the conic on
/// that part, the opposite one does not; so "it still faces x0 and the energy still falls" holds up
/// to the answer and never after it.
Slide by_bisection(const sliding::Contact& contact, const Vec3& stick);

/// All stationary points, roots of the quartic of [Preclik18, Eq. 8]; the one with the least
/// energy.
Slide by_quartic(const sliding::Contact& contact);

/// Whether W_nn and μ |w| are so close that the conic is nearly a parabola. It then reaches far
/// along −w, where W_nn + μ w·e loses all digits, and directions say little of where on the conic a
/// impulse lies.
bool is_nearly_parabolic(const sliding::Contact& contact);

/// For such conics: all stationary points, with e = (cos δ, sin δ) from −w and t = tan ½δ, in which
/// W_nn + μ w·e is
/// ((W_nn − μ|w|) + (W_nn + μ|w|) t²) / (1 + t²), without cancellation; the one with the least
/// energy.
Slide near_parabola(const sliding::Contact& contact);

/// q_n = 0: the conic is the origin, or two rays along which u_n = 0. Both are tried: [Preclik18,
/// Eq. 9] can take the worse one.
Vec3 on_degenerate_conic(const sliding::Contact& contact);

}  // namespace scree::max_dissipation
