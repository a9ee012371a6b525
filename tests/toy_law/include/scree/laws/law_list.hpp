/// Stands in for the engine's list of laws, with one law more: what who adds a law has to write
/// there.
#pragma once

#include <cstdint>
#include <variant>

#include "scree/laws/compliant_laws.hpp"
#include "scree/laws/cone_complementarity.hpp"
#include "scree/laws/coulomb.hpp"
#include "scree/laws/frictionless.hpp"
#include "scree/laws/glue.hpp"
#include "scree/laws/max_dissipation.hpp"
#include "scree/laws/polyhedral.hpp"

namespace scree {

enum class LawKind : std::uint8_t {
  frictionless,  ///< 0 ≤ u_n ⊥ r_n ≥ 0
  /// Signorini and Coulomb, exact cone: friction opposes the slip after the step
  coulomb,
  max_dissipation,       ///< the impulse of the cone that dissipates most [Preclik18, Eq. 5]
  cone_complementarity,  ///< the convex relaxation of Coulomb's law [Negrut18, Eq. 7]
  polyhedral,            ///< as coulomb, with a cone of flat facets [Preclik11, §3–4]
  glue,                  ///< u_n = 0, r_t = 0

  // Compliant ones, after all rigid ones.
  cundall_strack,  ///< linear springs, the shear spring incremental [Chareyre]
  hertz_mindlin,   ///< springs of elastic spheres
  spring_dashpot,  ///< [Preclik11, Eq. 22]
};

/// All rigid laws, visited once per bucket of contacts, never per contact.
using AnyLaw =
    std::variant<Frictionless, Coulomb, MaxDissipation, ConeComplementarity, Polyhedral, Glue>;

/// All compliant laws.
using AnyCompliantLaw = std::variant<CundallStrack, HertzMindlin, SpringDashpot>;

}  // namespace scree
