/// List of all contact laws. To add one, give it a line in the enumeration and in the list of its
/// family (rigid or compliant), at the same position; its key in scenes goes into the schema, its
/// page into docs/guide/laws.md.
#pragma once

#include <cstdint>
#include <variant>

#include "scree/laws/compliant_laws.hpp"
#include "scree/laws/cone_complementarity.hpp"
#include "scree/laws/coulomb.hpp"
#include "scree/laws/frictionless.hpp"
#include "scree/laws/impact_dissipation.hpp"
#include "scree/laws/max_dissipation.hpp"
#include "scree/laws/polyhedral.hpp"

namespace scree {

enum class LawKind : std::uint8_t {
  frictionless,  ///< 0 ≤ u_n ⊥ r_n ≥ 0
  /// Signorini and Coulomb, exact cone: friction opposes the slip after the step
  coulomb,
  max_dissipation,       ///< impulse of the cone that dissipates most [Preclik18, Eq. 5]
  cone_complementarity,  ///< convex relaxation of Coulomb's law [Negrut18, Eq. 7]
  polyhedral,            ///< like coulomb, with a cone of flat facets [Preclik11, §3–4]
  impact_dissipation,    ///< max_dissipation at impacts, coulomb where a contact slides on

  // Compliant laws follow all rigid laws.
  cundall_strack,  ///< linear springs, with an incremental shear spring [Chareyre]
  hertz_mindlin,   ///< springs of elastic spheres
  spring_dashpot,  ///< [Preclik11, Eq. 22]
};

/// Rigid laws, visited once per bucket of contacts, never per contact.
using AnyLaw = std::variant<Frictionless, Coulomb, MaxDissipation, ConeComplementarity, Polyhedral,
                            ImpactDissipation>;

/// Compliant laws.
using AnyCompliantLaw = std::variant<CundallStrack, HertzMindlin, SpringDashpot>;

}  // namespace scree
