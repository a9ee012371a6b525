// Local solves in lanes for laws with a round cone: Halley's method on F(α), src/laws/sliding.hpp,
// from the direction of the warm start, then from two others.
#pragma once

#include "scree/laws/cone_complementarity.hpp"
#include "scree/laws/coulomb.hpp"
#include "scree/laws/impact_dissipation.hpp"
#include "scree/laws/max_dissipation.hpp"
#include "solvers/kernels/local_attempt.inl"

namespace scree::kernels {
namespace {

inline L tangential_norm(const Lane3& v) { return square_root<N>(v.y * v.y + v.z * v.z); }

/// Euclidean projection on the cone |r_t| ≤ μ r_n.
inline Lane3 project_on_cone(const Lane3& r, const L& mu) {
  const L t = tangential_norm(r), normal = (r.x + mu * t) / (1 + mu * mu), scale = mu * normal / t;
  const Mask inside = r.x >= 0 && t <= mu * r.x, polar = mu * t <= -r.x;
  return select(inside, r, select(polar, Lane3{}, Lane3{normal, scale * r.y, scale * r.z}));
}

/// |r − P_K(r − ρ v)| ≤ kMaxLaneViolation |q| ρ, ρ = 3 / trace W.
inline Mask complementary(const LaneContact& c, const Lane3& v, const Lane3& r,
                          const L& squared_speed) {
  const L rho = 3 / (c.W.xx + c.W.yy + c.W.zz), bound = kMaxLaneViolation * rho;
  const Lane3 off = r - project_on_cone(r - rho * v, c.mu);
  return dot(off, off) <= bound * bound * squared_speed;
}

// Functions of each law with a round cone: separates(), true if r = 0 obeys it; equation(), F;
// may_slide(), true if lanes look for a root of F; slide_along(), the impulse along a root;
// slides(), true if an impulse on the cone's surface obeys the law.

inline Mask separates(const Coulomb&, const LaneContact& c) { return c.q.x >= 0; }
inline LaneQuadratic equation(const Coulomb&, const LaneContact& c) {
  return c.in_plane(c.slip_of_coulomb());
}
inline Mask may_slide(const Coulomb&, const LaneContact& c) { return weakly_coupled(c); }
inline Lane3 slide_along(const Coulomb&, const LaneContact& c, const LaneDirection& e) {
  return in_plane(c, e);
}
inline Mask slides(const Coulomb&, const LaneContact& c, const Lane3& r, const L& squared_speed) {
  Lane3 u = c.W * r + c.q;
  u.x = u.x + c.mu * tangential_norm(u);
  return complementary(c, u, r, squared_speed);
}

inline Mask separates(const ConeComplementarity&, const LaneContact& c) {
  return c.q.x >= c.mu * tangential_norm(c.q);
}
inline LaneQuadratic equation(const ConeComplementarity&, const LaneContact& c) {
  return c.of_cone_complementarity();
}
inline Mask may_slide(const ConeComplementarity&, const LaneContact& c) { return c.W.xx > 0; }
/// Minimum of energy along the ray: ρ = −v·q / vᵀWv.
inline Lane3 slide_along(const ConeComplementarity&, const LaneContact& c, const LaneDirection& e) {
  const Lane3 ray = c.ray(e);
  return (-dot(ray, c.q) / dot(ray, c.W * ray)) * ray;
}
inline Mask slides(const ConeComplementarity&, const LaneContact& c, const Lane3& r,
                   const L& squared_speed) {
  return complementary(c, c.W * r + c.q, r, squared_speed);
}

inline Mask separates(const MaxDissipation&, const LaneContact& c) { return c.q.x > 0; }
inline LaneQuadratic equation(const MaxDissipation&, const LaneContact& c) {
  return c.in_plane(c.slip_of_max_dissipation());
}
inline Mask may_slide(const MaxDissipation&, const LaneContact& c) {
  return weakly_coupled(c) && c.q.x < 0;
}
inline Lane3 slide_along(const MaxDissipation&, const LaneContact& c, const LaneDirection& e) {
  return in_plane(c, e);
}
/// u = −λ m, λ ≥ 0, with m the outward normal of the conic, here times μ r_n.
inline Mask slides(const MaxDissipation&, const LaneContact& c, const Lane3& r,
                   const L& squared_speed) {
  const Lane3 u = c.W * r + c.q;
  const L coupling = c.mu * c.mu * r.x;
  const L m_y = c.W.xx * r.y + coupling * c.W.xy, m_z = c.W.xx * r.z + coupling * c.W.xz;
  const L across = m_y * u.z - m_z * u.y, square = m_y * m_y + m_z * m_z;
  return m_y * u.y + m_z * u.z <= 0 &&
         u.x * u.x * square + across * across <=
             kMaxLaneViolation * kMaxLaneViolation * squared_speed * square;
}

/// True if −W⁻¹q lies in the cone.
inline Mask sticks(const Lane3& stick, const L& mu) {
  const L limit = mu * stick.x;
  return stick.x >= 0 && stick.y * stick.y + stick.z * stick.z <= limit * limit;
}

/// Halley's method as in scree::root_near, in the lanes of `active`: true in lanes that converged
/// to a simple root.
inline Mask root_near(const LaneQuadratic& f, LaneDirection& e, Mask active) {
  Mask found{};
  L last = L{} + 2.5;
  for (int iteration = 0; iteration < 6 && any(active); ++iteration) {
    const L value = f(e), slope = f.slope(e);
    const L half_step = -value * slope / (2 * slope * slope - value * f.curvature(e));
    const L size = 2 * absolute(half_step);
    active = active && size < 0.2 * last;  // to a double root steps shrink by a third
    e = select(active, turned(e, half_step), e);
    // The next step would be of rounding size, unless this one is short because of an extremum of
    // F.
    const Mask converged = active && size < 2e-6;
    found = found || (converged && absolute(value) <= 2 * size * absolute(slope));
    active = active && !converged;
    last = size;
  }
  return found;
}

/// Sliding answer in the lanes of `wanted`, along the root near the direction of friction in
/// `start`; sure where it obeys the law.
template <class Law>
Attempt slide_near(const Law& law, const LaneContact& c, const LaneQuadratic& f, const Lane3& start,
                   const Mask& wanted, const L& squared_speed) {
  const L scale = 1 / tangential_norm(start);
  LaneDirection e{scale * start.y, scale * start.z};
  const Mask found = root_near(f, e, wanted);
  const Lane3 r = slide_along(law, c, e);
  return {r, found && r.x > 0 && slides(law, c, r, squared_speed)};
}

/// Answer for Coulomb, max_dissipation and cone_complementarity.
template <class Law>
Attempt attempt_on_round_cone(const Law& law, const LaneSym3& W, const Lane3& q,
                              const Lane3& warm) {
  const Prepared p = prepare(W, q);
  if (law.mu == 0) return without_friction(W, q, p.sound);
  const LaneContact c{W, q, L{} + law.mu};
  const Mask apart = separates(law, c), stuck = sticks(p.stick, c.mu);

  Attempt answer;
  answer.r = select(apart, Lane3{}, p.stick);
  answer.sure = p.sound && (apart || (stuck && holds(c, p)));
  Mask sliding = p.sound && !apart && !stuck && may_slide(law, c);
  if (!any(sliding)) return answer;

  const LaneQuadratic f = equation(law, c);
  // Friction against the slip of the frictionless contact: a good start if μ is small.
  const L inverse_w = 1 / W.xx;
  const Lane3 against_slip{L{}, q.x * inverse_w * W.xy - q.y, q.x * inverse_w * W.xz - q.z};
  const Mask was_sliding = warm.y * warm.y + warm.z * warm.z > 0;
  for (const Lane3& start : {select(was_sliding, warm, against_slip), against_slip, p.stick}) {
    const Attempt slide = slide_near(law, c, f, start, sliding, p.squared_speed);
    answer.r = select(slide.sure, slide.r, answer.r);
    answer.sure = answer.sure || slide.sure;
    sliding = sliding && !slide.sure;
    if (!any(sliding)) break;
  }
  return answer;
}

/// Lanes find one solution. By continuity law.solve finds the nearest of several; other choices
/// are made once the sweeps have converged, since they can jump from sweep to sweep.
inline Attempt attempt(const Coulomb& law, const LaneSym3& W, const Lane3& q, const Lane3& warm) {
  Attempt answer = attempt_on_round_cone(law, W, q, warm);
  if (law.choice == Coulomb::Choice::continuity)
    answer.sure = answer.sure && LaneContact{W, q, L{} + law.mu}.has_one_solution();
  return answer;
}
inline Attempt attempt(const MaxDissipation& law, const LaneSym3& W, const Lane3& q,
                       const Lane3& warm) {
  return attempt_on_round_cone(law, W, q, warm);
}
inline Attempt attempt(const ConeComplementarity& law, const LaneSym3& W, const Lane3& q,
                       const Lane3& warm) {
  return attempt_on_round_cone(law, W, q, warm);
}
/// Lanes are sure only of weakly coupled contacts, in which there are no shocks.
inline Attempt attempt(const ImpactDissipation& law, const LaneSym3& W, const Lane3& q,
                       const Lane3& warm) {
  if (law.collides) return attempt_on_round_cone(MaxDissipation{law.mu}, W, q, warm);
  Attempt answer = attempt_on_round_cone(Coulomb{law.mu}, W, q, warm);
  answer.sure = answer.sure && weakly_coupled(LaneContact{W, q, L{} + law.mu});
  return answer;
}

}  // namespace
}  // namespace scree::kernels
