/// What impacts that happen together leave of velocities.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scree {

/// The coefficient e is the pair's. docs/theory/impacts.md derives the three.
enum class ImpactLaw : std::uint8_t {
  /// A pair that hits parts with e times the speed that it came with; what is hit through others
  /// does not rebound. A bias in the solve, at no cost.
  newton,
  /// Each contact gives back e times the normal impulse that compression took, whatever brought
  /// it about. Costs further solves in steps in which something hits. Contacts of unequal e can
  /// make energy together; Report::energy_created tells.
  poisson,
  /// The same, held back where expansion would do more work than Σ e² times the work of
  /// compression, over contacts that are connected: no set of them makes energy.
  energetic,
};
inline constexpr std::array kImpactLaws{ImpactLaw::newton, ImpactLaw::poisson,
                                        ImpactLaw::energetic};

/// The name in scenes.
std::string_view name(ImpactLaw law);
std::optional<ImpactLaw> impact_law_named(std::string_view name);

}  // namespace scree
