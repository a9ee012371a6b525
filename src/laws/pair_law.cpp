#include "scree/laws/pair_law.hpp"

namespace scree {

std::string_view name(LawKind kind) {
  switch (kind) {
    case LawKind::frictionless:
      return "frictionless";
    case LawKind::coulomb:
      return "coulomb";
    case LawKind::max_dissipation:
      return "max_dissipation";
    case LawKind::cone_complementarity:
      return "cone_complementarity";
    case LawKind::polyhedral:
      return "polyhedral";
  }
  return "";
}

std::optional<LawKind> law_named(std::string_view text) {
  for (const LawKind kind : kLawKinds)
    if (name(kind) == text) return kind;
  return {};
}

AnyLaw law_of(const PairLaw& pair) {
  switch (pair.kind) {
    case LawKind::frictionless:
      return Frictionless{};
    case LawKind::coulomb:
      return Coulomb{pair.friction};
    case LawKind::max_dissipation:
      return MaxDissipation{pair.friction};
    case LawKind::cone_complementarity:
      return ConeComplementarity{pair.friction};
    case LawKind::polyhedral:
      return Polyhedral{pair.friction, pair.facets};
  }
  return Frictionless{};
}

bool coulomb_for_spheres(const PairLaw& pair) {
  return std::visit([](const auto& law) { return law.coulomb_for_spheres; }, law_of(pair));
}

}  // namespace scree
