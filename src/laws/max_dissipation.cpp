#include "scree/laws/max_dissipation.hpp"

#include <limits>

#include "laws/plane_of_compression.hpp"

namespace scree {
namespace {

/// Zero where the energy is stationary along the conic, [Preclik18, Eq. 7 and 8] in a form without angles:
///     F(α) = J(W_nn e + μ w) · (−μ q_n Ŵ e + (W_nn + μ w·e) q̂),   J the quarter turn,
/// with the normal component eliminated: Ŵ = W_tt − w wᵀ/W_nn, q̂ = q_t − w q_n/W_nn, w = (W_nt, W_no).
TrigonometricQuadratic stationarity(const SlidingContact& c) {
  const Vec2 w = c.coupling();
  const double wn = c.W.xx, qn = c.q.x, mu = c.mu;
  const double tt = c.W.yy - w.t * w.t / wn, to = c.W.yz - w.t * w.o / wn, oo = c.W.zz - w.o * w.o / wn;
  const Vec2 q{c.q.y - w.t * qn / wn, c.q.z - w.o * qn / wn};
  const Vec2 jw = quarter_turn(w);
  const Vec2 turned_q{q.o, -q.t};  // Je·q = turned_q·e

  TrigonometricQuadratic f = product(w, turned_q);  // W_nn μ (w·e)(Je·q̂)
  f.c0 *= wn * mu, f.c2 *= wn * mu, f.s2 *= wn * mu;
  f.c0 += mu * wn * dot(jw, q);
  // −W_nn μ q_n Je·Ŵe = −W_nn μ q_n (Ŵ_to cos 2α + ½ (Ŵ_oo − Ŵ_tt) sin 2α)
  f.c2 -= wn * mu * qn * to;
  f.s2 -= wn * mu * qn * 0.5 * (oo - tt);
  const double along = mu * mu * dot(jw, q), across = -mu * mu * qn;
  f.c1 = wn * wn * turned_q.t + along * w.t + across * (jw.t * tt + jw.o * to);
  f.s1 = wn * wn * turned_q.o + along * w.o + across * (jw.t * to + jw.o * oo);
  return f;
}

/// q_n = 0: the conic degenerates to the origin, or to a wedge between two rays along which r_n ≥ 0 holds with u_n = 0.
Vec3 on_degenerate_conic(const SlidingContact& c) {
  const Vec2 w = c.coupling();
  const double strength = c.mu * std::hypot(w.t, w.o);
  if (c.W.xx > strength) return {};
  const double middle = std::atan2(w.o, w.t), spread = std::acos(-c.W.xx / strength);
  Vec3 best;
  double least = 0;
  for (const double angle : {middle - spread, middle + spread}) {
    const Vec3 ray{1 / c.mu, std::cos(angle), std::sin(angle)};
    const double length = std::max(0.0, -dot(ray, c.q) / dot(ray, c.W * ray));
    const double energy = c.energy(length * ray);
    if (energy < least) least = energy, best = length * ray;
  }
  return best;
}

}  // namespace

LocalStatus MaxDissipation::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  Vec3 inverse_q;
  if (!is_finite(q) || !solve_positive_definite(W, q, inverse_q)) return r = {}, LocalStatus::ill_posed;
  if (q.x > 0) return r = {}, LocalStatus::solved;
  if (mu == 0) return r = {-q.x / W.xx, 0, 0}, LocalStatus::solved;
  if (sticks(W, -inverse_q, mu)) return r = -inverse_q, LocalStatus::solved;
  const SlidingContact contact{W, q, mu};
  if (q.x == 0) return r = on_degenerate_conic(contact), LocalStatus::solved;

  const AngleRoots roots = real_roots(stationarity(contact));
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < roots.count; ++k) {
    const Vec3 candidate = contact.percussion({std::cos(roots.angle[k]), std::sin(roots.angle[k])});
    if (!(candidate.x > 0) || !is_finite(candidate)) continue;
    const double energy = contact.energy(candidate);
    if (energy < least) least = energy, r = candidate;
  }
  return std::isfinite(least) ? LocalStatus::solved : (r = {}, LocalStatus::ill_posed);
}

double MaxDissipation::residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
  Vec3 answer;
  solve(W, u - W * r, answer);
  return norm(r - answer) / natural_map_step(W);
}

}  // namespace scree
