/// Solves contacts with a faceted friction cone by enumerating its corners and edges.
#include "scree/laws/polyhedral.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "laws/single_contact.hpp"
#include "scree/laws/max_dissipation.hpp"

namespace scree {
namespace {

/// Unit vector of the tangential plane, as a Vec3 without normal component.
Vec3 tangent(double angle) { return {0, std::cos(angle), std::sin(angle)}; }
Vec3 quarter_turn(const Vec3& e) { return {0, -e.z, e.y}; }

/// Polygon P: corners at multiples of `step`, edges halfway between them at the distance `apothem`.
struct Polygon {
  explicit Polygon(int facets)
      : step(2 * std::numbers::pi / facets),
        apothem(std::cos(0.5 * step)),
        half_edge(std::sin(0.5 * step)) {}

  Vec3 corner(int i) const { return tangent(i * step); }
  Vec3 edge_normal(int i) const { return tangent((i + 0.5) * step); }
  int nearest_corner(const Vec3& v) const {
    return static_cast<int>(std::lround(std::atan2(v.z, v.y) / step));
  }
  int nearest_edge(const Vec3& v) const {
    return static_cast<int>(std::floor(std::atan2(v.z, v.y) / step));
  }

  /// Maximum of p·v over P.
  double support(const Vec3& v) const { return dot(corner(nearest_corner(v)), v); }
  /// Smallest s with v in s P.
  double gauge(const Vec3& v) const { return dot(edge_normal(nearest_edge(v)), v) / apothem; }

  double step, apothem, half_edge;
};

/// True if r satisfies the law up to rounding: u_t must lie in the polygon's normal cone at r_t,
/// here spanned by −a and −b, so friction does not push along the slip.
bool obeys(const SymMat3& W, const Vec3& q, const Vec3& r, const Vec3& a, const Vec3& b) {
  if (!(r.x > 0) || !is_finite(r)) return false;
  const Vec3 u = W * r + q;
  const double rounding = 1e-13 * (norm(q) + W.trace() * norm(r));
  return dot(u, quarter_turn(a)) <= rounding && dot(u, quarter_turn(b)) >= -rounding &&
         dot(u, a + b) <= rounding;
}

/// Impulse r = r_n (n + μ apothem m) + s p with u_n = 0 and u·p = 0, on the edge with normal m and
/// direction p. Zero or not finite if there is none.
Vec3 on_edge(const SymMat3& W, const Vec3& q, double mu, const Polygon& P, const Vec3& m) {
  const Vec3 along = quarter_turn(m), ray = Vec3{1, 0, 0} + mu * P.apothem * m;
  const Vec3 w_along = W * along, w_ray = W * ray;
  // Eliminate in two equations for r_n and s, with the larger pivot: it keeps the slip small where
  // W is ill-conditioned.
  struct Row {
    double normal, s, right;
  } first{w_ray.x, w_along.x, -q.x}, second{dot(along, w_ray), dot(along, w_along), -dot(along, q)};
  if (std::abs(second.normal) > std::abs(first.normal)) std::swap(first, second);
  const double factor = second.normal / first.normal;
  const double s = (second.right - factor * first.right) / (second.s - factor * first.s);
  const double normal = (first.right - first.s * s) / first.normal;
  if (!(std::abs(s) <= mu * P.half_edge * normal * (1 + 1e-13))) return {};
  return normal * ray + s * along;
}

/// Calls f(r) for every impulse at a corner or on an edge that satisfies the law.
template <class F>
void for_each_sliding(const SymMat3& W, const Vec3& q, double mu, int facets, F&& f) {
  const Polygon P(facets);
  Vec3 before = P.edge_normal(-1);
  for (int i = 0; i < facets; ++i) {
    const Vec3 m = P.edge_normal(i), ray = Vec3{1, 0, 0} + mu * P.corner(i);
    if (const Vec3 r = -q.x / (W * ray).x * ray; obeys(W, q, r, before, m)) f(r);
    if (const Vec3 r = on_edge(W, q, mu, P, m); obeys(W, q, r, m, m)) f(r);
    before = m;
  }
}

}  // namespace

LocalStatus Polyhedral::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  return solve_scaled(W, q, r, [this](const SymMat3& w, const Vec3& v, Vec3& x) {
    return solve_moderate(w, v, x);
  });
}

