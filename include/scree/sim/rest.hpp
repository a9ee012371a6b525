/// Criterion for the rest of a simulation, and a watch that applies it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "scree/core/ids.hpp"
#include "scree/sim/model.hpp"

namespace scree {

class Simulation;

/// All is at rest when three conditions have held for some time: no obstacle moved, no body was
/// fast, and the slowly moving bodies, all spheres, had little mass.
///
/// More mass may roll slowly, if each body moves alone on what stands still and no law resists its
/// rolling. Single spheres on a bed at rest roll without end, since nothing takes energy from them.
/// Other shapes may do so, too, if they rotate about points that do not slide and keep their speed;
/// otherwise they may be about to fall. A body that gains speed all the time is not at rest.
///
/// A body may be faster, with a varying speed, if it rocks: for a longer time it has kept its
/// position, and in the second half of this time it reached the same speed as in the first. A body
/// that falls, or comes to rest, does not. A rocking body that meets a neighbour may shake the bed
/// for a step now and then.
struct RestCriterion {
  /// Speed up to which bodies are at rest [m/s]; empty: kSlow √(|g| d), d twice the body's
  /// inscribed radius
  std::optional<double> speed;
  /// Fraction of the mass that may be faster, in spheres, up to kLoose times as fast; 0: none, and
  /// none may roll [-]
  double loose = 0.01;
  /// Time for which rest must last [s]; empty: 4 √(D/|g|), D the diameter of the largest body
  std::optional<double> lasting;

  static constexpr double kSlow = 1e-4;
  static constexpr double kRolling = 0.1;  ///< fraction of the mass that may roll [-]
  /// Largest speed of rolling bodies over the speed of rest, without a long watch [-]
  static constexpr double kRollingSpeed = 100;
  /// ratio for loose spheres: a body in free fall soon exceeds it
  static constexpr double kLoose = 1000;
  /// Ratio with a long watch: such an oscillation lifts a body by about a hundredth of its size
  static constexpr double kRockingSpeed = 3000;
  /// Gain in speed while rest lasts that counts as none, over the speed of rest; slower bodies are
  /// not watched [-]
  static constexpr double kHardly = 0.01;
  /// Time of the watch for rocking, over `lasting`, or over its value by gravity [-]
  static constexpr int kRocking = 8;
  static constexpr double kShakes = 0.1;  ///< fraction of that time in which more mass may move [-]
  /// Differences allowed between the maxima of the speed in the two halves of that time: relative
  /// [-], and over the speed of rest [-]
  static constexpr double kKeeps = 0.1, kKeepsSlow = 20;
};

/// Bodies that rocked while all else rested.
struct RockingBodies {
  std::uint32_t count = 0;
  BodyId fastest{};
  double speed = 0;    ///< maximum of the fastest body in the second half of the time [m/s]
  double lasting = 0;  ///< time of the watch [s]
};

/// Bodies and obstacles that moved at the end of a step.
struct RestReport {
  std::size_t bodies = 0;    ///< bodies that have not left
  double moving_share = 0;   ///< fraction of the mass of all bodies that moves [-]
  bool only_spheres = true;  ///< true if only spheres move, apart from rolling_share
  /// Fraction of the mass that rolls: spheres that lie on what stands still and touch nothing that
  /// moves, and other bodies that are supported and do not slide. None hangs on a joint, no law
  /// resists its rolling. 0 if more mass moves than allowed, or faster [-]
  double rolling_share = 0;
  BodyId fastest{};          ///< body of the largest ratio of its speed to its speed of rest
  double fastest_speed = 0;  ///< speed of `fastest` [m/s]; 0: there are no bodies, or none moves
  double fastest_ratio = 0;  ///< ratio of its speed to its speed of rest [-]
  BodyId spinning{};         ///< sphere of the largest spin; spheres may spin at rest
  double spin = 0;           ///< its spin [rad/s]; 0: none spins
  /// The fastest body has a round surface, and no law of its material has rolling friction.
  bool rolls_freely = false;
  /// The fastest body is no sphere and rotates about a vertical axis without moving, and no law of
  /// its material has spinning friction.
  bool spins_freely = false;
  std::optional<std::uint32_t>
      moving_obstacle;   ///< first of Model::obstacles that moved in the step
  bool filling = false;  ///< true if a filling has not stopped yet
  double lasting = 0;    ///< time for which rest must last [s]
  double natural = 0;    ///< value of `lasting` by gravity [s]; 0 without gravity
  /// Body that prevented rest when the time had passed: it gained speed all the time, or has not
  /// yet rocked for long, or not steadily. RestWatch sets it
  std::optional<BodyId> changing;
  RockingBodies rocking;  ///< set by a watch that found all at rest

