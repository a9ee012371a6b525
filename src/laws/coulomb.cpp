#include "scree/laws/coulomb.hpp"

#include <limits>

#include "laws/plane_of_compression.hpp"
#include "scree/laws/max_dissipation.hpp"

namespace scree {
namespace {

/// Zero where the slip u_t = r_n (w + μ W_tt e) + q_t is parallel to friction e, with r_n eliminated by u_n = 0:
///     F(α) = (W_nn + μ w·e) e×q_t − q_n e×(w + μ W_tt e),     w = (W_nt, W_no)
TrigonometricQuadratic sliding_condition(const SlidingContact& c) {
  const Vec2 w = c.coupling(), qt = c.tangential_q();
  const double qn = c.q.x;
  // e×a = a·(−e_o, e_t)… as a linear form in e: e×a = (a_o, −a_t)·e.
  const Vec2 slip{qt.o, -qt.t}, turn{w.o, -w.t};
  TrigonometricQuadratic f = product(w, slip);
  f.c0 *= c.mu, f.c2 *= c.mu, f.s2 *= c.mu;
  f.c1 = c.W.xx * slip.t - qn * turn.t;
  f.s1 = c.W.xx * slip.o - qn * turn.o;
  // e×(W_tt e) = W_to cos 2α + ½ (W_oo − W_tt) sin 2α
  f.c2 -= qn * c.mu * c.W.yz;
  f.s2 -= qn * c.mu * 0.5 * (c.W.zz - c.W.yy);
  return f;
}

}  // namespace

LocalStatus Coulomb::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  Vec3 inverse_q;
  if (!is_finite(q) || !solve_positive_definite(W, q, inverse_q)) return r = {}, LocalStatus::ill_posed;
  if (q.x >= 0) return r = {}, LocalStatus::solved;
  if (sticks(W, -inverse_q, mu)) return r = -inverse_q, LocalStatus::solved;
  if (mu == 0) return r = {-q.x / W.xx, 0, 0}, LocalStatus::solved;

  const SlidingContact contact{W, q, mu};
  const AngleRoots roots = real_roots(sliding_condition(contact));
  double least = std::numeric_limits<double>::infinity();
  Vec3 best;
  for (int k = 0; k < roots.count; ++k) {
    const Vec2 e{std::cos(roots.angle[k]), std::sin(roots.angle[k])};
    const Vec3 candidate = contact.percussion(e);
    if (!(candidate.x > 0) || !is_finite(candidate)) continue;
    const Vec3 u = W * candidate + q;
    if (u.y * e.t + u.z * e.o > 0) continue;  // friction along the slip
    const double energy = contact.energy(candidate);
    if (energy < least) least = energy, best = candidate;
  }
  if (std::isfinite(least)) return r = best, LocalStatus::solved;
  const LocalStatus fallback = MaxDissipation{mu}.solve(W, q, r);
  return fallback == LocalStatus::solved ? LocalStatus::no_solution : fallback;
}

double Coulomb::residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
  const double rho = natural_map_step(W);
  const Vec3 lifted{u.x + mu * tangential_norm(u), u.y, u.z};
  return norm(r - project(r - rho * lifted)) / rho;
}

}  // namespace scree
