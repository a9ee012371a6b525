/// Finds the steady stretch of a rate.
#include "scree/analysis/plateau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace scree {
namespace {

constexpr std::size_t kMaxIntervals = 300;  // intervals of which all stretches are examined
constexpr std::size_t kMinIntervals = 8;
constexpr double kStraight = 0.005;  // of the amount passed [-]: straight enough in practice
constexpr double kEvenRate = 0.02;   // of the mean rate [-], the same
constexpr double kDeviations = 3;
// The largest departure of a Brownian bridge is above this in one case of a hundred: Kolmogorov's
// distribution.
constexpr double kLargestDeparture = 1.63;
// In about one case of twenty, the means of two segments of independent rates differ by more than
// this many standard errors at the worst split.
constexpr double kChange = 3.2;

/// Rates of intervals, some of them merged.
struct Rates {
  std::vector<double> begin, end, rate;

  Rates(std::span<const Passed> curve, std::size_t together) {
    for (std::size_t k = 0; k + together < curve.size(); k += together) {
      const Passed &a = curve[k], &b = curve[k + together];
      if (!(b.time > a.time)) continue;
      begin.push_back(a.time);
      end.push_back(b.time);
      rate.push_back((b.amount - a.amount) / (b.time - a.time));
    }
  }
  std::size_t size() const { return rate.size(); }
  double passed(std::size_t k) const { return rate[k] * (end[k] - begin[k]); }
};

/// Statistics of the rates of a stretch.
struct Figures {
  double mean = 0, deviation = 0;
  double correlation = 0;  ///< of each with the next one [-]
  double departure = 0;    ///< largest distance of their sum from a straight line

  explicit Figures(std::span<const double> rates) {
    const auto n = static_cast<double>(rates.size());
    for (const double rate : rates) mean += rate / n;
    double squares = 0, products = 0, before = 0, sum = 0;
    for (const double rate : rates) {
      const double off = rate - mean;
      squares += off * off;
      products += before * off;
      before = off;
      sum += off;
      departure = std::max(departure, std::abs(sum));
    }
    deviation = std::sqrt(squares / (n - 1));
    correlation = squares > 0 ? products / squares : 0;
  }
};

/// Slope of a line through rates, per interval [unit/s].
double slope_of(std::span<const double> rates, double mean) {
  const auto n = static_cast<double>(rates.size());
  const double middle = (n - 1) / 2;
  double slope = 0;
  for (std::size_t k = 0; k < rates.size(); ++k)
    slope += (rates[k] - mean) * (static_cast<double>(k) - middle) / (n * (n * n - 1) / 12);
  return slope;
}

/// Scatter of the sum of correlated rates over the root of their number. A trend is removed first.
double scatter_of_sums(std::span<const double> rates, double mean) {
  const auto n = static_cast<double>(rates.size());
  const double middle = (n - 1) / 2, slope = slope_of(rates, mean);
  double squares = 0, products = 0, before = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const double off = rates[k] - mean - slope * (static_cast<double>(k) - middle);
    squares += off * off;
    products += before * off;
    before = off;
  }
  // A correlation above a half indicates a changing rate.
  const double rho = squares > 0 ? std::clamp(products / squares, -0.98, 0.5) : 0;
  return std::sqrt(squares / (n - 2) * (1 + rho) / (1 - rho));
}

/// Split at which a mean changes most, and the change in standard errors.
struct Change {
  std::size_t split = 0;  ///< number of rates before the split
  double errors = 0;      ///< [-]
};

Change largest_change(std::span<const double> rates) {
  const auto n = static_cast<double>(rates.size());
  const double all = std::accumulate(rates.begin(), rates.end(), 0.0);
  Change largest;
  double sum = 0;
  for (std::size_t split = 1; split < rates.size(); ++split) {
    sum += rates[split - 1];
    const auto m = static_cast<double>(split);
    const double before = sum / m, after = (all - sum) / (n - m);
    const double step = std::abs(before - after);
    if (step <= kEvenRate * std::abs(all / n)) continue;
    double squares = 0, products = 0, last = 0;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      const double off = rates[k] - (k < split ? before : after);
      squares += off * off;
      products += last * off;
      last = off;
    }
    // Alternating rates must not count as more certain than independent ones.
    const double rho = squares > 0 ? std::clamp(products / squares, 0.0, 0.5) : 0;
    const double scatter = std::sqrt(squares / (n - 2) * (1 + rho) / (1 - rho));
    const double errors = scatter > 0 ? step * std::sqrt(m * (n - m) / n) / scatter
                                      : std::numeric_limits<double>::infinity();
    if (errors > largest.errors) largest = {split, errors};
  }
  return largest;
}

