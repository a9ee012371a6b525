#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// Purely inelastic contact whose impulse dissipates most [Preclik18, Eq. 3 and 5]:
///
///     r = argmin ½ rᵀWr + rᵀq   over   |r_t| ≤ μ r_n,  u_n = 0,      and r = 0 where q_n > 0
///
/// The plane u_n = 0 (of maximum compression) cuts the cone in a convex set, so the solution is
/// unique.
struct MaxDissipation {
  static constexpr LawTraits traits{.name = "max_dissipation",
                                    .cone = Cone::circular,
                                    .unilateral = true,
                                    .coulomb_for_spheres = true};

  double mu;  ///< friction coefficient [-], ≥ 0; checked when the model is built

  template <class Parameters>
  static MaxDissipation of(const Parameters& p) {
    return {p.friction};
  }

  /// Distinguishes the cases of [Preclik18, Fig. 5] with q = −b. Sliding: Halley's method from the
  /// warm start, then a bisection that always converges; if rounding spoils that, the roots of the
  /// quartic.
  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;

  Vec3 project(const Vec3& r) const noexcept { return project_on_cone(r, mu); }

  /// |W (r − r*)| with r* the law's solution for q = u − W r: the law has no natural map without W.
  /// As a difference of velocities it stays small where W is ill-conditioned and the digits of r
  /// are uncertain.
  Vec3 residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept;

  /// u_n n: the slip need not oppose friction.
  Vec3 complementary_velocity(const Vec3& u) const noexcept { return {u.x, 0, 0}; }
  double parting_speed(const Vec3&) const noexcept { return 0; }

  ContactClass classify(const Vec3& r) const noexcept { return classify_on_cone(r, mu); }

  bool operator==(const MaxDissipation&) const = default;

 private:
  LocalStatus solve_moderate(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;
};
static_assert(ContactLaw<MaxDissipation>);

}  // namespace scree
