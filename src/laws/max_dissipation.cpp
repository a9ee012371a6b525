#include "scree/laws/max_dissipation.hpp"

#include "laws/max_dissipation_solvers.hpp"
#include "laws/single_contact.hpp"

namespace scree {

LocalStatus MaxDissipation::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  return solve_scaled(W, q, r, [this](const SymMat3& w, const Vec3& v, Vec3& x) {
    return solve_moderate(w, v, x);
  });
}

LocalStatus MaxDissipation::solve_moderate(const SymMat3& W, const Vec3& q,
                                           Vec3& r) const noexcept {
  using max_dissipation::Slide;
  const sliding::Contact contact{W, q, mu};
  // Shortcut for a contact that keeps sliding, before W is factorised: an optimal impulse is the
  // solution.
  const double limit = mu * r.x;
  const bool slid = limit > 0 && r.y * r.y + r.z * r.z >= 0.999 * limit * limit;
  const bool nearly_parabolic = max_dissipation::is_nearly_parabolic(contact);
  if (slid && q.x < 0 && !nearly_parabolic && clearly_positive(W))
    if (const Slide slide = max_dissipation::near(contact, sliding::start(r, {})); slide.optimal) {
      r = slide.r;
      return LocalStatus::solved;
    }
  Vec3 inverse_q;
  if (!solve_positive_definite(W, q, inverse_q)) {
    r = {};
    return LocalStatus::ill_posed;
  }
  if (q.x > 0) {
    r = {};
    return LocalStatus::solved;
  }
  const Vec3 stick = -inverse_q;
  if (const auto status = solve_without_sliding(W, q, mu, stick, r)) return *status;
  if (q.x == 0) {
    r = max_dissipation::on_degenerate_conic(contact);
    return LocalStatus::solved;
  }

  Slide slide = nearly_parabolic ? max_dissipation::near_parabola(contact)
                                 : max_dissipation::near(contact, sliding::start({}, stick));
  if (!slide.optimal) slide = max_dissipation::by_bisection(contact, stick);
  if (!slide.optimal)
    if (const Slide other = max_dissipation::by_quartic(contact); other.optimal) slide = other;
  if (slide.optimal) {
    r = slide.r;
    return LocalStatus::solved;
  }
  r = slide.r.x > 0 ? slide.r : Vec3{-q.x / W.xx, 0, 0};
  return LocalStatus::inexact;
}

Vec3 MaxDissipation::residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
  Vec3 answer = r;
  solve(W, u - W * r, answer);
  return W * (r - answer);
}

}  // namespace scree
