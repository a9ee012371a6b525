/// Coulomb's law with a friction cone of flat facets.
#pragma once

#include "scree/laws/contact_solutions.hpp"

namespace scree {

/// Unilateral contact with a friction cone of flat facets [Preclik11, §3–4]: |r_t| ≤ μ r_n becomes
/// r_t ∈ μ r_n P. P is the regular polygon of `facets` corners *on* the unit circle, the first
/// along t1. Friction is the r_t in μ r_n P that dissipates most at the slip u_t after the step:
///
///     K*(μ) ∋ u + μ max_P(−p·u_t) n  ⊥  r ∈ K(μ) = { r_t ∈ μ r_n P }          (De Saxcé's form)
///
/// The cone is inscribed: friction lies between μ cos(π/facets) and μ, depending on direction.
/// Impulses converge to Coulomb's as 1/facets. For the circumscribed cone use μ / cos(π/facets).
/// The cone is anisotropic: results depend on the choice of tangents.
struct Polyhedral {
  static constexpr LawTraits traits{
      .name = "polyhedral", .cone = Cone::faceted, .rule = Rule::de_saxce, .unilateral = true};
  static constexpr int kFewestFacets = 4, kMaxFacets = 64;

  double mu;       ///< friction coefficient [-], ≥ 0; checked when the model is built
  int facets = 8;  ///< of the cone, in [4, 64]; checked when the model is built

  template <class Parameters>
  static Polyhedral of(const Parameters& p) {
    return {p.friction, p.facets};
  }

  /// Exact, by enumeration: friction is zero, inside the polygon (sticking), at a corner, or on an
  /// edge. Each of these 2 facets + 2 cases is a linear system of at most three unknowns. Selects
  /// among several solutions as Coulomb does by default.
  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;

  /// All impulses that satisfy the law, also where the bodies separate by themselves and friction
  /// jams them.
  ContactSolutions solve_all(const SymMat3& W, const Vec3& q) const noexcept;

  /// Nearest point of the cone.
  Vec3 project(const Vec3& r) const noexcept;

  /// |r − P_K(r − ρû)| / ρ.
  Vec3 residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
    return natural_map(*this, W, complementary_velocity(u), r);
  }

  /// u + μ max_P(−p·u_t) n.
  Vec3 complementary_velocity(const Vec3& u) const noexcept;
  double parting_speed(const Vec3&) const noexcept { return 0; }

  ContactClass classify(const Vec3& r) const noexcept;

  bool operator==(const Polyhedral&) const = default;

 private:
  LocalStatus solve_moderate(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;
  LocalStatus find_all(const SymMat3& W, const Vec3& q, ContactSolutions& found) const noexcept;
};
static_assert(ContactLaw<Polyhedral>);

}  // namespace scree
