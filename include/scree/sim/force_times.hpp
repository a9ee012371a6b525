/// How long steps may be for contacts with compliant laws.
#pragma once

#include <optional>
#include <string>

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

struct ForceTimes {
  /// The shortest time that two bodies of the scene touch in an impact, without damping [s]. Of a
  /// Hertz spring it depends on the speed, which is then that of the fastest body or part at the
  /// start, or of a fall through the height of the bodies, whichever is more.
  double contact_time = 0;
  double impact_speed = 0;  ///< that was taken [m/s]; 0 without a Hertz spring
  /// Steps from which on the leapfrog is unstable, for the lightest body with all the contacts that
  /// it can have at once, springs of all directions counted, and neighbours that move against it
  /// [s]
  double stability_limit = 0;
  std::string first, second;  ///< materials of the pair whose contact is the shortest
  LawKind law = LawKind::cundall_strack;
};

/// Nothing if no pair of bodies, or of a body and an obstacle, has a compliant law.
std::optional<ForceTimes> force_times(const Model& model, const State& state);

/// Steps in a contact time that a step is chosen by, and that a longer one is warned of.
inline constexpr double kStepsOfContact = 50;
/// Part of the stability limit from which on a step is refused.
inline constexpr double kStablePart = 0.9;

}  // namespace scree
