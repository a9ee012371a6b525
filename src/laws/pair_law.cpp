#include "scree/laws/pair_law.hpp"

#include <array>

namespace scree {

std::string_view name(LawKind kind) {
  constexpr std::array<std::string_view, 3> names{"frictionless", "coulomb", "max_dissipation"};
  return names[static_cast<std::size_t>(kind)];
}

AnyLaw law_of(const PairLaw& pair) {
  switch (pair.kind) {
    case LawKind::coulomb:
      return Coulomb{pair.friction};
    case LawKind::max_dissipation:
      return MaxDissipation{pair.friction};
    case LawKind::frictionless:
      break;
  }
  return Frictionless{};
}

}  // namespace scree
