#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// Unilateral contact without friction: 0 ≤ u_n ⊥ r_n ≥ 0, r_t = 0 (Signorini's condition on
/// velocities [Preclik18, Fig. 1]).
struct Frictionless {
  static constexpr LawTraits traits{.name = "frictionless",
                                    .cone = Cone::half_line,
                                    .rule = Rule::complementarity,
                                    .unilateral = true,
                                    .coulomb_for_spheres = true};  // with μ = 0

  template <class Parameters>
  static Frictionless of(const Parameters&) {
    return {};
  }

  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
    r = {std::max(0.0, -q.x / W.xx), 0, 0};
    const bool sound = W.xx > 0 && std::isfinite(W.xx) && is_finite(q) && std::isfinite(r.x);
    return sound ? LocalStatus::solved : (r = {}, LocalStatus::ill_posed);
  }
  Vec3 project(const Vec3& r) const noexcept { return {std::max(0.0, r.x), 0, 0}; }
  Vec3 residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
    return natural_map(*this, W, u, r);
  }
  Vec3 complementary_velocity(const Vec3& u) const noexcept { return u; }
  double parting_speed(const Vec3&) const noexcept { return 0; }
  ContactClass classify(const Vec3& r) const noexcept {
    return r.x > 0 ? ContactClass::sliding : ContactClass::separating;
  }

  bool operator==(const Frictionless&) const = default;
};
static_assert(ContactLaw<Frictionless>);

}  // namespace scree
