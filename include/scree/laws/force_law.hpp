/// Compliant contact laws: the force of a contact as a function of its overlap, its motion and what
/// it remembers. Nothing is solved; the forces of a step follow from the bodies as they stand.
///
/// Letters as for rigid laws: from body A to body B, forces as they act on B. The normal force is
/// F_n = F_e + F_d − F_c, with an elastic part, a dashpot and constant cohesion; the tangential one
/// is a spring S and a dashpot D, |S + D| ≤ μ (F_e + F_d); the moment M is a spring with a dashpot
/// as well, its rolling part bounded by ℓ_r, its spinning part by ℓ_s times F_e + F_d.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "scree/math/vec3.hpp"

namespace scree {

/// How the elastic force of a contact depends on its overlap δ.
enum class ForceKind : std::uint8_t {
  linear,         ///< F_e = k_n δ, and a shear spring of stiffness k_t: cundall_strack
  hertz_mindlin,  ///< F_e = k_n √R* δ^{3/2}, and a shear spring of stiffness k_t √(R* δ)
  /// F_e = k_n δ; dashpots that resist the approach and, up to friction, the slip; nothing is
  /// remembered [Preclik11, Eq. 22]
  spring_dashpot,
};

/// How the stored forces of a contact follow the motion of its bodies.
enum class RotationScheme : std::uint8_t {
  /// Exact rotations, and ways of the middle of the step: objective under any rigid motion of the
  /// pair
  exact,
  /// First order in the turn of a step, as Yade 2023.02 has it [Chareyre, notes 2 and 3]
  first_order,
};

/// Where the material points lie whose relative motion shears a contact.
enum class BranchVectors : std::uint8_t {
  /// A radius from the centres, whatever the overlap: cycles that come back leave no force
  ratcheting_free,
  contact_point,  ///< at the contact point, in the middle of the overlap
};

/// Parameters of compliant laws; each law uses some of them. The lengths of rolling and spinning
/// friction and the force of cohesion stand in PairLaw, since rigid laws have them, too.
struct ForceParameters {
  /// Normal and tangential stiffness: [N/m], of hertz_mindlin [Pa]. For that law, unset, from the
  /// moduli of the materials: k_n = 4/3 E*, k_t = 8 G*.
  double k_n = 0, k_t = 0;
  /// Of the normal dashpot [N s/m]; unset: from the coefficient of restitution
  std::optional<double> normal_damping;
  /// Of the tangential dashpot [N s/m] ≥ 0; unset: damping_ratio times that of the normal one
  std::optional<double> tangential_damping;
  double damping_ratio = 0;  ///< [-] ≥ 0
  /// Whether the dashpot may pull bodies together at the end of an impact; else F_e + F_d ≥ 0
  bool attraction = false;
  /// Of the moment [N m] ≥ 0; unset: those of two springs k_n/2 at the distances ±ℓ from the middle
  /// of the contact, k_n ℓ²: one of them has no force left when the moment is ℓ F
  std::optional<double> rolling_stiffness, spinning_stiffness;
  /// Of the moment's dashpots over the critical damping [-] ≥ 0
  double rolling_damping = 0.3;
  RotationScheme rotations = RotationScheme::exact;
  BranchVectors branch = BranchVectors::ratcheting_free;

  bool operator==(const ForceParameters&) const = default;
};

/// Elastic moduli of a material; rigid where E is infinite.
struct ElasticModuli {
  double young = std::numeric_limits<double>::infinity();  ///< E [Pa] > 0
  double poisson = 0.25;                                   ///< ν [-], in (−1, 0.5]
  bool operator==(const ElasticModuli&) const = default;
};

/// E* and G* of two materials in touch [Pa]: 1/E* = Σ (1 − ν²)/E, 1/G* = Σ (2 − ν)/G with
/// G = E/(2 (1 + ν)). Both are infinite between rigid ones.
struct ContactModuli {
  double young, shear;
};
ContactModuli contact_moduli(const ElasticModuli& a, const ElasticModuli& b);

/// The part β of critical damping with which an impact on a linear spring leaves `restitution`, in
/// [0, 1], of its speed: the inverse of restitution_of. No contact leaves 0: that is taken for
/// 1e-6.
double critical_damping_fraction(double restitution, bool attraction);

/// What an impact on a linear spring with the part β ≥ 0 of critical damping leaves of its speed;
/// of one on a Hertz spring with the dashpot √5 β √(m k_n √R*) δ^{1/4}, too. Without attraction the
/// contact ends when its force does, e = exp(−2 β arccos β / √(1 − β²)), continued beyond β = 1;
/// with it when the overlap is gone, e = exp(−π β / √(1 − β²)), 0 from β = 1 on. Derived in
/// docs/theory/compliant_laws.md.
double restitution_of(double beta, bool attraction);

/// What a contact with a compliant law remembers from step to step. Of spring_dashpot nothing
/// counts.
struct ForceMemory {
  Vec3 shear;          ///< S on B, inertial frame [N]
  Vec3 normal;         ///< from A to B when S was computed; zero: there was no contact
  double overlap = 0;  ///< then [m]
  double closing = 0;  ///< −u_n in the step that led there [m/s]

  bool is_contact() const { return normal != Vec3{}; }
  bool operator==(const ForceMemory&) const = default;
};
static_assert(sizeof(ForceMemory) == 64);

/// What the springs of a pair may hold whose points may jump.
struct ForceHeld {
  /// That pressing the bodies together has put in, of all points together; < 0: not counted [J]
  double energy = -1;
  double elastic = 0;  ///< F_e of this point [N]

  bool is_counted() const { return energy >= 0; }

  bool operator==(const ForceHeld&) const = default;
};

}  // namespace scree
