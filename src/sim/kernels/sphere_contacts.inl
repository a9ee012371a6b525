// Contacts of spheres. Included by one translation unit per instruction set, which defines
// SCREE_LANES; see body_lanes.inl.
#include "scree/collision/separating_plane.hpp"
#include "sim/kernels/sphere_contacts.hpp"
#include "solvers/kernels/body_lanes.inl"

namespace scree::kernels {
namespace {

/// |x| + |y| + |z|
inline L size(const Lane3& v) { return absolute(v.x) + absolute(v.y) + absolute(v.z); }
inline L length(const Lane3& v) { return square_root<N>(dot(v, v)); }

struct PlaneLanes {
  Lane3 normal;
  L gap, remaining_gap, turn_cosine;
};

/// Planes of lanes [k, k + N): perpendicular to the shortest distance, or where the free paths
/// meet.
inline PlaneLanes planes(SphereContacts& c, int k, const Lane3& approach, double h) {
  const Lane3 apart = load3(c.apart, k);
  const L distance = length(apart), one = L{} + 1, zero{};
  const Mask known = load<N>(c.has_plane + k) != 0, splits = distance > 0;
  const L divisor = splits ? distance : one;
  const Lane3 direction{apart.x / divisor, apart.y / divisor, apart.z / divisor};
  const Lane3 normal =
      select(known, load3(c.normal, k), select(splits, direction, Lane3{zero, zero, one}));
  const L gap = select(known, load<N>(c.gap + k), distance - load<N>(c.touch + k));
  const L remaining_gap = select(known, load<N>(c.remaining_gap + k), gap);
  const L turn_cosine = select(known, load<N>(c.turn_cosine + k), one);
  const Mask crosses = !known && gap > 0 && gap + h * dot(normal, approach) < 0;
  store3(c.normal, k, normal);
  store<N>(c.gap + k, gap);
  store<N>(c.remaining_gap + k, remaining_gap);
  store<N>(c.turn_cosine + k, turn_cosine);
  if (!any(crosses)) return {normal, gap, remaining_gap, turn_cosine};
  const L closes = crosses ? one : zero;
  for (int j = 0; j < N; ++j) {
    if (lane(closes, j) == 0) continue;
    const int of = k + j;
    const SeparatingPlane plane =
        plane_between_spheres({c.apart[0][of], c.apart[1][of], c.apart[2][of]}, c.touch[of],
                              {lane(approach.x, j), lane(approach.y, j), lane(approach.z, j)}, h);
    c.normal[0][of] = plane.normal.x;
    c.normal[1][of] = plane.normal.y;
    c.normal[2][of] = plane.normal.z;
    c.remaining_gap[of] = plane.remaining_gap;
    c.turn_cosine[of] = plane.turn_cosine;
  }
  return {load3(c.normal, k), gap, load<N>(c.remaining_gap + k), load<N>(c.turn_cosine + k)};
}

/// Old impulse, projected on the cone about the new normal.
inline Lane3 impulse_from(const Lane3& old, const Lane3& normal, const L& mu) {
  const L along = dot(old, normal), r_n = positive_part<N>(along);
  return r_n * normal + in_disc(old - along * normal, mu * r_n);
}

void complete(SphereContacts& c, const BodyRecord* bodies, const TermSettings& settings) {
  const ContactTerms<N> terms(settings);
  for (int k = 0; k < kBlock; k += N) {
    const BodyLanes a = gather(bodies, c.a + k), b = gather(bodies, c.b + k);
    const auto [normal, gap, remaining_gap, turn_cosine] = planes(c, k, b.v - a.v, settings.h);
    const L radius = load<N>(c.radius + k);

    const Lane3 u = b.v - a.v - cross(a.s + b.s, normal);
    const L u_n = dot(u, normal);
    const auto term =
        terms.normal_term(load<N>(c.restitution + k), gap, remaining_gap, u_n, dot(u, u),
                          dot(load3(c.before, k), normal), radius, L{}, L{});
    const L q_n = u_n + term.bias;
    const L speeds = size(a.v) + size(a.s) + (size(b.v) + size(b.s)) + absolute(term.bias);
    store3(c.impulse, k, impulse_from(load3(c.remembered, k), normal, load<N>(c.friction + k)));
    store<N>(c.bias + k, term.bias);
    store<N>(c.rebounds + k, term.rebounds ? L{} + 1 : L{});
    store<N>(c.suppressed_restitution + k, term.suppressed_restitution);
    store<N>(c.correction_gap + k, terms.correction_gap(gap, remaining_gap, radius));
    store<N>(c.depth + k, -gap / radius);
    store<N>(c.rounding + k, terms.rounding(gap, load<N>(c.position_size + k), load<N>(c.touch + k),
                                            size(u), speeds));
    store<N>(c.q_n + k, q_n);
  }
}

}  // namespace
}  // namespace scree::kernels
