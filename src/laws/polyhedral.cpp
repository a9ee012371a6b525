#include "scree/laws/polyhedral.hpp"

#include <limits>
#include <numbers>

#include "scree/laws/max_dissipation.hpp"

namespace scree {
namespace {

/// A unit vector of the tangential plane as a Vec3 without normal component.
Vec3 tangent(double angle) { return {0, std::cos(angle), std::sin(angle)}; }
Vec3 quarter_turn(const Vec3& e) { return {0, -e.z, e.y}; }

/// The polygon P: corners at multiples of the step, edges half way between them at the distance `apothem`.
struct Polygon {
  explicit Polygon(int facets)
      : step(2 * std::numbers::pi / facets), apothem(std::cos(0.5 * step)), half_edge(std::sin(0.5 * step)) {}

  Vec3 corner(int i) const { return tangent(i * step); }
  Vec3 edge_normal(int i) const { return tangent((i + 0.5) * step); }
  int nearest_corner(const Vec3& v) const { return static_cast<int>(std::lround(std::atan2(v.z, v.y) / step)); }
  int nearest_edge(const Vec3& v) const { return static_cast<int>(std::floor(std::atan2(v.z, v.y) / step)); }

  /// max p·v over P.
  double support(const Vec3& v) const { return dot(corner(nearest_corner(v)), v); }
  /// The least s with v in s P.
  double gauge(const Vec3& v) const { return dot(edge_normal(nearest_edge(v)), v) / apothem; }

  double step, apothem, half_edge;
};

/// The solution of least energy among those offered.
class Choice {
 public:
  Choice(const SymMat3& W, const Vec3& q) : W_(W), q_(q) {}

  /// Counts only if friction does not push along the slip more than rounding allows: u_t must lie in the polygon's normal cone
  /// at r_t, here spanned by −a and −b.
  void offer(const Vec3& r, const Vec3& a, const Vec3& b) {
    if (!(r.x > 0) || !is_finite(r)) return;
    const Vec3 u = W_ * r + q_;
    const double rounding = 1e-13 * (norm(q_) + W_.trace() * norm(r));
    if (dot(u, quarter_turn(a)) > rounding || dot(u, quarter_turn(b)) < -rounding || dot(u, a + b) > rounding) return;
    const double energy = 0.5 * dot(r, W_ * r) + dot(r, q_);
    if (energy < least_) least_ = energy, best_ = r;
  }
  bool found() const { return std::isfinite(least_); }
  const Vec3& best() const { return best_; }

 private:
  const SymMat3& W_;
  const Vec3& q_;
  double least_ = std::numeric_limits<double>::infinity();
  Vec3 best_;
};

/// r = r_n (n + μ apothem m) + s p with u_n = 0 and u·p = 0: on the edge of normal m and direction p. Not finite if there is none.
Vec3 on_edge(const SymMat3& W, const Vec3& q, double mu, const Polygon& P, const Vec3& m) {
  const Vec3 along = quarter_turn(m), ray = Vec3{1, 0, 0} + mu * P.apothem * m;
  const Vec3 w_along = W * along, w_ray = W * ray;
  const double nn = w_ray.x, ns = w_along.x, sn = dot(along, w_ray), ss = dot(along, w_along);
  const double qs = dot(along, q), determinant = nn * ss - ns * sn;
  const double normal = (ns * qs - ss * q.x) / determinant, s = (sn * q.x - nn * qs) / determinant;
  if (!(std::abs(s) <= mu * P.half_edge * normal * (1 + 1e-13))) return {};
  return normal * ray + s * along;
}

}  // namespace

LocalStatus Polyhedral::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  Vec3 inverse_q;
  if (!is_finite(q) || !solve_positive_definite(W, q, inverse_q)) return r = {}, LocalStatus::ill_posed;
  if (q.x >= 0) return r = {}, LocalStatus::solved;
  if (mu == 0) return r = {-q.x / W.xx, 0, 0}, LocalStatus::solved;
  const Polygon P(facets);
  const auto checked = [&](const Vec3& answer) {
    r = answer;
    return residual(W, W * r + q, r) <= kInexact * norm(q) ? LocalStatus::solved : LocalStatus::inexact;
  };
  if (const Vec3 stick = -inverse_q; P.gauge(stick) <= mu * stick.x) return checked(stick);

  Choice choice(W, q);
  Vec3 before = P.edge_normal(-1);
  for (int i = 0; i < facets; ++i) {
    const Vec3 m = P.edge_normal(i), ray = Vec3{1, 0, 0} + mu * P.corner(i);
    choice.offer(-q.x / (W * ray).x * ray, before, m);
    choice.offer(on_edge(W, q, mu, P, m), m, m);
    before = m;
  }
  if (choice.found()) return checked(choice.best());
  const LocalStatus fallback = MaxDissipation{mu}.solve(W, q, r);
  return fallback == LocalStatus::solved ? LocalStatus::no_solution : fallback;
}

Vec3 Polyhedral::project(const Vec3& r) const noexcept {
  const Polygon P(facets);
  const Vec3 t{0, r.y, r.z};
  if (P.gauge(t) <= mu * r.x) return r;
  if (r.x + mu * P.support(t) <= 0) return {};
  // By symmetry the nearest point lies over the edge that t points at: on its facet, or on one of the two rays at its ends.
  const int edge = P.nearest_edge(t);
  const Vec3 m = P.edge_normal(edge), along = quarter_turn(m), ray = Vec3{1, 0, 0} + mu * P.apothem * m;
  const double normal = std::max(0.0, dot(r, ray) / squared_norm(ray)), s = dot(r, along);
  if (std::abs(s) <= mu * P.half_edge * normal) return normal * ray + s * along;
  const Vec3 end = Vec3{1, 0, 0} + mu * P.corner(s < 0 ? edge : edge + 1);
  return std::max(0.0, dot(r, end) / squared_norm(end)) * end;
}

double Polyhedral::residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
  const double rho = natural_map_step(W);
  const Vec3 lifted{u.x + mu * Polygon(facets).support({0, -u.y, -u.z}), u.y, u.z};
  return norm(r - project(r - rho * lifted)) / rho;
}

ContactClass Polyhedral::classify(const Vec3& r) const noexcept {
  if (!(r.x > 0)) return ContactClass::separating;
  const bool sliding = Polygon(facets).gauge({0, r.y, r.z}) >= (1 - 1e-9) * mu * r.x;
  return sliding ? ContactClass::sliding : ContactClass::sticking;
}

}  // namespace scree
