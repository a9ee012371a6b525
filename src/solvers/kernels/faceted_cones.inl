// Local solves in lanes for laws with a cone of flat facets: a scan of the corners and edges of its
// polygon.
#pragma once

#include "solvers/kernels/local_attempt.inl"
#include "solvers/kernels/local_solves.hpp"

namespace scree::kernels {
namespace {

/// Result of the scan. At a corner e of the polygon u_n = 0 gives r = ρ (1, μ e), ρ = −q_n / d, and
/// g = d u_t, both d and g linear in e, along edges too. A corner obeys the law if d > 0 and −g
/// points to it along both of its edges. A point of an edge obeys it if g·p = 0, p along the edge,
/// and g points inwards: so g·p has opposite signs at the ends.
struct FacetScan {
  LaneDirection from, to;  ///< ends of the edge; the corner itself is `from`
  L g_from{}, g_to{};      ///< g·p at the ends; 0 and 1 for a corner
  Mask found{}, several{};
};

/// Searches all corners and edges that obey the law; keeps the last one.
inline FacetScan scan_facets(const LaneContact& contact, const FrictionPolygon& polygon,
                             int facets) {
  const auto d = contact.normal_response();
  const auto a = contact.tangential_response();
  const Lane3& q = contact.q;
  const TrigonometricLinearOf<L> g_y = q.y * d - q.x * a.t, g_z = q.z * d - q.x * a.o;
  struct Corner {
    LaneDirection e, g;
    L d;
  };
  const auto corner = [&](int i) {
    const LaneDirection e{L{} + polygon.c[i], L{} + polygon.s[i]};
    return Corner{e, {g_y(e), g_z(e)}, d(e)};
  };

  FacetScan scan;
  const auto take = [&](const Mask& here, const LaneDirection& from, const LaneDirection& to,
                        const L& g_from, const L& g_to) {
    scan.several = scan.several || (scan.found && here);
    scan.found = scan.found || here;
    scan.from = select(here, from, scan.from);
    scan.to = select(here, to, scan.to);
    scan.g_from = select(here, g_from, scan.g_from);
    scan.g_to = select(here, g_to, scan.g_to);
  };
  const Corner last = corner(facets - 1);
  Corner from = corner(0);
  L before = dot(from.g, {from.e.c - last.e.c, from.e.s - last.e.s});
  for (int i = 0; i < facets; ++i) {
    const Corner to = corner(i + 1);
    const LaneDirection p{to.e.c - from.e.c, to.e.s - from.e.s};
    const LaneDirection m{to.e.c + from.e.c, to.e.s + from.e.s};
    const L g_from = dot(from.g, p), g_to = dot(to.g, p);
    // The corner, then the edge after it.
    take(from.d > 0 && before <= 0 && g_from >= 0, from.e, to.e, L{}, L{} + 1.0);
    const L outward = (g_to * dot(from.g, m) - g_from * dot(to.g, m)) * (g_to - g_from);
    take(from.d > 0 && to.d > 0 && g_from * g_to < 0 && outward < 0, from.e, to.e, g_from, g_to);
    from = to;
    before = g_to;
  }
  return scan;
}

/// True if u_n = 0, and u_t points inwards from the edge along p, or from the two edges at the
/// corner that starts it.
inline Mask slides(const LaneContact& c, const Lane3& r, const LaneDirection& p, const Mask& corner,
                   const FrictionPolygon& polygon, const L& squared_speed) {
  const Lane3 u = c.W * r + c.q;
  // p of the edge before, one step of the polygon back.
  const LaneDirection p_before{polygon.c[1] * p.c + polygon.s[1] * p.s,
                               polygon.c[1] * p.s - polygon.s[1] * p.c};
  const L along = u.y * p.c + u.z * p.s, along_before = u.y * p_before.c + u.z * p_before.s;
  const L outward = positive_part<N>(u.y * p.s - u.z * p.c);
  const L off_corner = positive_part<N>(-along) + positive_part<N>(along_before);
  const L off = select(corner, off_corner, absolute(along) + outward);
  const L factor = 1 + c.mu, square = dot(p, p);
  return (u.x * u.x * square + off * off) * factor * factor <=
         kMaxLaneViolation * kMaxLaneViolation * squared_speed * square;
}

/// Smallest s with r_t in s P: max of m·r_t over the unit normals m of the polygon's edges, over
/// its apothem.
inline L gauge(const Lane3& r, const FrictionPolygon& polygon, int facets) {
  L max{};
  for (int i = 0; i < facets; ++i) {
    // The sum of two corners has twice the length of the apothem.
    const L along =
        (polygon.c[i] + polygon.c[i + 1]) * r.y + (polygon.s[i] + polygon.s[i + 1]) * r.z;
    max = along > max ? along : max;
  }
  return max / (2 * polygon.apothem * polygon.apothem);
}

inline Attempt attempt(const Polyhedral& law, const LaneSym3& W, const Lane3& q, const Lane3&) {
  const Prepared prepared = prepare(W, q);
  if (law.mu == 0) return without_friction(W, q, prepared.sound);
  const LaneContact c{W, q, L{} + law.mu};
  const FrictionPolygon& polygon = friction_polygon(law.facets);
  const Mask apart = q.x >= 0;
  const Mask stuck = gauge(prepared.stick, polygon, law.facets) <= c.mu * prepared.stick.x;

  Attempt answer;
  answer.r = select(apart, Lane3{}, prepared.stick);
  answer.sure = prepared.sound && (apart || (stuck && holds(c, prepared)));
  const Mask sliding = prepared.sound && !apart && !stuck && weakly_coupled(c);
  if (!any(sliding)) return answer;

  const FacetScan scan = scan_facets(c, polygon, law.facets);
  const L fraction = scan.g_from / (scan.g_from - scan.g_to);
  const LaneDirection p{scan.to.c - scan.from.c, scan.to.s - scan.from.s};
  const Lane3 r = in_plane(c, {scan.from.c + fraction * p.c, scan.from.s + fraction * p.s});
  const Mask obeyed = slides(c, r, p, scan.g_from == 0, polygon, prepared.squared_speed);
  const Mask sure = sliding && scan.found && !scan.several && r.x > 0 && obeyed;
  return {select(sure, r, answer.r), answer.sure || sure};
}

}  // namespace
}  // namespace scree::kernels
