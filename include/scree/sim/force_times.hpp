/// Time steps that contacts with compliant laws allow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scree/sim/model.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Estimate of the speed at which bodies meet, from the scene; no bound.
struct ImpactEstimate {
  /// Largest difference of velocities of bodies, at the start or entering [m/s]
  double meeting = 0;
  double drop = 0;  ///< largest height from which a body can fall [m]
  /// speed after this fall, or after the time of the run if that is shorter [m/s]
  double fall = 0;
  double obstacles =
      0;  ///< speed of the fastest point of an obstacle, at any time of the run [m/s]

  /// Sum of all of them; 1 m/s if nothing moves or falls.
  double speed() const;
};
ImpactEstimate impact_estimate(const Model& model, const State& state, double until);

/// Largest angular velocity of an obstacle at the sampled times of the run [rad/s].
double fastest_turn(const Model& model, const State& state, std::uint32_t obstacle, double until);

/// Steps in a contact time: the advised step has as many; a longer step causes a warning.
inline constexpr double kStepsOfContact = 50;
/// Fraction of the stability limit from which on a step is refused.
inline constexpr double kStableFraction = 0.9;

struct ForceTimes {
  /// Shortest duration of an undamped impact between two bodies of the scene [s]. For a Hertz
  /// spring it depends on the depth of the impact.
  double contact_time = 0;
  /// Basis of that depth for a Hertz spring; empty without one
  std::optional<ImpactEstimate> impact;
  /// True if the weight of a body presses the Hertz spring deeper than the impact does.
  bool by_weight = false;
  /// Smallest step at which the leapfrog is unstable [s]. The estimate takes the lightest body with
  /// as many contacts as it can have at once, springs in all directions, and neighbours that move
  /// against it
  double stability_limit = 0;
  /// Two materials and their law.
  struct Between {
    std::string first, second;
    LawKind law = LawKind::cundall_strack;
  };
  Between shortest;    ///< pair of the shortest contact
  Between min_stable;  ///< pair of the smallest limit

  /// True if dashpots or many contacts need a shorter step than an impact does.
  bool is_by_stability() const { return stability_limit / 2 < contact_time / kStepsOfContact; }
  /// Step that resolves contacts well and is stable [s].
  double advised_step() const {
    return is_by_stability() ? stability_limit / 2 : contact_time / kStepsOfContact;
  }
};

/// Empty if no pair of bodies, or of a body and an obstacle, has a compliant law. `until` is the
/// simulated time at the end [s].
std::optional<ForceTimes> force_times(const Model& model, const State& state, double until);

/// Ratio of the step to the times of the present compliant contacts. The stiffness of a Hertz
/// spring grows with its overlap.
struct StepFit {
  static constexpr double kFewestSteps = 20;  ///< in a contact time; fewer cause a warning

  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  /// Ratio of h to the duration of an impact as deep, of the pair where it is shortest [-]; 0:
  /// there is none
  double of_contact = 0;
  BodyId a{}, b{};
  double depth = 0;  ///< overlap of this pair [m]
  /// Ratio of h to the longest stable step for the contacts of a body [-], and that body
  double of_stable = 0;
  BodyId body{};

  bool is_too_long() const { return of_contact * kFewestSteps > 1 || of_stable > kStableFraction; }
};
/// Fit of the step to the contacts of the last step. O(contacts).
StepFit step_fit(const Simulation& simulation);

}  // namespace scree
