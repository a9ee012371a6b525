#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// Purely inelastic contact whose percussion dissipates most [Preclik18, Eq. 3 and 5]:
///
///     r = argmin ½ rᵀWr + rᵀq   over   |r_t| ≤ μ r_n,  u_n = 0,      and r = 0 where q_n > 0
///
/// The plane u_n = 0 (of maximum compression) cuts the cone in a convex set, so the solution is unique.
struct MaxDissipation {
  static constexpr bool coulomb_for_spheres = true;

  double mu;  ///< friction coefficient [-], ≥ 0; checked when the model is built

  /// The structogram of [Preclik18, Fig. 5] with q = −b; for q_n = 0 both rays are tried (their Eq. 9 can take the worse one).
  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;

  Vec3 project(const Vec3& r) const noexcept { return project_on_cone(r, mu); }

  /// |r − r*| / ρ, r* the law's own answer to q = u − W r: the law has no map without its W.
  double residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept;

  ContactClass classify(const Vec3& r) const noexcept { return classify_on_cone(r, mu); }

  bool operator==(const MaxDissipation&) const = default;
};
static_assert(ContactLaw<MaxDissipation>);

}  // namespace scree
