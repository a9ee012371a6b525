/// Statistics of a series of measured numbers.
#pragma once

#include <cstddef>
#include <span>

namespace scree {

struct Series {
  std::size_t count = 0;
  double mean = 0;
  double scatter = 0;  ///< standard deviation of a single value; 0 for fewer than two
  double error = 0;    ///< standard error of the mean, as if they were independent
  /// Correlation of each value with the next [-]: far above 0, `error` is too small. 0 for fewer
  /// than three values, or if all are equal.
  double correlated = 0;
};

/// Statistics of values in any unit; zeros without values.
Series series_of(std::span<const double> values);

}  // namespace scree
