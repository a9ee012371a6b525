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
  double error = 0;           ///< standard error of the mean, as if intervals were independent
  double correlated = 0;      ///< correlation of one interval's rate with the next one's [-]
};

/// Of all stretches of eight intervals or more whose rates are even, the one in which most passed;
/// none if there is none. Rates are even where the means of four quarters of the stretch differ by
/// no more than scatter explains (analysis of variance, at 1 %), or by no more than 2 %, and where
/// neither the first nor the last interval is further from the mean than three deviations, or 2 %.
/// Times ascend. More than two thousand intervals are taken together, several as one.
std::optional<Plateau> plateau_of(std::span<const Passed> curve);

}  // namespace scree
