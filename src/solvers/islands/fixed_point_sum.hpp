/// A small sum that does not depend on the order of its terms: one for each of many islands, for
/// which ExactSum is too large. Our own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace scree {

/// Unit of the sums of parts of a whole: a power of two.
struct FixedPointUnit {
  double value = 1, inverse = 1;

  /// For parts of a positive sum: 70 binary digits before its rounding.
  static FixedPointUnit of(double sum) {
    constexpr int kDigits = 70, kLimit = 900;
    if (!(sum > 0) || !std::isfinite(sum)) return {};
    const int exponent = std::clamp(std::ilogb(sum) - kDigits, -kLimit, kLimit);
    return {std::ldexp(1, exponent), std::ldexp(1, -exponent)};
  }
};

/// Sum that is the same in any order.
class FixedPointSum {
 public:
  void add(double term, const FixedPointUnit& unit) {
    const double scaled = term * unit.inverse;
    if (std::abs(scaled) < kMaxFast)
      units_ += static_cast<std::int64_t>(scaled);
    else  // NaN and what is beyond the range count as the largest number
      units_ += static_cast<Units>(scaled < kMax ? std::max(scaled, -kMax) : kMax);
  }
  FixedPointSum& operator+=(const FixedPointSum& other) {
    units_ += other.units_;
    return *this;
  }
  double value(const FixedPointUnit& unit) const {
    return static_cast<double>(units_) * unit.value;
  }

 private:
  __extension__ using Units = __int128;
  static constexpr double kMaxFast = 0x1p63, kMax = 0x1p92;  // 2^34 terms do not overflow
  Units units_ = 0;
};

}  // namespace scree
