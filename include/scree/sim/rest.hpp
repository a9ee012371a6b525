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

/// All is at rest when for some time no part moved, no body was fast, and none was slow but moving
/// except for little mass in spheres. More of it may roll slowly, each body by itself on what
/// stands still, and where no law resists rolling: on a bed that rests single ones roll on for
/// ever, since nothing takes energy from them. What is no sphere may do so, too, where it turns
/// about points that do not slide and keeps its speed: else it may be about to fall. What gained
/// speed all the time is on its way.
struct RestCriterion {
  /// Bodies that are no faster rest [m/s]; unset: kSlow √(|g| d), d twice the body's inner radius
  std::optional<double> speed;
  /// The part of the mass that may be faster, in spheres, up to kLoose times as fast; 0: none, and
  /// none may roll [-]
  double loose = 0.01;
  /// For how long [s]; unset: 4 √(D/|g|), D the diameter of the largest body
  std::optional<double> lasting;

  static constexpr double kSlow = 1e-4;
  static constexpr double kRolling = 0.1;       ///< the part of the mass that may roll [-]
  static constexpr double kRollingSpeed = 100;  ///< how much faster than what rests [-]
  static constexpr double kLoose = 1000;        ///< a body that falls freely is soon faster
  /// Gained while rest lasts, that is no change; as fast is not looked at [of the speed of rest]
  static constexpr double kHardly = 0.01;
};

/// What moved at the end of a step.
struct RestReport {
  double moving_share = 0;   ///< of the mass of all bodies [-]
  bool only_spheres = true;  ///< all that moves, but for what rolling_share has
  /// Of the mass, in bodies that roll or turn each by itself: they lie on what stands still, touch
  /// none that moves, too, hang on no joint, no law resists their rolling, and the contacts of what
  /// is no sphere do not slide; 0 where more moves than may, or faster [-]
  double rolling_share = 0;
  BodyId fastest{};          ///< compared with the speed at which it would rest
  double fastest_speed = 0;  ///< [m/s]; 0: there are no bodies
  double fastest_ratio = 0;  ///< to the speed at which it would rest [-]
  /// The fastest has a round surface, and no law of its material has rolling friction.
  bool rolls_freely = false;
  /// The fastest is no sphere, turns about an upright axis in its place, and no law of its material
  /// has spinning friction.
  bool spins_freely = false;
  std::optional<std::uint32_t>
      moving_part;       ///< the first of Model::obstacles that moved in the step
  bool filling = false;  ///< a filling has not stopped yet
  double lasting = 0;    ///< for which rest is to last [s]
  /// A body that moves and gained speed all the time, or is no sphere and changed its speed, when
  /// rest had lasted last; RestWatch tells
  std::optional<BodyId> changing;

  bool is_still(double loose) const {
    return !moving_part && !filling && only_spheres && fastest_ratio <= RestCriterion::kLoose &&
           (moving_share <= loose || (loose > 0 && moving_share - rolling_share <= loose &&
                                      rolling_share <= RestCriterion::kRolling));
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
    double speed = 0;      ///< of a sphere at the last look, of others at the first one [m/s]
    bool changes = false;  ///< a sphere gained speed from look to look, another changed its speed
  };

  std::uint64_t still_steps = 0;
  std::vector<Seen> seen;               ///< since then, by id
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
  void look(const Simulation& simulation);
  std::optional<BodyId> changing(const Simulation& simulation) const;

  RestCriterion criterion_;
  RestCount count_;
  RestReport report_;
  bool at_rest_ = false;
};

}  // namespace scree
