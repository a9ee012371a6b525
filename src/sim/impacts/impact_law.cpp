#include "scree/sim/impact_law.hpp"

#include <algorithm>

namespace scree {

std::string_view name(ImpactLaw law) {
  constexpr std::array<std::string_view, kImpactLaws.size()> kNames{"newton", "poisson",
                                                                    "energetic"};
  return kNames[static_cast<std::size_t>(law)];
}

std::optional<ImpactLaw> impact_law_named(std::string_view wanted) {
  const auto* const found =
      std::ranges::find_if(kImpactLaws, [&](ImpactLaw law) { return name(law) == wanted; });
  return found == kImpactLaws.end() ? std::nullopt : std::optional(*found);
}

}  // namespace scree
