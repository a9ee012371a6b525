#include "laws/max_dissipation_solvers.hpp"

#include <cmath>
#include <limits>

#include "laws/single_contact.hpp"

namespace scree::max_dissipation {
namespace {

using sliding::Contact;
using sliding::LinearPair;

/// The percussion along root e, and whether the energy falls towards the outside there.
Slide slide_along(const Contact& c, const LinearPair& normals, const Direction& e) {
  const Direction m = normals(e);
  const double rho = c.length_in_plane(e, m);
  if (!(rho > 0) || !std::isfinite(rho)) return {};
  Slide slide{rho * c.ray(e)};
  const Vec3 u = c.W * slide.r + c.q;
  // Lengths of m and q to a factor: no root is worth its time here.
  const double length = std::max(std::abs(m.c), std::abs(m.s)), speed = largest_entry(c.q);
  slide.in_plane = std::abs(u.x) * length + std::abs(cross(m, {u.y, u.z})) <= kInexact * speed * length;
  // On the border to sticking λ is of rounding size, with any sign. Where a parabola goes to infinity m vanishes, and with it F: a
  // root that is no point of the plane, or so far away that rounding hides the sign of λ, but then worse than no friction at all.
  const double outward = u.y * m.c + u.z * m.s, rounding = 1e-13 * (c.W.trace() * rho * (1 + c.mu) + speed) * length;
  slide.optimal =
      slide.in_plane && outward <= rounding && dot(slide.r, u + c.q) * c.W.xx <= -(1 - 2e-9) * c.q.x * c.q.x;
  return slide;
}

}  // namespace

Slide near(const Contact& c, Direction start) {
  const LinearPair normals = c.slip_of_max_dissipation();
  return root_near(c.in_plane(normals), start) ? slide_along(c, normals, start) : Slide{};
}

Slide by_bisection(const Contact& c, const Vec3& stick) {
  const LinearPair normals = c.slip_of_max_dissipation();
  const TrigonometricQuadratic f = c.in_plane(normals);  // of the sign of dE/dα
  const TrigonometricLinear plane = c.normal_response();
  Direction low = unit({stick.y, stick.z}), high = -low;
  const double side = f(low) < 0 ? 1 : -1;  // which way the energy falls
  const auto goes_on = [&](const Direction& e) {
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
    (goes_on(middle) ? low : high) = middle;
    middle = between(low, high);
    if (std::abs(cross(low, high)) < 1e-16) break;
  }
  return slide_along(c, normals, middle);
}

Slide by_quartic(const Contact& c) {
  const LinearPair normals = c.slip_of_max_dissipation();
  const DirectionRoots roots = real_roots(c.in_plane(normals));
  double least = std::numeric_limits<double>::infinity();
  Slide best;
  for (int k = 0; k < roots.count; ++k) {
    const Slide slide = slide_along(c, normals, roots.at[k]);
    if (!slide.in_plane) continue;
    if (const double e = energy(c.W, c.q, slide.r); e < least) least = e, best = slide;
  }
  best.optimal = std::isfinite(least);
  return best;
}

Vec3 on_degenerate_conic(const Contact& c) {
  const DirectionRoots rays = c.rays_of_plane();
  Vec3 best;
  double least = 0;
  for (int k = 0; k < rays.count; ++k) {
    const Vec3 ray = c.ray(rays.at[k]);
    const double length = std::max(0.0, -dot(ray, c.q) / dot(ray, c.W * ray));
    const Vec3 r = length * ray;
    if (const double e = energy(c.W, c.q, r); e < least) least = e, best = r;
  }
  return best;
}

}  // namespace scree::max_dissipation
