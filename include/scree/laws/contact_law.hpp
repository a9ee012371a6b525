/// Contact laws: the concept and its traits, for one contact with u = W r + q in the frame (n, t1,
/// t2) from body A to body B.
///
///   u  velocity of B relative to A at the contact  [m/s]   u_n > 0 separates
///   r  impulse of A on B                        [N s]   r_n ≥ 0 repels
///   W  diagonal Delassus block                     [1/kg]  symmetric positive definite
///   q  u at r = 0, gap term included               [m/s]
///
/// A Vec3 in this frame has its normal component in x and its tangential components in y and z.
///
/// To add a law, write a value type that satisfies ContactLaw in a file of its own, and add its
/// line to law_list.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>

#include "scree/math/sym_mat3.hpp"

namespace scree {

enum class LocalStatus : std::uint8_t {
  solved,  ///< r satisfies the law to rounding
  /// W is so ill-conditioned that rounding makes r violate the law by more than kInexact |q|
  inexact,
  no_solution,  ///< none was found; r is the solution of max_dissipation
  /// W is not positive definite, an input is not finite, or r would not be; r is set to zero
  ill_posed,
};

/// Violation of a law, relative to |q|, above which a solution counts as inexact [-].
inline constexpr double kInexact = 1e-6;

enum class ContactClass : std::uint8_t { separating, sticking, sliding };

inline const char* name(ContactClass kind) {
  switch (kind) {
    case ContactClass::separating:
      return "separating";
    case ContactClass::sticking:
      return "sticking";
    case ContactClass::sliding:
      return "sliding";
  }
  return "";
}

/// Set K of a law's admissible impulses.
enum class Cone : std::uint8_t {
  other,      ///< unknown to the methods
  half_line,  ///< r_n ≥ 0, r_t = 0
  circular,   ///< |r_t| ≤ μ r_n, with μ the member `mu` of the law
  /// R_t ∈ μ r_n P, with P the regular polygon of `facets` corners; members `mu` and `facets` of
  /// the law
  faceted,
};

/// Relation between velocity and impulse.
enum class Rule : std::uint8_t {
  own,              ///< defined only by the law's solve() and residual()
  complementarity,  ///< K* ∋ u ⊥ r ∈ K
  /// K* ∋ û ⊥ r ∈ K with û = u + n max{−p·u : p the friction of r_n = 1}: Coulomb's law on the cone
  /// K [DeSaxceFeng98]
  de_saxce,
};

/// Properties of a law that methods and stages query. The defaults claim nothing, so methods refuse
/// whatever a law does not declare.
struct LawTraits {
  std::string_view name;  ///< in scenes, files, messages and on the command line
  Cone cone = Cone::other;
  Rule rule = Rule::own;
  /// True if a contact that slides separates: its gaps are part of the law, and none is ignored.
  bool separates_by_sliding = false;
  /// True if u_n ≥ 0 and r_n ≥ 0 hold for every solution: proofs that a problem is infeasible rely
  /// on it.
  bool unilateral = false;
  /// True if the law equals Coulomb's where W = diag(W_n, W_t, W_t), as between spheres. Such
  /// contacts use special kernels, and solve() handles the others; otherwise all contacts of the
  /// law go through solve().
  bool coulomb_for_spheres = false;
  /// True if the law computes forces from overlaps, which no solver has to find. Of the traits
  /// above, only the cone matters then: it shows whether there is friction.
  bool compliant = false;

