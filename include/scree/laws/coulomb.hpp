#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// Unilateral contact with Coulomb friction, exact cone, friction against the slip *after* the step [Preclik18, Fig. 1]:
///
///     K*(μ) ∋ u + μ |u_t| n  ⊥  r ∈ K(μ)            (De Saxcé's form)
struct Coulomb {
  static constexpr bool coulomb_for_spheres = true;

  double mu;  ///< friction coefficient [-], ≥ 0; checked when the model is built

  /// Where several percussions obey the law, takes r = 0 if it does, else the one that dissipates most.
  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;

  Vec3 project(const Vec3& r) const noexcept { return project_on_cone(r, mu); }

  /// |r − P_K(r − ρ (u + μ|u_t| n))| / ρ.
  double residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept;

  ContactClass classify(const Vec3& r) const noexcept { return classify_on_cone(r, mu); }

  bool operator==(const Coulomb&) const = default;
};
static_assert(ContactLaw<Coulomb>);

}  // namespace scree
