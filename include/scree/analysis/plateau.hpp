/// The plateau of a rate: how fast something passes while that goes on evenly, and how sure that
/// is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scree {

/// How much has passed by a time.
struct Passed {
  double time;    ///< [s]
  double amount;  ///< [any unit]
};
using Curve = std::vector<Passed>;

struct Plateau {
  double begin = 0, end = 0;  ///< [s]
  std::size_t intervals = 0;  ///< of the samples in it
  double rate = 0;            ///< mean over it [unit/s]
  double scatter = 0;         ///< standard deviation of the rate of one interval [unit/s]
  /// Standard error of the mean, as if intervals were independent; or how far a line through the
  /// rates departs from it (root mean square), where that is more: the rate drifts [unit/s]
  double error = 0;
  double correlated = 0;  ///< correlation of one interval's rate with the next one's [-]
};

/// Of all stretches of eight intervals or more whose rates are even, the one in which most passed;
/// none if there is none. Rates are even where what has passed departs from a straight line by no
/// more than their scatter explains (the largest departure of a Brownian bridge, at 1 %, with the
/// correlation of each rate with the next), or by no more than 0.5 % of what passed, and where
/// neither the first nor the last of them is further from the mean than three deviations, or 2 %.
/// A stretch begins and ends with something that passes.
///
/// From the one that is found parts are cut off as long as its mean changes. It is parted where the
/// two means are furthest apart in standard errors; if that is by more than 3.2 (one case in twenty
/// of independent rates), and by more than 2 %, the part stays in which more passed. None is left
/// if that comes below eight intervals.
///
/// Times ascend. Of more than three hundred intervals several are taken as one to find it.
std::optional<Plateau> plateau_of(std::span<const Passed> curve);

}  // namespace scree