  /// True if all is at rest, except for the body speeds that the watch compares over time.
  bool is_calm(double loose) const {
    return !moving_obstacle && !filling && only_spheres &&
           (moving_share <= loose || (loose > 0 && moving_share - rolling_share <= loose &&
                                      rolling_share <= RestCriterion::kRolling));
  }
  bool is_still(double loose) const {
    return is_calm(loose) && fastest_ratio <= RestCriterion::kLoose;
  }
};

/// Speeds of bodies are |v|, and for other shapes than spheres |v| + |ω| R, R the bounding radius.
/// Throws std::invalid_argument if the criterion needs gravity and there is none.
RestReport rest_report(const Simulation& simulation, const RestCriterion& criterion);

/// True if a prescribed motion, the target of a motor or the force of a field was constant from
/// `since` to the present, and changes before `until` [s]. Looks at sampled times, and for fields
/// at some of the bodies.
bool changes_later(const Simulation& simulation, double since, double until);

/// Counters of a RestWatch.
struct RestCount {
  /// Body that moved in a sample.
  struct Seen {
    BodyId id;
    Vec3 position;      ///< in the first sample [m]
    double before = 0;  ///< maximum of the speed in the first half of the time for rocking [m/s]
    double since = 0;   ///< maximum in the second half [m/s]
    double min_speed = 0,
           max_speed = 0;  ///< extremes since the last start of the time for rest [m/s]
    double speed = 0;      ///< in the last sample [m/s]
    /// true if the speed grew from sample to sample: for a sphere since that start, for others
    /// since the first sample
    bool gains = false;
  };

  /// without interruption, in which nothing exceeded the speed of rocking
  std::uint64_t steps = 0;
  std::uint64_t shaken_steps = 0;       ///< steps of these in which more mass moved than allowed
  std::uint64_t still_steps = 0;        ///< the last ones, without interruption
  std::vector<Seen> seen;               ///< bodies that moved within `steps`, by id
  std::optional<BodyId> changing = {};  ///< RestReport::changing
};

/// Counts how long a simulation has been still, and samples whether moving bodies keep their speed.
/// The caller must show it every step.
class RestWatch {
 public:
  /// Continues with the `count` of an earlier watch.
  explicit RestWatch(RestCriterion criterion, RestCount count = {})
      : criterion_(criterion), count_(std::move(count)) {}

  void step(const Simulation& simulation);
  /// Starts again if, at rest, a prescribed motion, a motor or a field will change before this time
  /// [s], which has been constant while rest lasted.
  void wait_for_changes(const Simulation& simulation, double until);

  bool at_rest() const { return at_rest_; }
  const RestReport& report() const { return report_; }  ///< at the end of the last step
  const RestCount& count() const { return count_; }
  const RestCriterion& criterion() const { return criterion_; }

 private:
  double rocking_time() const;  ///< time of the watch for rocking [s]
  void look(const Simulation& simulation, bool begins);
  void sample_and_decide_on_rest(const Simulation& simulation);
  void decide_on_rest(const Simulation& simulation);
  void decide_on_rocking(const Simulation& simulation);

  RestCriterion criterion_;
  RestCount count_;
  RestReport report_;
  bool at_rest_ = false;
};

}  // namespace scree
