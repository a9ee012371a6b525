/// Laws and parameters of pairs of materials.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scree/core/ids.hpp"
#include "scree/laws/law_list.hpp"

namespace scree {

inline constexpr std::size_t kRigidLawCount = std::variant_size_v<AnyLaw>;
inline constexpr auto kLawKinds = [] {
  std::array<LawKind, kRigidLawCount + std::variant_size_v<AnyCompliantLaw>> kinds{};
  for (std::size_t k = 0; k < kinds.size(); ++k) kinds[k] = static_cast<LawKind>(k);
  return kinds;
}();
/// Rigid laws, which solvers solve.
inline constexpr std::span<const LawKind> kRigidLawKinds =
    std::span(kLawKinds).first(kRigidLawCount);

const LawTraits& traits(LawKind kind);
inline std::string_view name(LawKind kind) { return traits(kind).name; }
std::optional<LawKind> law_named(std::string_view name);

struct PairLaw {
  LawKind kind = LawKind::frictionless;
  double friction = 0;     ///< coefficient μ [-], ≥ 0; unused by laws without friction
  double restitution = 0;  ///< Newton's coefficient e [-], in [0, 1]
  int facets = 8;  ///< number of facets of the friction cone, in [4, 64]; only for faceted cones
  /// Lengths ℓ_r and ℓ_s [m] ≥ 0: the normal force times them bounds the friction torque about the
  /// tangents (rolling) and about the normal (spinning)
  double rolling_friction = 0, spinning_friction = 0;
  double cohesion = 0;      ///< F_c, attraction of pairs that touch [N], ≥ 0
  double adhesion = 0;      ///< work of adhesion w [J/m²] ≥ 0; used by hertz_mindlin
  ForceParameters force{};  ///< for compliant laws
  /// Solution that coulomb takes where it has several
  Coulomb::Choice choice = Coulomb::Choice::dissipation;
  bool collides = true;  ///< set by each step; used by impact_dissipation
};

/// Law object of a rigid law.
AnyLaw law_of(const PairLaw& pair);
/// Force kind of a compliant law.
ForceKind force_kind(LawKind kind);
inline bool is_compliant(const PairLaw& pair) { return traits(pair.kind).compliant; }
/// True if rigid contacts have rolling rows.
inline bool resists_rolling(const PairLaw& pair) {
  return !is_compliant(pair) && (pair.rolling_friction > 0 || pair.spinning_friction > 0);
}
/// True if rigid contacts have cohesion.
inline bool is_cohesive(const PairLaw& pair) { return !is_compliant(pair) && pair.cohesion > 0; }
/// True if contacts between spheres use the kernels made for Coulomb's law, which have no rolling
/// rows.
inline bool is_coulombs_for_spheres(const PairLaw& pair) {
  return traits(pair.kind).coulomb_for_spheres && !resists_rolling(pair);
}
/// Friction coefficient, or 0 for a law without friction.
inline double friction_of(const PairLaw& pair) {
  return traits(pair.kind).has_friction() ? pair.friction : 0;
}

/// Table of laws for every pair of materials; symmetric.
class LawTable {
 public:
  explicit LawTable(std::size_t material_count = 0, PairLaw everywhere = {})
      : count_(material_count), laws_(material_count * material_count, everywhere) {}

  void assign(MaterialId a, MaterialId b, const PairLaw& law) {
    laws_[a * count_ + b] = laws_[b * count_ + a] = law;
  }
  const PairLaw& operator()(MaterialId a, MaterialId b) const { return laws_[a * count_ + b]; }
  std::size_t material_count() const { return count_; }
  const std::vector<PairLaw>& all() const { return laws_; }

 private:
  std::size_t count_;
  std::vector<PairLaw> laws_;
};

}  // namespace scree