  constexpr bool has_friction() const { return cone == Cone::circular || cone == Cone::faceted; }
  constexpr bool has_facets() const { return cone == Cone::faceted; }
  /// True if a solution is a projection onto a circular cone or a half-line: first-order and
  /// interior point methods know nothing else of a law.
  constexpr bool is_projection_on_round_cone() const {
    return rule != Rule::own && (cone == Cone::half_line || cone == Cone::circular);
  }
  /// True if the law becomes a linear complementarity problem once its cone is cut into facets.
  constexpr bool is_linear_on_facets() const {
    return cone == Cone::half_line ? rule != Rule::own : rule == Rule::de_saxce;
  }
};

template <class Law>
concept ContactLaw = std::equality_comparable<Law> &&
    requires(const Law law, const SymMat3& W, const Vec3& q, const Vec3& u, const Vec3& r,
             Vec3& out) {
  /// Solves for r; `out` is the warm start on entry. Never throws.
  { law.solve(W, q, out) }
  noexcept->std::same_as<LocalStatus>;
  /// Nearest admissible impulse [N s].
  { law.project(r) }
  noexcept->std::same_as<Vec3>;
  /// Residual (e_n, e_t), zero iff (u, r) satisfies the law [m/s]. For most laws a natural map over
  /// its step ρ = 3 / trace W, which makes it independent of scale. contact_residual() is its size.
  { law.residual(W, u, r) }
  noexcept->std::same_as<Vec3>;
  { law.classify(r) }
  noexcept->std::same_as<ContactClass>;
  /// û, which must be orthogonal to r [m/s]: u, shifted if the law requires it, without components
  /// that the law leaves free.
  { law.complementary_velocity(u) }
  noexcept->std::same_as<Vec3>;
  /// Smallest u_n for which r = 0 satisfies the law, given the slip of q [m/s]; a step must solve
  /// contacts below it.
  { law.parting_speed(q) }
  noexcept->std::same_as<double>;
  { Law::traits } -> std::convertible_to<LawTraits>;
};

/// Friction coefficient of a law that has one, else 0 [-].
template <class Law>
double friction_coefficient(const Law& law) {
  if constexpr (requires { law.mu; })
    return law.mu;
  else
    return 0;
}

/// Factor on the tangential part of a residual whose impulse is bounded by μ r_n: 1 / min(μ, 1)
/// [-]. An error of friction counts by the fraction of friction that is wrong, like one of r_n. If
/// μ = 0 there is none.
inline double tangential_weight(double mu) { return mu > 0 ? 1 / std::min(mu, 1.0) : 1; }

/// sqrt(e_n² + (w |e_t|)²) of a law's residual, w its tangential weight [m/s].
template <class Law>
double contact_residual(const Law& law, const SymMat3& W, const Vec3& u, const Vec3& r) {
  const Vec3 e = law.residual(W, u, r);
  const double w = tangential_weight(friction_coefficient(law));
  return norm(Vec3{e.x, w * e.y, w * e.z});
}

/// Speed that a contact must undo, given q, the velocity without impulses [m/s]: by how much q_n is
/// below the parting speed; negative if r = 0 obeys the law. It is free of slip that the law
/// allows. A law that acts whatever q is undoes all of it.
template <class Law>
double closing_speed(const Law& law, const Vec3& q) {
  const double parting = law.parting_speed(q);
  return std::isfinite(parting) ? parting - q.x : norm(q);
}

/// E(r) = ½ rᵀWr + rᵀq [J]: change of the bodies' kinetic energy by r, with q the velocity before
/// it.
inline double energy(const SymMat3& W, const Vec3& q, const Vec3& r) {
  return 0.5 * dot(r, W * r) + dot(r, q);
}

/// Energy that the contact takes from the bodies [J], equal to −E, with u the velocity after the
/// impulse. The same formula holds for every law.
inline double dissipation(const SymMat3& W, const Vec3& u, const Vec3& r) {
  return 0.5 * dot(r, W * r) - dot(r, u);
}

/// Painlevé number μ |(W_nt1, W_nt2)| / W_nn [-]. From 1 on the plane u_n = 0 cuts the cone in an
/// unbounded curve. Friction can then pull the bodies together, and Coulomb's law may have a
/// solution although they separate by themselves. Infinite if W_nn = 0.
inline double painleve_number(const SymMat3& W, double mu) {
  const double coupling = mu * std::hypot(W.xy, W.xz);
  return coupling == 0 ? 0 : coupling / W.xx;
}

/// Step of the natural map for a block [kg]: ρ = 3 / trace W, as in the FCLIB residual E_s.
inline double natural_map_step(const SymMat3& W) { return 3 / W.trace(); }

/// Natural map (r − P(r − ρ v)) / ρ with the law's projection P [m/s]: zero iff v and r are
/// complementary.
template <class Law>
Vec3 natural_map(const Law& law, const SymMat3& W, const Vec3& v, const Vec3& r) {
  const double rho = natural_map_step(W);
  return (1 / rho) * (r - law.project(r - rho * v));
}

/// Length of the tangential part.
inline double tangential_norm(const Vec3& v) { return std::hypot(v.y, v.z); }

/// Euclidean projection onto the cone |r_t| ≤ μ r_n.
inline Vec3 project_on_cone(const Vec3& r, double mu) {
  const double t = tangential_norm(r);
  if (r.x >= 0 && t <= mu * r.x) return r;  // the first condition matters where μ = 0
  if (mu * t <= -r.x) return {};
  const double normal = (r.x + mu * t) / (1 + mu * mu);
  const double scale = mu * normal / t;
  return {normal, scale * r.y, scale * r.z};
}

/// Class of an impulse: loaded contacts within 1e-9 of the cone's surface count as sliding.
inline ContactClass classify_on_cone(const Vec3& r, double mu) {
  if (!(r.x > 0)) return ContactClass::separating;
  return tangential_norm(r) >= (1 - 1e-9) * mu * r.x ? ContactClass::sliding
                                                     : ContactClass::sticking;
}

}  // namespace scree
