/// What a contact law is: one contact, u = W r + q, in the frame (n, t1, t2) from body A to body B.
///
///   u  velocity of B relative to A at the contact  [m/s]   u_n > 0 separates
///   r  impulse of A on B                        [N s]   r_n ≥ 0 repels
///   W  diagonal Delassus block                     [1/kg]  symmetric positive definite
///   q  u at r = 0, gap term included               [m/s]
///
/// A Vec3 in this frame has its normal component in x and its tangential ones in y and z.
///
/// To add a law: a value type that satisfies ContactLaw in a file of its own, and its line in
/// law_list.hpp.
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
  solved,  ///< r obeys the law to rounding
  /// W is so ill-conditioned that rounding leaves r off the law by more than kInexact |q|
  inexact,
  no_solution,  ///< none was found; r is max_dissipation's
  /// W is not positive definite, a number is not finite, or r would not be; r is zero
  ill_posed,
};

/// Violation of a law, over |q|, from which on an answer is called inexact [-].
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

/// The set K that a law's impulses lie in.
enum class Cone : std::uint8_t {
  other,      ///< none that a method knows
  half_line,  ///< r_n ≥ 0, r_t = 0
  circular,   ///< |r_t| ≤ μ r_n, with μ the law's member `mu`
  /// R_t ∈ μ r_n P, with P the regular polygon of `facets` corners, the law's members `mu` and
  /// `facets`
  faceted,
};

/// How velocity and impulse belong together.
enum class Rule : std::uint8_t {
  own,              ///< as the law's solve() and residual() say; nothing else is known of it
  complementarity,  ///< K* ∋ u ⊥ r ∈ K
  /// K* ∋ û ⊥ r ∈ K with û = u + n max{−p·u : p the friction of r_n = 1}: Coulomb's law on the cone
  /// K [DeSaxceFeng98]
  de_saxce,
};

/// What a law is, for methods and stages that ask before they take it. Whatever a law does not say
/// of itself is refused.
struct LawTraits {
  std::string_view name;  ///< in scenes, files, messages and on the command line
  Cone cone = Cone::other;
  Rule rule = Rule::own;
  /// Whether u_n ≥ 0 and r_n ≥ 0 hold for every answer: what an unsolvable problem is proved with.
  bool unilateral = false;
  /// Whether the law is Coulomb's where W = diag(W_n, W_t, W_t), as between spheres. Such contacts
  /// take the kernels made for that, and solve() is for the others; without it, all contacts of the
  /// law go through solve().
  bool coulomb_for_spheres = false;
  /// Whether it gives forces from overlaps, which no solver has to find; nothing of the above is
  /// asked of such a law but the cone, for whether it has friction.
  bool compliant = false;

  constexpr bool has_friction() const { return cone == Cone::circular || cone == Cone::faceted; }
  constexpr bool has_facets() const { return cone == Cone::faceted; }
  /// Whether an answer is a projection on a cone that is round: all that first-order and interior
  /// point methods know of a law.
  constexpr bool is_projection_on_round_cone() const {
    return rule != Rule::own && (cone == Cone::half_line || cone == Cone::circular);
  }
  /// Whether the law is a linear complementarity problem once its cone is cut into facets.
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
  /// The nearest admissible impulse [N s].
  { law.project(r) }
  noexcept->std::same_as<Vec3>;
  /// Zero iff (u, r) obeys the law [m/s]: for most laws a natural map divided by its step ρ = 3 /
  /// trace W, which makes it free of scale.
  { law.residual(W, u, r) }
  noexcept->std::same_as<double>;
  { law.classify(r) }
  noexcept->std::same_as<ContactClass>;
  /// û, that r is to be orthogonal to [m/s]: u, shifted where the law says so, without a part that
  /// the law leaves free.
  { law.complementary_velocity(u) }
  noexcept->std::same_as<Vec3>;
  /// The u_n from which on r = 0 obeys the law, for the slip of q [m/s]: contacts of less are those
  /// that a step has to solve.
  { law.parting_speed(q) }
  noexcept->std::same_as<double>;
  { Law::traits } -> std::convertible_to<LawTraits>;
};

/// μ of a law that has one, else 0 [-].
template <class Law>
double friction_coefficient(const Law& law) {
  if constexpr (requires { law.mu; })
    return law.mu;
  else
    return 0;
}

/// E(r) = ½ rᵀWr + rᵀq [J]: the change of the bodies' kinetic energy that r brings about, q the
/// velocity before it.
inline double energy(const SymMat3& W, const Vec3& q, const Vec3& r) {
  return 0.5 * dot(r, W * r) + dot(r, q);
}

/// Energy that the contact takes from the bodies, with u the velocity after the impulse [J]: −E.
/// The same for every law.
inline double dissipation(const SymMat3& W, const Vec3& u, const Vec3& r) {
  return 0.5 * dot(r, W * r) - dot(r, u);
}

/// μ |(W_nt1, W_nt2)| / W_nn [-]. At 1 and above the plane u_n = 0 cuts the cone in an unbounded
/// curve: friction can then pull the bodies together, and Coulomb's law may have a solution where
/// they separate by themselves (Painlevé). Infinite where W_nn = 0.
inline double painleve_number(const SymMat3& W, double mu) {
  const double coupling = mu * std::hypot(W.xy, W.xz);
  return coupling == 0 ? 0 : coupling / W.xx;
}

/// Step of the natural map for a block [kg]; ρ = 3 / trace W as in the FCLIB residual E_s.
inline double natural_map_step(const SymMat3& W) { return 3 / W.trace(); }

/// |r − P(r − ρ v)| / ρ, P the law's projection: zero where v and r are complementary [m/s].
template <class Law>
double natural_map(const Law& law, const SymMat3& W, const Vec3& v, const Vec3& r) {
  const double rho = natural_map_step(W);
  return norm(r - law.project(r - rho * v)) / rho;
}

/// Length of the tangential part.
inline double tangential_norm(const Vec3& v) { return std::hypot(v.y, v.z); }

/// Euclidean projection on the cone |r_t| ≤ μ r_n.
inline Vec3 project_on_cone(const Vec3& r, double mu) {
  const double t = tangential_norm(r);
  if (r.x >= 0 && t <= mu * r.x) return r;  // the first says something where μ = 0
  if (mu * t <= -r.x) return {};
  const double normal = (r.x + mu * t) / (1 + mu * mu);
  const double scale = mu * normal / t;
  return {normal, scale * r.y, scale * r.z};
}

/// Loaded contacts within 1e-9 of the cone's surface slide.
inline ContactClass classify_on_cone(const Vec3& r, double mu) {
  if (!(r.x > 0)) return ContactClass::separating;
  return tangential_norm(r) >= (1 - 1e-9) * mu * r.x ? ContactClass::sliding
                                                     : ContactClass::sticking;
}

}  // namespace scree