LocalStatus Polyhedral::solve_moderate(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  Vec3 inverse_q;
  if (!solve_positive_definite(W, q, inverse_q)) {
    r = {};
    return LocalStatus::ill_posed;
  }
  if (q.x >= 0) {
    r = {};
    return LocalStatus::solved;
  }
  if (mu == 0) {
    r = {-q.x / W.xx, 0, 0};
    return LocalStatus::solved;
  }
  const auto checked = [&](const Vec3& answer) {
    r = answer;
    return graded(norm(residual(W, W * r + q, r)), q);
  };
  if (const Vec3 stick = -inverse_q; Polygon(facets).gauge(stick) <= mu * stick.x)
    return checked(stick);

  double min_energy = std::numeric_limits<double>::infinity();
  Vec3 best;
  for_each_sliding(W, q, mu, facets, [&](const Vec3& candidate) {
    if (const double e = energy(W, q, candidate); e < min_energy) {
      min_energy = e;
      best = candidate;
    }
  });
  if (std::isfinite(min_energy)) return checked(best);
  if (holds_on_border(*this, W, q, -inverse_q)) return checked(project(-inverse_q));
  const LocalStatus fallback = MaxDissipation{mu}.solve(W, q, r);
  return fallback == LocalStatus::ill_posed ? fallback : LocalStatus::no_solution;
}

ContactSolutions Polyhedral::solve_all(const SymMat3& W, const Vec3& q) const noexcept {
  return find_scaled(W, q, [this](const SymMat3& w, const Vec3& v, ContactSolutions& found) {
    return find_all(w, v, found);
  });
}

LocalStatus Polyhedral::find_all(const SymMat3& W, const Vec3& q,
                                 ContactSolutions& found) const noexcept {
  Vec3 inverse_q;
  if (!solve_positive_definite(W, q, inverse_q)) return LocalStatus::ill_posed;
  if (q.x >= 0) found.add(ContactClass::separating, W, q, {});
  const Vec3 stick = -inverse_q;
  if (stick.x > 0 && Polygon(facets).gauge(stick) <= mu * stick.x)
    found.add(ContactClass::sticking, W, q, stick);
  if (mu == 0 && q.x < 0 && found.count == 0)
    found.add(ContactClass::sliding, W, q, {-q.x / W.xx, 0, 0});
  if (mu > 0) {
    for_each_sliding(W, q, mu, facets, [&](const Vec3& r) {
      // Skip duplicates: an impulse at the end of an edge is also its corner's, and one at the
      // border to sticking is known already.
      const bool known = std::any_of(found.begin(), found.end(), [&](const ContactSolution& s) {
        return norm(r - s.r) <= 1e-9 * norm(r);
      });
      if (!known) found.add(ContactClass::sliding, W, q, r);
    });
  }
  if (found.count == 0 && holds_on_border(*this, W, q, stick))
    found.add(ContactClass::sticking, W, q, project(stick));
  return found.count > 0 ? LocalStatus::solved : LocalStatus::no_solution;
}

Vec3 Polyhedral::project(const Vec3& r) const noexcept {
  const Polygon P(facets);
  const Vec3 t{0, r.y, r.z};
  if (r.x >= 0 && P.gauge(t) <= mu * r.x) return r;  // the first condition matters where μ = 0
  if (r.x + mu * P.support(t) <= 0) return {};
  // By symmetry the nearest point lies over the edge that t points at: on its facet, or on one of
  // the two rays at its ends.
  const int edge = P.nearest_edge(t);
  const Vec3 m = P.edge_normal(edge), along = quarter_turn(m),
             ray = Vec3{1, 0, 0} + mu * P.apothem * m;
  const double normal = std::max(0.0, dot(r, ray) / squared_norm(ray)), s = dot(r, along);
  if (std::abs(s) <= mu * P.half_edge * normal) return normal * ray + s * along;
  const Vec3 end = Vec3{1, 0, 0} + mu * P.corner(s < 0 ? edge : edge + 1);
  return std::max(0.0, dot(r, end) / squared_norm(end)) * end;
}

Vec3 Polyhedral::complementary_velocity(const Vec3& u) const noexcept {
  return {u.x + mu * Polygon(facets).support({0, -u.y, -u.z}), u.y, u.z};
}

ContactClass Polyhedral::classify(const Vec3& r) const noexcept {
  if (!(r.x > 0)) return ContactClass::separating;
  const bool sliding = Polygon(facets).gauge({0, r.y, r.z}) >= (1 - 1e-9) * mu * r.x;
  return sliding ? ContactClass::sliding : ContactClass::sticking;
}

}  // namespace scree
