#include "scree/analysis/plateau.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr std::size_t kMost = 300;  // intervals of which all stretches are looked at
constexpr std::size_t kFewest = 8;
constexpr double kStraight = 0.005;  // [-] of what passed: as straight as anybody needs
constexpr double kEven = 0.02;       // [-] of the mean rate, the same
constexpr double kDeviations = 3;
// The largest departure of a Brownian bridge is above this in one case of a hundred: Kolmogorov's
// distribution.
constexpr double kLargestDeparture = 1.63;

/// The rates of intervals, some of which are taken together.
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
};

/// Of the rates of a stretch.
struct Figures {
  double mean = 0, deviation = 0;
  double correlation = 0;  ///< of each with the next one [-]
  double departure = 0;    ///< the largest of their sum from a straight line

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

/// How much the sum of rates scatters over the root of their number, where each depends on the one
/// before. A trend is none of it: it is taken off first.
double scatter_of_sums(std::span<const double> rates, double mean) {
  const auto n = static_cast<double>(rates.size());
  const double middle = (n - 1) / 2;
  double slope = 0;
  for (std::size_t k = 0; k < rates.size(); ++k)
    slope += (rates[k] - mean) * (static_cast<double>(k) - middle) / (n * (n * n - 1) / 12);
  double squares = 0, products = 0, before = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const double off = rates[k] - mean - slope * (static_cast<double>(k) - middle);
    squares += off * off;
    products += before * off;
    before = off;
  }
  // More than a half is the mark of a rate that changes.
  const double rho = squares > 0 ? std::clamp(products / squares, -0.98, 0.5) : 0;
  return std::sqrt(squares / (n - 2) * (1 + rho) / (1 - rho));
}

bool is_even(std::span<const double> rates) {
  const Figures f(rates);
  const auto n = static_cast<double>(rates.size());
  const double far = std::max(kDeviations * f.deviation, kEven * std::abs(f.mean));
  if (std::abs(rates.front() - f.mean) > far || std::abs(rates.back() - f.mean) > far) return false;
  return f.departure <= std::max(kStraight * n * std::abs(f.mean),
                                 kLargestDeparture * scatter_of_sums(rates, f.mean) * std::sqrt(n));
}

}  // namespace

std::optional<Plateau> plateau_of(std::span<const Passed> curve) {
  if (curve.size() <= kFewest) return {};
  const std::size_t together = (curve.size() - 1 + kMost - 1) / kMost;
  const Rates rates(curve, together);
  Plateau plateau;
  double most = 0;
  for (std::size_t first = 0; first < rates.size(); ++first) {
    // Of stretches in which as much passed the shortest is taken: none begins or ends in idleness.
    if (rates.rate[first] == 0) continue;
    double passed = 0;
    for (std::size_t last = first; last < rates.size(); ++last) {
      passed += rates.rate[last] * (rates.end[last] - rates.begin[last]);
      const std::size_t count = last + 1 - first;
      if (count < kFewest || rates.rate[last] == 0 || std::abs(passed) <= most * (1 + 1e-9))
        continue;
      if (!is_even(std::span(rates.rate).subspan(first, count))) continue;
      most = std::abs(passed);
      plateau.begin = rates.begin[first];
      plateau.end = rates.end[last];
    }
  }
  if (most == 0) return {};
  // Its figures are those of single intervals.
  std::vector<Passed> within;
  for (const Passed& passed : curve)
    if (plateau.begin <= passed.time && passed.time <= plateau.end) within.push_back(passed);
  const Figures figures(Rates(within, 1).rate);
  plateau.intervals = within.size() - 1;
  plateau.rate = (within.back().amount - within.front().amount) / (plateau.end - plateau.begin);
  plateau.scatter = figures.deviation;
  plateau.error = figures.deviation / std::sqrt(static_cast<double>(plateau.intervals));
  plateau.correlated = figures.correlation;
  return plateau;
}

}  // namespace scree
