/// Solves contacts with Coulomb friction: separating, sticking, and all sliding solutions.
#include "scree/laws/coulomb.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "laws/single_contact.hpp"
#include "laws/sliding.hpp"
#include "scree/laws/max_dissipation.hpp"

namespace scree {
namespace {

/// Calls f(r, u) for each root that satisfies the law: ρ > 0, and slip opposite to friction.
template <class F>
void for_each_sliding(const sliding::Contact& c, const DirectionRoots& roots, F&& f) {
  const double speed = norm(c.q);
  for (int k = 0; k < roots.count; ++k) {
    const Direction& e = roots.at[k];
    const double rho = c.length_in_plane(e, e);
    if (!(rho > 0) || !std::isfinite(rho)) continue;
    const Vec3 r = rho * c.ray(e), u = c.W * r + c.q;
    const double along = u.y * e.c + u.z * e.s;
    // At the border to sticking the slip has the size of rounding and any sign.
    if (along > 1e-13 * (c.W.trace() * rho * (1 + c.mu) + speed)) continue;
    f(r, u);
  }
}

/// Violation of the law by u, with r on the surface of the cone [m/s].
double violation(const Vec3& u, const Vec3& r, double mu) {
  return std::abs(u.x) + std::abs(u.y * r.z - u.z * r.y) / (mu * r.x);
}

/// True if an impulse can exist where bodies separate by themselves.
bool can_jam(const SymMat3& W, double mu) { return painleve_number(W, mu) >= 1; }

}  // namespace

LocalStatus Coulomb::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  return solve_scaled(W, q, r, [this](const SymMat3& w, const Vec3& v, Vec3& x) {
    return solve_moderate(w, v, x);
  });
}

LocalStatus Coulomb::solve_moderate(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  Vec3 inverse_q;
  if (!solve_positive_definite(W, q, inverse_q)) {
    r = {};
    return LocalStatus::ill_posed;
  }
  if (q.x >= 0 && (choice != Choice::continuity || !can_jam(W, mu))) {
    r = {};
    return LocalStatus::solved;
  }
  const Vec3 stick = -inverse_q, warm = r;
  const bool can_stick = sticks(stick, mu);
  if (can_stick && choice == Choice::dissipation) {
    r = stick;
    return graded(norm(W * r + q), q);
  }
  if (mu == 0) {
    r = {-q.x / W.xx, 0, 0};
    return LocalStatus::solved;
  }

  const auto cost = [&](const Vec3& candidate) {
    if (choice == Choice::dissipation) return energy(W, q, candidate);
    return squared_norm(choice == Choice::continuity ? candidate - warm : candidate);
  };
  double min_cost = std::numeric_limits<double>::infinity(), off = 0;
  const auto offer = [&](const Vec3& candidate, double violated) {
    if (const double c = cost(candidate); c < min_cost) {
      min_cost = c;
      r = candidate;
      off = violated;
    }
  };
  if (q.x >= 0) offer({}, 0);
  if (can_stick) offer(stick, norm(W * stick + q));
  const sliding::Contact contact{W, q, mu};
  const TrigonometricQuadratic f = contact.in_plane(contact.slip_of_coulomb());
  const auto offer_sliding = [&](const DirectionRoots& roots) {
    for_each_sliding(contact, roots,
                     [&](const Vec3& x, const Vec3& u) { offer(x, violation(u, x, mu)); });
  };
  if (q.x == 0)
    offer_sliding(contact.rays_of_plane());
  else
    offer_sliding(real_roots(f, sliding::start(warm, stick)));
  if (!std::isfinite(min_cost)) offer_sliding(real_roots(f));
  if (std::isfinite(min_cost)) return graded(off, q);
  if (holds_on_border(*this, W, q, stick)) {
    r = project(stick);
    return LocalStatus::solved;
  }
  const LocalStatus fallback = MaxDissipation{mu}.solve(W, q, r);
  return fallback == LocalStatus::ill_posed ? fallback : LocalStatus::no_solution;
}

ContactSolutions Coulomb::solve_all(const SymMat3& W, const Vec3& q) const noexcept {
  return find_scaled(W, q, [this](const SymMat3& w, const Vec3& v, ContactSolutions& found) {
    return find_all(w, v, found);
  });
}

LocalStatus Coulomb::find_all(const SymMat3& W, const Vec3& q,
                              ContactSolutions& found) const noexcept {
  const auto add = [&](ContactClass kind, const Vec3& r) { found.add(kind, W, q, r); };
  Vec3 inverse_q;
  if (!solve_positive_definite(W, q, inverse_q)) return LocalStatus::ill_posed;
  if (q.x >= 0) add(ContactClass::separating, {});
  if (q.x >= 0 && !can_jam(W, mu)) return LocalStatus::solved;
  const Vec3 stick = -inverse_q;
  const bool can_stick = stick.x > 0 && sticks(stick, mu);
  if (can_stick) add(ContactClass::sticking, stick);
  if (mu == 0) {
    if (!can_stick) add(ContactClass::sliding, {-q.x / W.xx, 0, 0});
  } else {
    const sliding::Contact contact{W, q, mu};
    const DirectionRoots roots = q.x == 0 ? contact.rays_of_plane()
                                          : real_roots(contact.in_plane(contact.slip_of_coulomb()));
    for_each_sliding(contact, roots, [&](const Vec3& r, const Vec3&) {
      // at the border both are one solution
      const bool border = can_stick && norm(r - stick) <= 1e-9 * norm(stick);
      if (!border) add(ContactClass::sliding, r);
    });
  }
  if (found.count == 0 && holds_on_border(*this, W, q, stick))
    add(ContactClass::sticking, project(stick));
  return found.count > 0 ? LocalStatus::solved : LocalStatus::no_solution;
}

bool Coulomb::has_one_solution(const SymMat3& W) const noexcept {
  const Vec3 any{};
  return sliding::Contact{W, any, mu}.has_one_solution();
}

std::optional<Vec3> Coulomb::other_choice(const SymMat3& W, const Vec3& q, const Vec3& r,
                                          const Vec3& warm) const noexcept {
  const ContactSolutions all = solve_all(W, q);
  Vec3 chosen = warm;
  if (all.count < 2 || solve(W, q, chosen) != LocalStatus::solved) return {};
  return all.nearest(chosen) == all.nearest(r) ? std::nullopt : std::optional(chosen);
}

std::optional<Coulomb::Choice> choice_named(std::string_view text) {
  const auto found = std::ranges::find(kChoices, text);
  if (found == std::end(kChoices)) return {};
  return static_cast<Coulomb::Choice>(found - std::begin(kChoices));
}

}  // namespace scree
