/// When a simulation has come to rest.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "scree/core/ids.hpp"
#include "scree/sim/model.hpp"

namespace scree {

class Simulation;

/// All is at rest when for some time no obstacle moved, no body was fast, and none was slow but
/// moving except for little mass in spheres. More of it may roll slowly, each body by itself on
/// what stands still, and where no law resists rolling: on a bed that rests single ones roll on for
/// ever, since nothing takes energy from them. What is no sphere may do so, too, where it turns
/// about points that do not slide and keeps its speed: else it may be about to fall. What gained
/// speed all the time is on its way.
///
/// Such a body may be faster, and its speed go up and down, if it rocks: for a longer time it has
/// kept its place, and in the second half of this time it came to the same speed as in the first.
/// What falls, or comes to rest, does not. Where what rocks meets a neighbour, it may shake the bed
/// for a step now and then.
struct RestCriterion {
  /// Bodies that are no faster rest [m/s]; unset: kSlow √(|g| d), d twice the body's inner radius
  std::optional<double> speed;
  /// The part of the mass that may be faster, in spheres, up to kLoose times as fast; 0: none, and
  /// none may roll [-]
  double loose = 0.01;
  /// For how long [s]; unset: 4 √(D/|g|), D the diameter of the largest body
  std::optional<double> lasting;

  static constexpr double kSlow = 1e-4;
  static constexpr double kRolling = 0.1;  ///< the part of the mass that may roll [-]
  /// How much faster than what rests, if it is not watched for long [-]
  static constexpr double kRollingSpeed = 100;
  static constexpr double kLoose = 1000;  ///< a body that falls freely is soon faster
  /// If it is watched for long: such a swing lifts a body by about a hundredth of its size
  static constexpr double kRockingSpeed = 3000;
  /// Gained while rest lasts, that is no change; as fast is not looked at [of the speed of rest]
  static constexpr double kHardly = 0.01;
  /// For how long what rocks is watched, times `lasting`, or what that is by gravity [-]
  static constexpr int kRocking = 8;
  static constexpr double kShakes = 0.1;  ///< the part of that time in which more may move [-]
  /// By what part the most speed of the second half of it may differ from that of the first [-],
  /// or by how much [of the speed of rest]
  static constexpr double kKeeps = 0.1, kKeepsSlow = 20;
};

/// Bodies that rocked while all else rested.
struct RockingBodies {
  std::uint32_t count = 0;
  BodyId fastest{};
  double speed = 0;    ///< the most of the fastest in the second half of the time [m/s]
  double lasting = 0;  ///< that they were watched for [s]
};

/// What moved at the end of a step.
struct RestReport {
  std::size_t bodies = 0;    ///< that are there
  double moving_share = 0;   ///< of the mass of all bodies [-]
  bool only_spheres = true;  ///< all that moves, but for what rolling_share has
  /// Of the mass, in spheres that lie on what stands still and touch none that moves, too, and in
  /// other bodies that are borne and do not slide; none hangs on a joint, no law resists its
  /// rolling. 0 where more moves than may, or faster [-]
  double rolling_share = 0;
  BodyId fastest{};          ///< compared with the speed at which it would rest
  double fastest_speed = 0;  ///< [m/s]; 0: there are no bodies, or none moves
  double fastest_ratio = 0;  ///< to the speed at which it would rest [-]
  BodyId spinning{};         ///< of spheres, which may spin at rest, that which spins most
  double spin = 0;           ///< [rad/s]; 0: none spins
  /// The fastest has a round surface, and no law of its material has rolling friction.
  bool rolls_freely = false;
  /// The fastest is no sphere, turns about an upright axis in its place, and no law of its material
  /// has spinning friction.
  bool spins_freely = false;
  std::optional<std::uint32_t>
      moving_obstacle;   ///< the first of Model::obstacles that moved in the step
  bool filling = false;  ///< a filling has not stopped yet
  double lasting = 0;    ///< for which rest is to last [s]
  double natural = 0;    ///< what `lasting` would be by gravity [s]; 0: there is none
  /// A body that gained speed all the time, or has not yet rocked for long, or not steadily, when
  /// rest had lasted last; RestWatch tells
  std::optional<BodyId> changing;
  RockingBodies rocking;  ///< of a watch that found all at rest

  /// But for how fast it is.
  bool is_calm(double loose) const {
    return !moving_obstacle && !filling && only_spheres &&
           (moving_share <= loose || (loose > 0 && moving_share - rolling_share <= loose &&
                                      rolling_share <= RestCriterion::kRolling));
  }
  bool is_still(double loose) const {
    return is_calm(loose) && fastest_ratio <= RestCriterion::kLoose;
  }
};

/// Of a body, |v|, and where it is no sphere |v| + |ω| R, R its bounding radius. Throws
/// std::invalid_argument if the criterion leaves out what follows from gravity and there is none.
RestReport rest_report(const Simulation& simulation, const RestCriterion& criterion);

/// What a RestWatch has counted.
struct RestCount {
  /// A body that moved when it was looked at.
  struct Seen {
    BodyId id;
    Vec3 place;         ///< at the first look [m]
    double before = 0;  ///< the most speed in the first half of the time that rocking takes [m/s]
    double since = 0;   ///< and in the second
    double least = 0, most = 0;  ///< since rest began to last, or had lasted last [m/s]
    double speed = 0;            ///< at the last look [m/s]
    bool gains = false;  ///< speed from look to look: a sphere since then, others since the first
  };

  std::uint64_t steps = 0;              ///< in which nothing was faster than what may rock
  std::uint64_t shaken_steps = 0;       ///< of these, in which more moved than may
  std::uint64_t still_steps = 0;        ///< without a break, the last ones
  std::vector<Seen> seen;               ///< in `steps`, by id
  std::optional<BodyId> changing = {};  ///< RestReport::changing
};

/// Counts how long a simulation has been still, and looks again and again whether what moves
/// keeps its speed. To be shown every step.
class RestWatch {
 public:
  /// `count` of a watch that is gone on with.
  explicit RestWatch(RestCriterion criterion, RestCount count = {})
      : criterion_(criterion), count_(std::move(count)) {}

  void step(const Simulation& simulation);

  bool at_rest() const { return at_rest_; }
  const RestReport& report() const { return report_; }  ///< at the end of the last step
  const RestCount& count() const { return count_; }
  const RestCriterion& criterion() const { return criterion_; }

 private:
  double rocking_time() const;  ///< for which what rocks is watched [s]
  void look(const Simulation& simulation, bool begins);
  void look_and_judge_rest(const Simulation& simulation);
  void judge_rest(const Simulation& simulation);
  void judge_rocking(const Simulation& simulation);

  RestCriterion criterion_;
  RestCount count_;
  RestReport report_;
  bool at_rest_ = false;
};

}  // namespace scree
