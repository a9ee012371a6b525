/// The plateau of a rate: the mean rate while it is steady, and its error.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace scree {

/// Amount passed up to a time.
struct Passed {
  double time;    ///< [s]
  double amount;  ///< [any unit]
};
using Curve = std::vector<Passed>;

struct Plateau {
  double begin = 0, end = 0;  ///< [s]
  std::size_t intervals = 0;  ///< number of sampling intervals in it
  double rate = 0;            ///< mean over it [unit/s]
  double scatter = 0;         ///< standard deviation of the rate of one interval [unit/s]
  /// Standard error of the mean, as if intervals were independent; or, if larger, the root mean
  /// square distance of a line through the rates from the mean: the rate drifts [unit/s]
  double error = 0;
  double correlated = 0;  ///< correlation of one interval's rate with the next one's [-]
};

/// Finds the steady stretch of at least eight intervals in which most passed; none if there is
/// none. Rates are steady if the amount passed departs from a straight line by no more than their
/// scatter explains (the largest departure of a Brownian bridge, at 1 %, with the correlation of
/// each rate with the next), or by no more than 0.5 % of the amount, and if neither the first nor
/// the last rate is further from the mean than three deviations, or 2 %. The first and the last
/// interval of a stretch have a passage.
///
/// Segments are cut off from this stretch as long as its mean changes. It is split where the two
/// means are furthest apart in standard errors; if they differ by more than 3.2 (one case in twenty
/// for independent rates), and by more than 2 %, the segment with the larger amount is kept. There
/// is no plateau if fewer than eight intervals are left.
///
/// Times ascend. Above three hundred intervals, several are merged for the search.
std::optional<Plateau> plateau_of(std::span<const Passed> curve);

}  // namespace scree
