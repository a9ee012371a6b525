/// Numbers that were measured one after the other, in a few figures.
#pragma once

#include <cstddef>
#include <span>

namespace scree {

struct Series {
  std::size_t count = 0;
  double mean = 0;
  double scatter = 0;  ///< standard deviation of a single one; 0 of fewer than two
  double error = 0;    ///< standard error of the mean, as if they were independent
  /// Correlation of each with the next [-]: where it is far above 0, `error` is too small. 0 of
  /// fewer than three, or where all are equal.
  double correlated = 0;
};

/// In any unit; zeros of none.
Series series_of(std::span<const double> values);

}  // namespace scree
