/// Methods for the impulse of lowest energy on the conic in which the plane u_n = 0 cuts the
/// surface of the cone, for q_n ≤ 0 and a contact that does not stick. The set inside the conic is
/// convex, and the energy is strictly convex on it. So a point of the conic is the solution if and
/// only if the energy falls outwards there: u_t = −λ m, λ ≥ 0, m the outward normal.
#pragma once

#include "laws/sliding.hpp"

namespace scree::max_dissipation {

/// Impulse on the conic.
struct Slide {
  Vec3 r;
  bool in_plane = false;  ///< u_n = 0 and u_t parallel to m, to kInexact |q|
  bool optimal = false;   ///< in_plane, and λ ≥ 0
};

/// Halley's method on F from a direction close to the solution.
Slide near(const sliding::Contact& contact, Direction start);

/// Bisection, which always converges. Take the part of the conic that faces the unconstrained
/// minimum x0 = (−W⁻¹q)_t. On it the energy has one minimum and no other stationary point, because
/// discs about x0, in the metric of the energy, cut a convex set in convex sets. The direction of
/// x0 meets the conic on that part, and the opposite direction does not. So "faces x0, and the
/// energy still falls" is true up to the solution and false after it.
Slide by_bisection(const sliding::Contact& contact, const Vec3& stick);

/// Least energy among all stationary points, the roots of the quartic of [Preclik18, Eq. 8].
Slide by_quartic(const sliding::Contact& contact);

/// True if W_nn and μ |w| are so close that the conic is nearly a parabola. It then extends far
/// along −w, where W_nn + μ w·e loses all digits, and a direction hardly locates an impulse on the
/// conic.
bool is_nearly_parabolic(const sliding::Contact& contact);

/// Least energy among all stationary points of such a conic, with e = (cos δ, sin δ) from −w and t
/// = tan ½δ. In t, W_nn + μ w·e has no cancellation:
///    ((W_nn − μ|w|) + (W_nn + μ|w|) t²) / (1 + t²)
Slide near_parabola(const sliding::Contact& contact);

/// Case q_n = 0: the conic is the origin, or two rays along which u_n = 0. Both are tried:
/// [Preclik18, Eq. 9] can select the worse one.
Vec3 on_degenerate_conic(const sliding::Contact& contact);

}  // namespace scree::max_dissipation
