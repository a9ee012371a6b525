/// Methods for sliding contacts of the law of maximum dissipation: Halley, bisection, quartic.
#include "laws/max_dissipation_solvers.hpp"

#include <cmath>
#include <limits>

#include "laws/single_contact.hpp"
#include "scree/math/polynomial.hpp"

namespace scree::max_dissipation {
namespace {

using sliding::Contact;
using sliding::LinearPair;

/// Impulse along root e, with its checks: is it on the conic, and does the energy fall outwards?
Slide slide_along(const Contact& c, const LinearPair& normals, const Direction& e) {
  const Direction m = normals(e);
  const double rho = c.length_in_plane(e, m);
  if (!(rho > 0) || !std::isfinite(rho)) return {};
  Slide slide{rho * c.ray(e)};
  const Vec3 u = c.W * slide.r + c.q;
  // Rough lengths of m and q suffice here, without square roots.
  const double length = std::max(std::abs(m.c), std::abs(m.s)), speed = largest_entry(c.q);
  slide.in_plane =
      std::abs(u.x) * length + std::abs(cross(m, {u.y, u.z})) <= kInexact * speed * length;
  // At the border to sticking λ has the size of rounding and any sign. Where a parabola goes to
  // infinity, m and F vanish. Such a root is no point of the plane, or so far away that rounding
  // hides the sign of λ; but then it is worse than no friction at all.
  const double outward = u.y * m.c + u.z * m.s,
               rounding = 1e-13 * (c.W.trace() * rho * (1 + c.mu) + speed) * length;
  slide.optimal = slide.in_plane && outward <= rounding &&
                  dot(slide.r, u + c.q) * c.W.xx <= -(1 - 2e-9) * c.q.x * c.q.x;
  return slide;
}

}  // namespace

Slide near(const Contact& c, Direction start) {
  const LinearPair normals = c.slip_of_max_dissipation();
  return root_near(c.in_plane(normals), start) ? slide_along(c, normals, start) : Slide{};
}

Slide by_bisection(const Contact& c, const Vec3& stick) {
  const LinearPair normals = c.slip_of_max_dissipation();
  const TrigonometricQuadratic f = c.in_plane(normals);  // has the sign of dE/dα
  const TrigonometricLinear plane = c.normal_response();
  Direction low = unit({stick.y, stick.z}), high = -low;
  const double side = f(low) < 0 ? 1 : -1;  // direction in which the energy falls
  const auto continues = [&](const Direction& e) {
    const double normal = plane(e);
    if (!(normal > 0) || !(side * f(e) < 0)) return false;
    const double friction = -c.mu * c.q.x / normal;
    const Direction m = normals(e);
    return m.c * (stick.y - friction * e.c) + m.s * (stick.z - friction * e.s) > 0;
  };
  Direction middle{-side * low.s, side * low.c};
  for (int iteration = 0; iteration < 80; ++iteration) {
    Direction near = middle;
    if (root_near(f, near) && side * cross(low, near) >= 0 && side * cross(near, high) >= 0)
      if (const Slide slide = slide_along(c, normals, near); slide.optimal) return slide;
    (continues(middle) ? low : high) = middle;
    middle = between(low, high);
    if (std::abs(cross(low, high)) < 1e-16) break;
  }
  return slide_along(c, normals, middle);
}

Slide by_quartic(const Contact& c) {
  const LinearPair normals = c.slip_of_max_dissipation();
  const DirectionRoots roots = real_roots(c.in_plane(normals));
  double min_energy = std::numeric_limits<double>::infinity();
  Slide best;
  for (int k = 0; k < roots.count; ++k) {
    const Slide slide = slide_along(c, normals, roots.at[k]);
    if (!slide.in_plane) continue;
    if (const double e = energy(c.W, c.q, slide.r); e < min_energy) {
      min_energy = e;
      best = slide;
    }
  }
  best.optimal = std::isfinite(min_energy);
  return best;
}

bool is_nearly_parabolic(const Contact& c) {
  const double coupling = c.mu * c.mu * (c.W.xy * c.W.xy + c.W.xz * c.W.xz),
               square = c.W.xx * c.W.xx;
  return std::abs(coupling - square) < 0.02 * square;
}

Slide near_parabola(const Contact& c) {
  // A difference of nearly equal numbers decides how far the conic extends; a few more digits make
  // it exact.
  using Long = long double;
  const Long long_coupling = std::sqrt(Long{c.W.xy} * c.W.xy + Long{c.W.xz} * c.W.xz);
  const auto coupling = static_cast<double>(long_coupling),
             a0 = static_cast<double>(c.W.xx - c.mu * long_coupling);
  const Direction axis{-c.W.xy / coupling, -c.W.xz / coupling}, side{-axis.s, axis.c};
  const Direction w_axis{c.W.yy * axis.c + c.W.yz * axis.s, c.W.yz * axis.c + c.W.zz * axis.s};
  const Direction w_side{c.W.yy * side.c + c.W.yz * side.s, c.W.yz * side.c + c.W.zz * side.s};
  const double w11 = c.mu * dot(axis, w_axis), w12 = c.mu * dot(axis, w_side),
               w22 = c.mu * dot(side, w_side);
  const double q1 = dot(axis, c.tangential_q()), q2 = dot(side, c.tangential_q());
  const double a2 = c.W.xx + c.mu * coupling;
  // Multiplied by 1 + t²: normal response a0 + a2 t²; m = (a0 − a2 t², 2 W_nn t); tangential
  // response below.
  const double cross_q[3] = {a0 * q2, -2 * c.W.xx * q1, -a2 * q2};  // cross product of m and q
  const double r1[3] = {w11 - coupling, 2 * w12, -w11 - coupling}, r2[3] = {w12, 2 * w22, -w12};
  Quartic f{a0 * cross_q[0], a0 * cross_q[1], a0 * cross_q[2] + a2 * cross_q[0], a2 * cross_q[1],
            a2 * cross_q[2]};
  for (int k = 0; k < 3; ++k) {
    f[k] -= c.q.x * a0 * r2[k];
    f[k + 2] += c.q.x * a2 * r2[k];
    f[k + 1] += c.q.x * 2 * c.W.xx * r1[k];
  }
  double min_energy = std::numeric_limits<double>::infinity();
  Slide best;
  // Roots beyond 1 by 1/t: the quartic with reversed coefficients.
  for (const bool inverse : {false, true}) {
    const QuarticRoots roots = sign_changes(inverse ? Quartic{f[4], f[3], f[2], f[1], f[0]} : f);
    for (int k = 0; k < roots.count; ++k) {
      const double t = roots.at[k], square = t * t,
                   normal = inverse ? a0 * square + a2 : a0 + a2 * square;
      const double rho = -c.q.x * (1 + square) / normal;
      const double along = -c.mu * c.q.x * (inverse ? square - 1 : 1 - square) / normal,
                   across = -c.mu * c.q.x * 2 * t / normal;
      const Vec3 r{rho, along * axis.c + across * side.c, along * axis.s + across * side.s};
      if (!(rho > 0) || !is_finite(r)) continue;
      if (const double e = energy(c.W, c.q, r); e < min_energy) {
        min_energy = e;
        best.r = r;
      }
    }
  }
  best.in_plane = best.optimal = std::isfinite(min_energy);
  return best;
}

Vec3 on_degenerate_conic(const Contact& c) {
  const DirectionRoots rays = c.rays_of_plane();
  Vec3 best;
  double min_energy = 0;
  for (int k = 0; k < rays.count; ++k) {
    const Vec3 ray = c.ray(rays.at[k]);
    const double length = std::max(0.0, -dot(ray, c.q) / dot(ray, c.W * ray));
    const Vec3 r = length * ray;
    if (const double e = energy(c.W, c.q, r); e < min_energy) {
      min_energy = e;
      best = r;
    }
  }
  return best;
}

}  // namespace scree::max_dissipation
