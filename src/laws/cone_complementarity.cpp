/// Solves the convex relaxation of Coulomb's law for one contact.
#include "scree/laws/cone_complementarity.hpp"

#include <limits>

#include "laws/single_contact.hpp"
#include "laws/sliding.hpp"

namespace scree {
namespace {

/// Impulse of least energy along a ray, ρ = −v·q / vᵀWv. It is the solution if the energy falls
/// outwards there: u = s (μ, −e), s ≥ 0.
struct Slide {
  Vec3 r;
  double violation = 0;  ///< |u − s (μ, −e)| [m/s]
  bool optimal = false;

  Slide(const sliding::Contact& c, const Direction& e) {
    const Vec3 ray = c.ray(e);
    const double rho = -dot(ray, c.q) / dot(ray, c.W * ray);
    if (!(rho > 0) || !std::isfinite(rho)) return;
    r = rho * ray;
    const Vec3 u = c.W * r + c.q, border{c.mu, -e.c, -e.s};
    const double s = dot(u, border) / dot(border, border);
    violation = norm(u - s * border);
    optimal = s >= -1e-13 * (c.W.trace() * rho * (1 + c.mu) + norm(c.q));
  }
};

}  // namespace

LocalStatus ConeComplementarity::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  return solve_scaled(W, q, r, [this](const SymMat3& w, const Vec3& v, Vec3& x) {
    return solve_moderate(w, v, x);
  });
}

LocalStatus ConeComplementarity::solve_moderate(const SymMat3& W, const Vec3& q,
                                                Vec3& r) const noexcept {
  Vec3 inverse_q;
  if (!solve_positive_definite(W, q, inverse_q)) {
    r = {};
    return LocalStatus::ill_posed;
  }
  if (q.x >= mu * tangential_norm(q)) {
    r = {};
    return LocalStatus::solved;
  }
  const Vec3 stick = -inverse_q;
  if (const auto status = solve_without_sliding(W, q, mu, stick, r)) return *status;

  // The problem is convex: any impulse that satisfies the law is the solution.
  const sliding::Contact contact{W, q, mu};
  const TrigonometricQuadratic f = contact.of_cone_complementarity();
  Direction e = sliding::start(r, stick);
  if (root_near(f, e))
    if (const Slide slide(contact, e); slide.optimal) {
      r = slide.r;
      return graded(slide.violation, q);
    }
  double min_energy = std::numeric_limits<double>::infinity(), violation = 0;
  for (const DirectionRoots& roots : {real_roots(f, e), real_roots(f)}) {
    for (int k = 0; k < roots.count; ++k)
      if (const Slide slide(contact, roots.at[k]); slide.optimal)
        if (const double cost = energy(W, q, slide.r); cost < min_energy) {
          min_energy = cost;
          r = slide.r;
          violation = slide.violation;
        }
    if (std::isfinite(min_energy)) return graded(violation, q);
  }
  // At the border of separation, rounding can put q just inside and hide the root next to it.
  if (norm(residual(W, q, {})) <= 1e-9 * norm(q)) {
    r = {};
    return LocalStatus::solved;
  }
  r = {};
  return LocalStatus::inexact;
}

}  // namespace scree
