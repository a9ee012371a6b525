#include "scree/analysis/series.hpp"

#include <cmath>

namespace scree {

Series series_of(std::span<const double> values) {
  Series series{.count = values.size()};
  if (values.empty()) return series;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) series.mean += value / n;
  double squares = 0, products = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double off = values[k] - series.mean;
    squares += off * off;
    if (k > 0) products += off * (values[k - 1] - series.mean);
  }
  if (values.size() < 2 || squares == 0) return series;
  series.scatter = std::sqrt(squares / (n - 1));
  series.error = series.scatter / std::sqrt(n);
  if (values.size() > 2) series.correlated = products / squares;
  return series;
}

}  // namespace scree
