/// How long steps may be for contacts with compliant laws.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scree/sim/model.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// How fast bodies may meet: an estimate from what a scene says, not a bound.
struct ImpactEstimate {
  /// Largest difference of velocities of bodies, at the start or entering [m/s]
  double meeting = 0;
  double drop = 0;  ///< largest height that a body can fall from [m]
  double fall = 0;  ///< speed after it, or after all of the run's time if that is less [m/s]
  double obstacles =
      0;  ///< speed of the fastest point of an obstacle, at any time of the run [m/s]

  /// All of them together; 1 m/s if nothing moves nor falls.
  double speed() const;
};
ImpactEstimate impact_estimate(const Model& model, const State& state, double until);

/// The largest angular velocity of an obstacle at the times of the run that are tried [rad/s].
double fastest_turn(const Model& model, const State& state, std::uint32_t obstacle, double until);

/// Steps in a contact time that a step is chosen by, and that a longer one is warned of.
inline constexpr double kStepsOfContact = 50;
/// Part of the stability limit from which on a step is refused.
inline constexpr double kStableFraction = 0.9;

struct ForceTimes {
  /// The shortest time that two bodies of the scene touch in an impact, without damping [s]. Of a
  /// Hertz spring it depends on how deep they get.
  double contact_time = 0;
  /// What that depth follows from, of a Hertz spring; none without one
  std::optional<ImpactEstimate> impact;
  /// The weight of a body presses the Hertz spring deeper than the impact does.
  bool by_weight = false;
  /// Steps from which on the leapfrog is unstable, for the lightest body with all the contacts that
  /// it can have at once, springs of all directions counted, and neighbours that move against it
  /// [s]
  double stability_limit = 0;
  /// Two materials and their law.
  struct Between {
    std::string first, second;
    LawKind law = LawKind::cundall_strack;
  };
  Between shortest;    ///< whose contact is the shortest
  Between min_stable;  ///< whose limit is the least

  /// Whether dashpots or many contacts ask for a shorter step than an impact does.
  bool is_by_stability() const { return stability_limit / 2 < contact_time / kStepsOfContact; }
  /// A step that follows contacts well, and is stable [s].
  double advised_step() const {
    return is_by_stability() ? stability_limit / 2 : contact_time / kStepsOfContact;
  }
};

/// Nothing if no pair of bodies, or of a body and an obstacle, has a compliant law. `until` is the
/// simulated time at the end [s].
std::optional<ForceTimes> force_times(const Model& model, const State& state, double until);

/// How long a step is for compliant contacts as they stand: the stiffness of a Hertz spring grows
/// with its overlap.
struct StepFit {
  static constexpr double kFewestSteps = 20;  ///< in a contact time; fewer are told of

  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  /// Of the pair whose contact is the shortest: h over the time of an impact as deep [-]; 0: there
  /// is none
  double of_contact = 0;
  BodyId a{}, b{};
  double depth = 0;  ///< its overlap [m]
  /// h over the longest step that is stable for the contacts of a body [-], and that body
  double of_stable = 0;
  BodyId body{};

  bool is_too_long() const { return of_contact * kFewestSteps > 1 || of_stable > kStableFraction; }
};
/// Of the contacts of the last step. Takes O(contacts).
StepFit step_fit(const Simulation& simulation);

}  // namespace scree
