#include "scree/analysis/plateau.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree {
namespace {

constexpr std::size_t kMost = 2000;  // intervals; all stretches are looked at
constexpr std::size_t kFewest = 8, kQuarters = 4;
constexpr double kEven = 0.02;  // [-] of the mean: as even as anybody needs
constexpr double kDeviations = 3;

/// Above this a ratio of variances of three to `within` degrees of freedom is chance in one case of
/// a hundred: the limit for many of them, and a fit for few, true to 2 % from eight on.
double largest_ratio(std::size_t within) {
  return 3.78 * (1 + 5.3 / (static_cast<double>(within) - 2.7));
}

/// Rates of intervals, and sums over the first of them.
class Rates {
 public:
  explicit Rates(std::span<const Passed> curve) {
    const std::size_t step = (curve.size() - 1 + kMost - 1) / kMost;
    for (std::size_t k = 0; k + step < curve.size(); k += step) {
      const double time = curve[k + step].time - curve[k].time;
      if (!(time > 0)) continue;
      begin_.push_back(curve[k].time);
      end_.push_back(curve[k + step].time);
      rate_.push_back((curve[k + step].amount - curve[k].amount) / time);
      sum_.push_back(sum_.back() + rate_.back());
      squares_.push_back(squares_.back() + rate_.back() * rate_.back());
    }
  }

  std::size_t size() const { return rate_.size(); }
  double rate(std::size_t k) const { return rate_[k]; }
  double begin(std::size_t k) const { return begin_[k]; }
  double end(std::size_t k) const { return end_[k]; }
  double mean(std::size_t first, std::size_t last) const {
    return (sum_[last] - sum_[first]) / static_cast<double>(last - first);
  }
  /// Sum of squares about the mean.
  double spread(std::size_t first, std::size_t last) const {
    const double m = mean(first, last), n = static_cast<double>(last - first);
    return std::max(0.0, squares_[last] - squares_[first] - n * m * m);
  }

 private:
  std::vector<double> begin_, end_, rate_;
  std::vector<double> sum_{0}, squares_{0};
};

bool are_quarters_even(const Rates& rates, std::size_t first, std::size_t last) {
  const double mean = rates.mean(first, last);
  double between = 0, within = 0;
  bool near = true;
  for (std::size_t q = 0; q < kQuarters; ++q) {
    const std::size_t a = first + (last - first) * q / kQuarters,
                      b = first + (last - first) * (q + 1) / kQuarters;
    const double off = rates.mean(a, b) - mean;
    near = near && std::abs(off) <= kEven * std::abs(mean);
    between += static_cast<double>(b - a) * off * off;
    within += rates.spread(a, b);
  }
  const std::size_t freedom = last - first - kQuarters;
  return near || between / (kQuarters - 1) <=
                     largest_ratio(freedom) * within / static_cast<double>(freedom);
}

bool is_even(const Rates& rates, std::size_t first, std::size_t last) {
  const double mean = rates.mean(first, last);
  const double deviation =
      std::sqrt(rates.spread(first, last) / static_cast<double>(last - first - 1));
  const double far = std::max(kDeviations * deviation, kEven * std::abs(mean));
  return std::abs(rates.rate(first) - mean) <= far &&
         std::abs(rates.rate(last - 1) - mean) <= far && are_quarters_even(rates, first, last);
}

double correlation_of(const Rates& rates, std::size_t first, std::size_t last) {
  const double mean = rates.mean(first, last), spread = rates.spread(first, last);
  double sum = 0;
  for (std::size_t k = first; k + 1 < last; ++k)
    sum += (rates.rate(k) - mean) * (rates.rate(k + 1) - mean);
  return spread > 0 ? sum / spread : 0;
}

}  // namespace

std::optional<Plateau> plateau_of(std::span<const Passed> curve) {
  if (curve.size() <= kFewest) return {};
  const Rates rates(curve);
  std::optional<std::array<std::size_t, 2>> best;
  double most = 0;
  for (std::size_t first = 0; first < rates.size(); ++first) {
    for (std::size_t last = first + kFewest; last <= rates.size(); ++last) {
      const double passed =
          std::abs(rates.mean(first, last)) * (rates.end(last - 1) - rates.begin(first));
      // What adds nothing but rounding makes no stretch better.
      if (passed > most * (1 + 1e-9) && is_even(rates, first, last)) {
        most = passed;
        best = {first, last};
      }
    }
  }
  if (!best) return {};
  const auto [first, last] = *best;
  const auto count = static_cast<double>(last - first);
  Plateau plateau;
  plateau.begin = rates.begin(first);
  plateau.end = rates.end(last - 1);
  plateau.intervals = last - first;
  plateau.rate = rates.mean(first, last);
  plateau.scatter = std::sqrt(rates.spread(first, last) / (count - 1));
  plateau.error = plateau.scatter / std::sqrt(count);
  plateau.correlated = correlation_of(rates, first, last);
  return plateau;
}

}  // namespace scree
