/// Compliant contact laws: the force of a contact is a function of its overlap, its motion and its
/// memory. Nothing is solved; the forces of a step follow from the current state of the bodies.
///
/// Signs as for rigid laws: from body A to body B, forces act on B. The normal force is F_n = F_e +
/// F_d − F_c: elastic force, dashpot and constant cohesion. The tangential force is a spring S and
/// a dashpot D, |S + D| ≤ μ (F_e + F_d). The moment M is a spring with a dashpot; F_e + F_d times
/// ℓ_r bounds its rolling component, times ℓ_s its spinning component.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "scree/math/vec3.hpp"

namespace scree {

/// Dependence of the elastic force on the overlap δ.
enum class ForceKind : std::uint8_t {
  linear,         ///< F_e = k_n δ, and a shear spring of stiffness k_t: cundall_strack
  hertz_mindlin,  ///< F_e = k_n √R* δ^{3/2}, and a shear spring of stiffness k_t √(R* δ)
  /// F_e = k_n δ; dashpots resist the approach and, up to friction, the slip; no memory [Preclik11,
  /// Eq. 22]
  spring_dashpot,
};

/// Scheme by which stored forces of a contact rotate with its bodies.
enum class RotationScheme : std::uint8_t {
  /// Exact rotations and mid-step displacements: objective under any rigid motion of the pair
  exact,
  /// First order in the rotation of a step, as in Yade 2023.02 [Chareyre, notes 2 and 3]
  first_order,
};

/// Points whose relative motion shears a contact.
enum class BranchVectors : std::uint8_t {
  /// One radius from the centres, for any overlap: closed cycles leave no force
  ratcheting_free,
  contact_point,  ///< contact point, in the middle of the overlap
};

/// Parameters of compliant laws; each law uses some of them. Rolling and spinning lengths and
/// cohesion are in PairLaw, since rigid laws have them, too.
struct ForceParameters {
  /// Normal and tangential stiffness [N/m]; for hertz_mindlin [Pa]. If hertz_mindlin has none, they
  /// follow from the moduli of the materials: k_n = 4/3 E*, k_t = 8 G*.
  double k_n = 0, k_t = 0;
  /// Damping of the normal dashpot [N s/m]; unset: from the coefficient of restitution
  std::optional<double> normal_damping;
  /// Damping of the tangential dashpot [N s/m] ≥ 0; unset: damping_ratio times the normal damping
  std::optional<double> tangential_damping;
  double damping_ratio = 0;  ///< [-] ≥ 0
  /// True if the dashpot may pull bodies together at the end of an impact; else F_e + F_d ≥ 0
  bool attraction = false;
  /// Stiffness of the moment springs [N m] ≥ 0; unset: k_n ℓ², that of two springs k_n/2 at
  /// distances ±ℓ from the middle of the contact. One of the two is unloaded when the moment is ℓ F
  std::optional<double> rolling_stiffness, spinning_stiffness;
  /// Damping of the moment's dashpots over their critical damping [-] ≥ 0
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

/// Effective moduli E* and G* of two materials in contact [Pa]: 1/E* = Σ (1 − ν²)/E, 1/G* = Σ (2 −
/// ν)/G with G = E/(2 (1 + ν)). Both are infinite for two rigid materials.
struct ContactModuli {
  double young, shear;
};
ContactModuli contact_moduli(const ElasticModuli& a, const ElasticModuli& b);

/// Fraction β of critical damping for which an impact on a linear spring has the coefficient
/// `restitution`, in [0, 1]: the inverse of restitution_of. A restitution of 0 counts as 1e-6.
double critical_damping_fraction(double restitution, bool attraction);

/// Coefficient of restitution of an impact on a linear spring with the fraction β ≥ 0 of critical
/// damping. It also holds for a Hertz spring with the dashpot √5 β √(m k_n √R*) δ^{1/4}. Without
/// attraction the contact ends when its force vanishes: e = exp(−2 β arccos β / √(1 − β²)),
/// continued beyond β = 1. With attraction it ends when the overlap vanishes: e = exp(−π β / √(1 −
/// β²)), 0 from β = 1 on. Derived in docs/theory/compliant_laws.md.
double restitution_of(double beta, bool attraction);

/// Memory of a compliant contact between steps; unused by spring_dashpot.
struct ForceMemory {
  Vec3 shear;          ///< S on B, inertial frame [N]
  Vec3 normal;         ///< from A to B when S was computed; zero if there was no contact
  double overlap = 0;  ///< overlap at that time [m]
  double closing = 0;  ///< −u_n in the step before [m/s]

  bool is_contact() const { return normal != Vec3{}; }
  bool operator==(const ForceMemory&) const = default;
};
static_assert(sizeof(ForceMemory) == 64);

/// Elastic energy of a pair whose contact points may jump.
struct ForceHeld {
  /// Energy put in by compressing the bodies, of all points together; < 0: not counted [J]
  double energy = -1;
  double elastic = 0;  ///< F_e of this point [N]

  bool is_counted() const { return energy >= 0; }

  bool operator==(const ForceHeld&) const = default;
};

}  // namespace scree
