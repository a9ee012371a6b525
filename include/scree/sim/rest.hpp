/// When a simulation has come to rest.
#pragma once

#include <cstdint>
#include <optional>

#include "scree/core/ids.hpp"
#include "scree/sim/model.hpp"

namespace scree {

class Simulation;

/// All is at rest when for some time no part moved, no body was fast, and none was slow but moving
/// except for little mass in spheres. More of it may roll slowly, each sphere by itself on what
/// stands still, and where no law resists rolling: on a bed that rests single ones roll on for
/// ever, since nothing takes energy from them. A box that moves may be about to fall.
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
};

/// What moved at the end of a step.
struct RestReport {
  double moving_share = 0;   ///< of the mass of all bodies [-]
  bool only_spheres = true;  ///< all that moves
  /// Of the mass, in spheres that roll each by itself: they lie on what stands still, touch none
  /// that moves, too, hang on no joint, and no law resists their rolling; 0 where more moves than
  /// may, or faster [-]
  double rolling_share = 0;
  BodyId fastest{};          ///< compared with the speed at which it would rest
  double fastest_speed = 0;  ///< [m/s]; 0: there are no bodies
  double fastest_ratio = 0;  ///< to the speed at which it would rest [-]
  /// The fastest has a round surface, and no law of its material has rolling friction.
  bool rolls_freely = false;
  std::optional<std::uint32_t>
      moving_part;       ///< the first of Model::obstacles that moved in the step
  bool filling = false;  ///< a filling has not stopped yet
  double lasting = 0;    ///< for which rest is to last [s]

  bool is_still(double loose) const {
    return !moving_part && !filling && only_spheres && fastest_ratio <= RestCriterion::kLoose &&
           (moving_share <= loose || (loose > 0 && moving_share - rolling_share <= loose &&
                                      rolling_share <= RestCriterion::kRolling));
  }
};

/// Of a body, |v|, and where it is no sphere |v| + |ω| R, R its bounding radius. Throws
/// std::invalid_argument if the criterion leaves out what follows from gravity and there is none.
RestReport rest_report(const Simulation& simulation, const RestCriterion& criterion);

/// Counts how long a simulation has been still. To be shown every step.
class RestWatch {
 public:
  /// `still_steps` of a watch that is gone on with.
  explicit RestWatch(RestCriterion criterion, std::uint64_t still_steps = 0)
      : criterion_(criterion), still_steps_(still_steps) {}

  void step(const Simulation& simulation);

  bool at_rest() const { return at_rest_; }
  const RestReport& report() const { return report_; }  ///< at the end of the last step
  std::uint64_t still_steps() const { return still_steps_; }
  const RestCriterion& criterion() const { return criterion_; }

 private:
  RestCriterion criterion_;
  std::uint64_t still_steps_;
  RestReport report_;
  bool at_rest_ = false;
};

}  // namespace scree
