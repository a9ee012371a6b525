#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// Convex relaxation of Coulomb's law [Negrut18, Eq. 7 and 11]:
///
///     K*(μ) ∋ u  ⊥  r ∈ K(μ)            ⇔            r = argmin ½ rᵀWr + rᵀq  over  |r_t| ≤ μ r_n
///
/// The solution is unique, but a sliding contact lifts off: u_n = μ |u_t|.
struct ConeComplementarity {
  static constexpr LawTraits traits{.name = "cone_complementarity",
                                    .cone = Cone::circular,
                                    .rule = Rule::complementarity,
                                    .separates_by_sliding = true,
                                    .unilateral = true};

  double mu;  ///< friction coefficient [-], ≥ 0; checked when the model is built

  template <class Parameters>
  static ConeComplementarity of(const Parameters& p) {
    return {p.friction};
  }

  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;

  Vec3 project(const Vec3& r) const noexcept { return project_on_cone(r, mu); }

  /// |r − P_K(r − ρ u)| / ρ.
  Vec3 residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
    return natural_map(*this, W, u, r);
  }

  Vec3 complementary_velocity(const Vec3& u) const noexcept { return u; }
  /// Speed below which the contact acts: the relaxation acts on separating contacts, too, unless q
  /// lies in K*.
  double parting_speed(const Vec3& q) const noexcept { return mu * tangential_norm(q); }

  ContactClass classify(const Vec3& r) const noexcept { return classify_on_cone(r, mu); }

  bool operator==(const ConeComplementarity&) const = default;

 private:
  LocalStatus solve_moderate(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;
};
static_assert(ContactLaw<ConeComplementarity>);

}  // namespace scree
