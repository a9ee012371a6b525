/// Which law a pair of materials obeys, and its parameters.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/core/ids.hpp"
#include "scree/laws/cone_complementarity.hpp"
#include "scree/laws/coulomb.hpp"
#include "scree/laws/frictionless.hpp"
#include "scree/laws/max_dissipation.hpp"
#include "scree/laws/polyhedral.hpp"

namespace scree {

enum class LawKind : std::uint8_t {
  frictionless,          ///< 0 ≤ u_n ⊥ r_n ≥ 0
  coulomb,               ///< Signorini and Coulomb, exact cone: friction opposes the slip after the step
  max_dissipation,       ///< the percussion of the cone that dissipates most [Preclik18, Eq. 5]
  cone_complementarity,  ///< the convex relaxation of Coulomb's law [Negrut18, Eq. 7]
  polyhedral,            ///< as coulomb, with a cone of flat facets [Preclik11, §3–4]
};

inline constexpr std::array kLawKinds{LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation,
                                      LawKind::cone_complementarity, LawKind::polyhedral};

/// The name of a law in scenes, files, messages and on the command line.
std::string_view name(LawKind kind);
std::optional<LawKind> law_named(std::string_view name);

struct PairLaw {
  LawKind kind = LawKind::frictionless;
  double friction = 0;     ///< coefficient μ [-], ≥ 0; unused by frictionless
  double restitution = 0;  ///< Newton's coefficient e [-], in [0, 1]
  int facets = 8;          ///< of the friction cone, in [4, 64]; polyhedral only
};

/// All laws, visited once per bucket of contacts, never per contact.
using AnyLaw = std::variant<Frictionless, Coulomb, MaxDissipation, ConeComplementarity, Polyhedral>;
static_assert(std::variant_size_v<AnyLaw> == kLawKinds.size());
AnyLaw law_of(const PairLaw& pair);
bool coulomb_for_spheres(const PairLaw& pair);

/// The law of every pair of materials; symmetric.
class LawTable {
 public:
  explicit LawTable(std::size_t material_count = 0, PairLaw everywhere = {})
      : count_(material_count), laws_(material_count * material_count, everywhere) {}

  void assign(MaterialId a, MaterialId b, const PairLaw& law) { laws_[a * count_ + b] = laws_[b * count_ + a] = law; }
  const PairLaw& operator()(MaterialId a, MaterialId b) const { return laws_[a * count_ + b]; }
  std::size_t material_count() const { return count_; }
  const std::vector<PairLaw>& all() const { return laws_; }

 private:
  std::size_t count_;
  std::vector<PairLaw> laws_;
};

}  // namespace scree
