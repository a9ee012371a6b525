#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// Maximum dissipation where a contact collides, Coulomb's law where it slides on. Our own: the
/// law of [Preclik18, Eq. 5] does not tend to Coulomb's law where a contact slides and W couples,
/// and Coulomb's law can have several solutions at an impact. See docs/theory/consistency.md.
struct ImpactDissipation {
  static constexpr LawTraits traits{.name = "impact_dissipation",
                                    .cone = Cone::circular,
                                    .unilateral = true,
                                    .coulomb_for_spheres = true};

  double mu;  ///< friction coefficient [-], ≥ 0; checked when the model is built
  /// True if the bodies meet in this step, and approached each other before its loads faster than
  /// StepSettings::restitution_threshold
  bool collides = true;

  template <class Parameters>
  static ImpactDissipation of(const Parameters& p) {
    return {p.friction, p.collides};
  }

  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;

  Vec3 project(const Vec3& r) const noexcept { return project_on_cone(r, mu); }

  /// That of the law that acts.
  Vec3 residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept;

  /// u_n n, as for max_dissipation.
  Vec3 complementary_velocity(const Vec3& u) const noexcept { return {u.x, 0, 0}; }
  double parting_speed(const Vec3&) const noexcept { return 0; }

  ContactClass classify(const Vec3& r) const noexcept { return classify_on_cone(r, mu); }

  /// True where max_dissipation acts, at an impact and at a shock: friction against the slip of q
  /// closes the contact at least as fast as its normal force opens it, so no force holds the bodies
  /// apart, W_nn + μ w·e ≤ 0. Elsewhere Coulomb's law does.
  bool maximises(const SymMat3& W, const Vec3& q) const noexcept;

  bool operator==(const ImpactDissipation&) const = default;
};
static_assert(ContactLaw<ImpactDissipation>);

}  // namespace scree
