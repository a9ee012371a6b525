/// Laws of simultaneous impacts: they set the velocities after the impacts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scree {

/// Three laws with the pair's coefficient e; docs/theory/impacts.md derives them.
enum class ImpactLaw : std::uint8_t {
  /// A pair separates with e times its approach speed; contacts hit through others do not rebound.
  /// It is a bias in the solve, at no cost.
  newton,
  /// Each contact returns e times the normal impulse of compression, whatever caused it. Steps with
  /// impacts need further solves. Contacts of unequal e can create energy together;
  /// the finding energy_created reports it.
  poisson,
  /// Poisson's law, with the expansion of connected contacts limited: it does at most Σ e² times
  /// the work of their compression. No set of contacts creates energy.
  energetic,
};
inline constexpr std::array kImpactLaws{ImpactLaw::newton, ImpactLaw::poisson,
                                        ImpactLaw::energetic};

/// Name in scenes.
std::string_view name(ImpactLaw law);
std::optional<ImpactLaw> impact_law_named(std::string_view name);

}  // namespace scree