bool is_even(std::span<const double> rates) {
  const Figures f(rates);
  const auto n = static_cast<double>(rates.size());
  const double far = std::max(kDeviations * f.deviation, kEvenRate * std::abs(f.mean));
  if (std::abs(rates.front() - f.mean) > far || std::abs(rates.back() - f.mean) > far) return false;
  return f.departure <= std::max(kStraight * n * std::abs(f.mean),
                                 kLargestDeparture * scatter_of_sums(rates, f.mean) * std::sqrt(n));
}

/// Consecutive rates, from index `first` to `last`; empty if first > last.
struct Stretch {
  std::size_t first = 1, last = 0;

  std::size_t count() const { return last + 1 - first; }
  std::span<const double> of(const Rates& rates) const {
    return std::span(rates.rate).subspan(first, count());
  }
};

/// Steady stretch in which most passed; empty if there is none.
Stretch longest_even(const Rates& rates) {
  Stretch even;
  double max_passed = 0;
  for (std::size_t first = 0; first < rates.size(); ++first) {
    // Among stretches with the same amount the shortest is taken: none begins or ends with a pause.
    if (rates.rate[first] == 0) continue;
    double passed = 0;
    for (std::size_t last = first; last < rates.size(); ++last) {
      passed += rates.passed(last);
      const Stretch stretch{first, last};
      if (stretch.count() < kMinIntervals || rates.rate[last] == 0 ||
          std::abs(passed) <= max_passed * (1 + 1e-9))
        continue;
      if (!is_even(stretch.of(rates))) continue;
      max_passed = std::abs(passed);
      even = stretch;
    }
  }
  return even;
}

/// Cuts off the segment with the smaller amount while the mean changes between two segments. A
/// steady stretch may still contain the start or end of the flow within its scatter.
void without_changes(const Rates& rates, Stretch& even) {
  while (even.count() >= kMinIntervals) {
    const Change change = largest_change(even.of(rates));
    if (change.errors < kChange) return;
    const std::size_t split = even.first + change.split;
    double before = 0, after = 0;
    for (std::size_t k = even.first; k < split; ++k) before += rates.passed(k);
    for (std::size_t k = split; k <= even.last; ++k) after += rates.passed(k);
    if (std::abs(before) > std::abs(after))
      even.last = split - 1;
    else
      even.first = split;
    while (even.first < even.last && rates.rate[even.first] == 0) ++even.first;
    while (even.first < even.last && rates.rate[even.last] == 0) --even.last;
  }
}

/// Root mean square distance of a line through rates from their mean [unit/s].
double drift_of(std::span<const double> rates, double mean) {
  const auto n = static_cast<double>(rates.size());
  return std::abs(slope_of(rates, mean)) * std::sqrt((n * n - 1) / 12);
}

/// Its statistics are those of single intervals.
Plateau figures_of(std::span<const Passed> curve, double begin, double end) {
  std::vector<Passed> within;
  for (const Passed& passed : curve)
    if (begin <= passed.time && passed.time <= end) within.push_back(passed);
  const std::vector<double> rates = Rates(within, 1).rate;
  const Figures figures(rates);
  Plateau plateau{.begin = begin, .end = end, .intervals = within.size() - 1};
  plateau.rate = (within.back().amount - within.front().amount) / (end - begin);
  plateau.scatter = figures.deviation;
  // Scatter alone makes a drift of the size of the standard error; only a larger one counts.
  plateau.error = std::max(figures.deviation / std::sqrt(static_cast<double>(plateau.intervals)),
                           drift_of(rates, figures.mean));
  plateau.correlated = figures.correlation;
  return plateau;
}

}  // namespace

std::optional<Plateau> plateau_of(std::span<const Passed> curve) {
  if (curve.size() <= kMinIntervals) return {};
  const std::size_t together = (curve.size() - 1 + kMaxIntervals - 1) / kMaxIntervals;
  const Rates rates(curve, together);
  Stretch even = longest_even(rates);
  without_changes(rates, even);
  if (even.count() < kMinIntervals) return {};
  return figures_of(curve, rates.begin[even.first], rates.end[even.last]);
}

}  // namespace scree
