// Contacts with a full 3×3 block W, solved in lanes. Included by one translation unit per instruction set, which
// defines SCREE_LANES.
//
// Each lane goes the way of the scalar laws in src/laws:
//
//   separating   r = 0 obeys the law
//   sticking     −W⁻¹q lies in the cone
//   sliding      round cones: Halley's method on F(α), src/laws/sliding.hpp, from the warm start's direction, then
//                from two others; facets: a scan of the polygon's corners and edges
//
// and then checks how far its answer is off the law. A lane that is not sure is left to law.solve: also where W is
// not clearly positive definite, a number is not finite, or friction and normal motion are coupled so strongly that
// Coulomb's law may have several solutions. So lanes only ever answer where the answer is plain.
//
// No lane looks at another. Lanes that are done keep their values while others go on, so a contact's answer has the
// same bits in registers of any width.
#include "laws/sliding.hpp"
#include "solvers/kernels/lane_vectors.inl"
#include "solvers/kernels/local_solves.hpp"

namespace scree::kernels {
namespace {

/// Violation of the law, over |q|, up to which a lane is sure of its answer [-]: rounding leaves less where W is not
/// ill-conditioned.
constexpr double kSure = 4e-13;
/// Square of the Painlevé number from which on lanes leave contacts that slide to law.solve [-]: the conic in which the
/// plane u_n = 0 cuts the cone is then nearly a parabola or reaches to infinity.
constexpr double kStrongCoupling = 0.98;

using LaneContact = sliding::Equations<L, LaneSym3, Lane3>;
using LaneDirection = DirectionOf<L>;
using LaneQuadratic = TrigonometricQuadraticOf<L>;

struct Attempt {
  Lane3 r;    ///< [N s]
  Mask sure;  ///< whether r obeys the law
};

/// What every law has to know before it looks at sliding.
struct Prepared {
  Lane3 stick;      ///< −W⁻¹q [N s]
  Mask sound;       ///< W is clearly positive definite, all numbers are finite and of moderate size
  L squared_speed;  ///< |q|² [m²/s²]
};

/// Whether products of W's and q's entries stay far from the ends of the range of doubles. False for NaN.
inline Mask of_moderate_size(const LaneSym3& W, const Lane3& q) {
  const L size = W.xx + W.yy + W.zz, x = absolute(q.x), y = absolute(q.y), z = absolute(q.z);
  return size > 1e-60 && size < 1e60 && x < 1e60 && y < 1e60 && z < 1e60 &&
         (x > 1e-60 || y > 1e-60 || z > 1e-60 || x + y + z == 0);
}

/// LDLᵀ of W.
inline Prepared prepare(const LaneSym3& W, const Lane3& q) {
  const L one = L{} + 1.0;
  const L inverse_d1 = one / W.xx, l21 = W.xy * inverse_d1, l31 = W.xz * inverse_d1;
  const L d2 = W.yy - l21 * W.xy, c32 = W.yz - l31 * W.xy, inverse_d2 = one / d2, l32 = c32 * inverse_d2;
  const L d3 = W.zz - l31 * W.xz - l32 * c32;
  const L y2 = l21 * q.x - q.y, y3 = l31 * q.x - q.z - l32 * y2;
  Prepared p;
  p.stick.z = y3 / d3;
  p.stick.y = y2 * inverse_d2 - l32 * p.stick.z;
  p.stick.x = -q.x * inverse_d1 - l21 * p.stick.y - l31 * p.stick.z;
  p.squared_speed = dot(q, q);
  p.sound = W.xx > 0 && d2 > 1e-12 * W.yy && d3 > 1e-12 * W.zz && of_moderate_size(W, q);
  return p;
}

inline L tangential_norm(const Lane3& v) { return square_root<N>(v.y * v.y + v.z * v.z); }

/// Euclidean projection on the cone |r_t| ≤ μ r_n.
inline Lane3 project_on_cone(const Lane3& r, const L& mu) {
  const L t = tangential_norm(r), normal = (r.x + mu * t) / (1 + mu * mu), scale = mu * normal / t;
  const Mask inside = r.x >= 0 && t <= mu * r.x, polar = mu * t <= -r.x;
  return select(inside, r, select(polar, Lane3{}, Lane3{normal, scale * r.y, scale * r.z}));
}

/// |r − P_K(r − ρ v)| ≤ kSure |q| ρ, ρ = 3 / trace W.
inline Mask complementary(const LaneContact& c, const Lane3& v, const Lane3& r, const L& squared_speed) {
  const L rho = 3 / (c.W.xx + c.W.yy + c.W.zz), bound = kSure * rho;
  const Lane3 off = r - project_on_cone(r - rho * v, c.mu);
  return dot(off, off) <= bound * bound * squared_speed;
}

/// r = ρ v(e) with u_n = 0.
inline Lane3 in_plane(const LaneContact& c, const LaneDirection& e) {
  return (-c.q.x / c.normal_response()(e)) * c.ray(e);
}
inline Mask weakly_coupled(const LaneContact& c) {
  const L square = c.mu * c.mu * (c.W.xy * c.W.xy + c.W.xz * c.W.xz);
  return square < kStrongCoupling * c.W.xx * c.W.xx;
}

// Of each law with a round cone: whether r = 0 obeys it, F, whether lanes look for a root of F, the percussion along
// a root, and whether a percussion on the cone's surface obeys the law.

inline Mask separates(const Coulomb&, const LaneContact& c) { return c.q.x >= 0; }
inline LaneQuadratic equation(const Coulomb&, const LaneContact& c) { return c.in_plane(c.slip_of_coulomb()); }
inline Mask may_slide(const Coulomb&, const LaneContact& c) { return weakly_coupled(c); }
inline Lane3 slide_along(const Coulomb&, const LaneContact& c, const LaneDirection& e) { return in_plane(c, e); }
inline Mask slides(const Coulomb&, const LaneContact& c, const Lane3& r, const L& squared_speed) {
  Lane3 u = c.W * r + c.q;
  u.x = u.x + c.mu * tangential_norm(u);
  return complementary(c, u, r, squared_speed);
}

inline Mask separates(const ConeComplementarity&, const LaneContact& c) { return c.q.x >= c.mu * tangential_norm(c.q); }
inline LaneQuadratic equation(const ConeComplementarity&, const LaneContact& c) { return c.of_cone_complementarity(); }
inline Mask may_slide(const ConeComplementarity&, const LaneContact& c) { return c.W.xx > 0; }
/// The least energy along the ray: ρ = −v·q / vᵀWv.
inline Lane3 slide_along(const ConeComplementarity&, const LaneContact& c, const LaneDirection& e) {
  const Lane3 ray = c.ray(e);
  return (-dot(ray, c.q) / dot(ray, c.W * ray)) * ray;
}
inline Mask slides(const ConeComplementarity&, const LaneContact& c, const Lane3& r, const L& squared_speed) {
  return complementary(c, c.W * r + c.q, r, squared_speed);
}

inline Mask separates(const MaxDissipation&, const LaneContact& c) { return c.q.x > 0; }
inline LaneQuadratic equation(const MaxDissipation&, const LaneContact& c) {
  return c.in_plane(c.slip_of_max_dissipation());
}
inline Mask may_slide(const MaxDissipation&, const LaneContact& c) { return weakly_coupled(c) && c.q.x < 0; }
inline Lane3 slide_along(const MaxDissipation&, const LaneContact& c, const LaneDirection& e) { return in_plane(c, e); }
/// u = −λ m, λ ≥ 0, with m the outward normal of the conic, here times μ r_n.
inline Mask slides(const MaxDissipation&, const LaneContact& c, const Lane3& r, const L& squared_speed) {
  const Lane3 u = c.W * r + c.q;
  const L coupling = c.mu * c.mu * r.x;
  const L m_y = c.W.xx * r.y + coupling * c.W.xy, m_z = c.W.xx * r.z + coupling * c.W.xz;
  const L across = m_y * u.z - m_z * u.y, square = m_y * m_y + m_z * m_z;
  return m_y * u.y + m_z * u.z <= 0 && u.x * u.x * square + across * across <= kSure * kSure * squared_speed * square;
}

/// |u| ≤ kSure |q| / (1 + μ) for r = −W⁻¹q: |û| of no law is more than (1 + μ) |u|.
inline Mask holds(const LaneContact& c, const Prepared& p) {
  const Lane3 u = c.W * p.stick + c.q;
  const L times = 1 + c.mu;
  return dot(u, u) * times * times <= kSure * kSure * p.squared_speed;
}
/// −W⁻¹q lies in the cone.
inline Mask sticks(const Lane3& stick, const L& mu) {
  const L limit = mu * stick.x;
  return stick.x >= 0 && stick.y * stick.y + stick.z * stick.z <= limit * limit;
}

/// Halley's method as in scree::root_near, in the lanes of `active`: true in those that came to rest at a simple root.
inline Mask root_near(const LaneQuadratic& f, LaneDirection& e, Mask active) {
  Mask found{};
  L last = L{} + 2.5;
  for (int iteration = 0; iteration < 6 && any(active); ++iteration) {
    const L value = f(e), slope = f.slope(e);
    const L half_step = -value * slope / (2 * slope * slope - value * f.curvature(e));
    const L size = 2 * absolute(half_step);
    active = active && size < 0.2 * last;  // to a double root steps shrink by a third
    const LaneDirection next = turned(e, half_step);
    e = {select(active, next.c, e.c), select(active, next.s, e.s)};
    // The step after this one would be of rounding size, unless it is short because F has an extremum here.
    const Mask at_rest = active && size < 2e-6;
    found = found || (at_rest && absolute(value) <= 2 * size * absolute(slope));
    active = active && !at_rest;
    last = size;
  }
  return found;
}

/// Slides in the lanes of `wanted`, along the root near the direction of friction in `start`; sure where it obeys the law.
template <class Law>
Attempt slide_near(const Law& law, const LaneContact& c, const LaneQuadratic& f, const Lane3& start, const Mask& wanted,
                   const L& squared_speed) {
  const L scale = 1 / tangential_norm(start);
  LaneDirection e{scale * start.y, scale * start.z};
  const Mask found = root_near(f, e, wanted);
  const Lane3 r = slide_along(law, c, e);
  return {r, found && r.x > 0 && slides(law, c, r, squared_speed)};
}

/// r_n = −q_n / W_nn, r_t = 0.
inline Attempt without_friction(const LaneSym3& W, const Lane3& q, const Mask& sound) {
  const L r_n = positive_part<N>(-q.x / W.xx);
  const L u_n = W.xx * r_n + q.x;
  return {{r_n, L{}, L{}}, sound && (r_n == 0 || absolute(u_n) <= kSure * absolute(q.x))};
}

template <class Law>
Attempt attempt_on_round_cone(const Law& law, const LaneSym3& W, const Lane3& q, const Lane3& warm) {
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
  // Friction against the slip that there is without friction, which is little off where μ is small.
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

/// Friction of facets: at a corner e of the polygon, u_n = 0 gives r = ρ (1, μ e), ρ = −q_n / d, and g = d u_t, both d and
/// g linear in e, along edges too. The corner obeys the law if d > 0 and g pushes towards it along both of its edges.
/// An edge does if g·p, p along it, has opposite signs at its ends, and is then zero where a straight line is.
struct FacetScan {
  L c_from{}, s_from{}, c_to{}, s_to{};  ///< ends of the edge
  L g_from{}, g_to{};                    ///< g·p there
  Mask found{}, several{};
};

inline FacetScan scan_facets(const LaneContact& contact, const FrictionPolygon& polygon, int facets) {
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
  const auto take = [&](const Mask& here, const LaneDirection& from, const LaneDirection& to, const L& g_from,
                        const L& g_to) {
    scan.several = scan.several || (scan.found && here);
    scan.found = scan.found || here;
    scan.c_from = select(here, from.c, scan.c_from), scan.s_from = select(here, from.s, scan.s_from);
    scan.c_to = select(here, to.c, scan.c_to), scan.s_to = select(here, to.s, scan.s_to);
    scan.g_from = select(here, g_from, scan.g_from), scan.g_to = select(here, g_to, scan.g_to);
  };
  const Corner last = corner(facets - 1);
  Corner from = corner(0);
  L before = dot(from.g, {from.e.c - last.e.c, from.e.s - last.e.s});
  for (int i = 0; i < facets; ++i) {
    const Corner to = corner(i + 1);
    const LaneDirection p{to.e.c - from.e.c, to.e.s - from.e.s}, m{to.e.c + from.e.c, to.e.s + from.e.s};
    const L g_from = dot(from.g, p), g_to = dot(to.g, p);
    take(from.d > 0 && before <= 0 && g_from >= 0, from.e, to.e, L{}, L{} + 1.0);
    const L outward = (g_to * dot(from.g, m) - g_from * dot(to.g, m)) * (g_to - g_from);
    take(from.d > 0 && to.d > 0 && g_from * g_to < 0 && outward < 0, from.e, to.e, g_from, g_to);
    from = to, before = g_to;
  }
  return scan;
}

/// max of m·r_t over the unit normals m of the polygon's edges, over its apothem: the least s with r_t in s P.
inline L gauge(const Lane3& r, const FrictionPolygon& polygon, int facets) {
  L most{};
  for (int i = 0; i < facets; ++i) {
    // The sum of two corners is as long as twice the apothem.
    const L along = (polygon.c[i] + polygon.c[i + 1]) * r.y + (polygon.s[i] + polygon.s[i + 1]) * r.z;
    most = along > most ? along : most;
  }
  return most / (2 * polygon.apothem * polygon.apothem);
}

// Attempts: of each law what its lanes can answer. A law that is not named here leaves all to law.solve.

template <class Law>
Attempt attempt(const Law&, const LaneSym3&, const Lane3&, const Lane3& warm) {
  return {warm, Mask{}};
}

inline Attempt attempt(const Frictionless&, const LaneSym3& W, const Lane3& q, const Lane3&) {
  const Mask sound = W.xx > 0 && W.xx < 1e300 && q.x - q.x == 0 && q.y - q.y == 0 && q.z - q.z == 0;
  const Attempt answer = without_friction(W, q, sound);
  return {answer.r, answer.sure && answer.r.x < 1e300};
}

/// Another choice among several solutions than the usual one needs all of them.
inline Attempt attempt(const Coulomb& law, const LaneSym3& W, const Lane3& q, const Lane3& warm) {
  Attempt answer = attempt_on_round_cone(law, W, q, warm);
  if (law.choice != Coulomb::Choice::dissipation) answer.sure = Mask{};
  return answer;
}
inline Attempt attempt(const MaxDissipation& law, const LaneSym3& W, const Lane3& q, const Lane3& warm) {
  return attempt_on_round_cone(law, W, q, warm);
}
inline Attempt attempt(const ConeComplementarity& law, const LaneSym3& W, const Lane3& q, const Lane3& warm) {
  return attempt_on_round_cone(law, W, q, warm);
}

inline Attempt attempt(const Polyhedral& law, const LaneSym3& W, const Lane3& q, const Lane3&) {
  const Prepared p = prepare(W, q);
  if (law.mu == 0) return without_friction(W, q, p.sound);
  const LaneContact c{W, q, L{} + law.mu};
  const FrictionPolygon& polygon = friction_polygon(law.facets);
  const Mask apart = q.x >= 0, stuck = gauge(p.stick, polygon, law.facets) <= c.mu * p.stick.x;
  const L bound = kSure * kSure * p.squared_speed;

  Attempt answer;
  answer.r = select(apart, Lane3{}, p.stick);
  answer.sure = p.sound && (apart || (stuck && holds(c, p)));
  const Mask sliding = p.sound && !apart && !stuck && weakly_coupled(c);
  if (!any(sliding)) return answer;

  const FacetScan scan = scan_facets(c, polygon, law.facets);
  const L place = scan.g_from / (scan.g_from - scan.g_to);
  const LaneDirection along{scan.c_to - scan.c_from, scan.s_to - scan.s_from};
  const LaneDirection e{scan.c_from + place * along.c, scan.s_from + place * along.s};
  const Lane3 r = in_plane(c, e), u = W * r + q;
  // On a corner the scan has seen where the slip points; on an edge it must not go along it.
  const L slip = select(scan.g_from == 0, L{}, u.y * along.c + u.z * along.s);
  const L square = dot(along, along);
  const Mask obeyed = (u.x * u.x) * square + slip * slip <= bound * square;
  const Mask sure = sliding && scan.found && !scan.several && r.x > 0 && obeyed;
  return {select(sure, r, answer.r), answer.sure || sure};
}

/// Solves N contacts of one law; r is the warm start on entry.
template <class Law>
void solve_lanes(const Law& law, const LaneSym3& W, const Lane3& q, Lane3& r) {
  const Attempt answer = attempt(law, W, q, r);
  if (any(!answer.sure)) {
    double left[N], block[6][N], velocity[3][N], percussion[3][N];
    store<N>(left, select(answer.sure, L{}, L{} + 1.0));
    const L entries[6] = {W.xx, W.xy, W.xz, W.yy, W.yz, W.zz};
    const L before[3] = {q.x, q.y, q.z}, warm[3] = {r.x, r.y, r.z}, lanes[3] = {answer.r.x, answer.r.y, answer.r.z};
    for (int j = 0; j < 6; ++j) store<N>(block[j], entries[j]);
    for (int j = 0; j < 3; ++j)
      store<N>(velocity[j], before[j]), store<N>(percussion[j], select(answer.sure, lanes[j], warm[j]));
    for (int k = 0; k < N; ++k) {
      if (left[k] == 0) continue;
      Vec3 x{percussion[0][k], percussion[1][k], percussion[2][k]};
      const SymMat3 w{block[0][k], block[1][k], block[2][k], block[3][k], block[4][k], block[5][k]};
      solve_alone(law, w, Vec3{velocity[0][k], velocity[1][k], velocity[2][k]}, x);
      percussion[0][k] = x.x, percussion[1][k] = x.y, percussion[2][k] = x.z;
    }
    r = {load<N>(percussion[0]), load<N>(percussion[1]), load<N>(percussion[2])};
  } else {
    r = answer.r;
  }
}

/// LocalSolves::solve.
void solve_batches(const AnyLaw& any_law, const double (*W)[kLocalBatch], const double (*q)[kLocalBatch],
                   double (*r)[kLocalBatch], int count) {
  std::visit(
      [&](const auto& law) {
        for (int batch = 0; batch < count; ++batch, W += 6, q += 3, r += 3)
          for (int k = 0; k < kLocalBatch; k += N) {
            const LaneSym3 block{load<N>(W[0] + k), load<N>(W[1] + k), load<N>(W[2] + k),
                                 load<N>(W[3] + k), load<N>(W[4] + k), load<N>(W[5] + k)};
            const Lane3 velocity{load<N>(q[0] + k), load<N>(q[1] + k), load<N>(q[2] + k)};
            Lane3 percussion{load<N>(r[0] + k), load<N>(r[1] + k), load<N>(r[2] + k)};
            solve_lanes(law, block, velocity, percussion);
            store<N>(r[0] + k, percussion.x);
            store<N>(r[1] + k, percussion.y);
            store<N>(r[2] + k, percussion.z);
          }
      },
      any_law);
}

}  // namespace
}  // namespace scree::kernels
