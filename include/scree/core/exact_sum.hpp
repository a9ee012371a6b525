/// A sum that does not depend on the order of its terms.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace scree {

/// Adds doubles without rounding, and rounds the sum when it is asked for: the same bits in any order, and however terms were shared
/// out to several sums that are then added. After Kulisch: an integer so wide that every double is a multiple of its unit, in digits of
/// 32 bits that may overflow for a while. Terms that are not finite make the sum so.
class ExactSum {
 public:
  void add(double term) {
    std::uint64_t bits;
    std::memcpy(&bits, &term, sizeof bits);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) {
      not_finite_ += term;
      return;
    }
    // term = ± mantissa · 2^(shift − 1074)
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t mantissa = exponent > 0 ? fraction | std::uint64_t{1} << 52 : fraction;
    const int shift = exponent > 0 ? exponent - 1 : 0;
    const auto low = static_cast<std::size_t>(shift / kDigitBits);
    const int within = shift % kDigitBits;
    const std::uint64_t lower = (mantissa & kDigitMask) << within, upper = (mantissa >> kDigitBits) << within;
    const auto sign = bits >> 63 ? std::int64_t{-1} : std::int64_t{1};
    digits_[low] += sign * static_cast<std::int64_t>(lower & kDigitMask);
    digits_[low + 1] += sign * static_cast<std::int64_t>((lower >> kDigitBits) + (upper & kDigitMask));
    digits_[low + 2] += sign * static_cast<std::int64_t>(upper >> kDigitBits);
    if (++terms_ == kMostTerms) carry();
  }

  ExactSum& operator+=(const ExactSum& other) {
    ExactSum term = other;
    term.carry();
    carry();
    for (std::size_t k = 0; k < kDigits; ++k) digits_[k] += term.digits_[k];
    not_finite_ += other.not_finite_;
    carry();
    return *this;
  }

  /// The sum, rounded once, to nearest.
  double value() const;

 private:
  static constexpr int kDigitBits = 32, kUnitBits = 1074;  ///< the unit is 2^−1074, the least of all doubles
  static constexpr std::uint64_t kDigitMask = 0xffffffff;
  static constexpr std::size_t kDigits = 68;              ///< 2098 bits of terms, and room for their number
  static constexpr std::int32_t kMostTerms = 1 << 29;  ///< each adds less than 2^33 to a digit

  /// Brings every digit but the highest into [0, 2^32).
  void carry() {
    for (std::size_t k = 0; k + 1 < kDigits; ++k) {
      const std::int64_t over = digits_[k] >> kDigitBits;
      digits_[k] -= over * (std::int64_t{1} << kDigitBits);
      digits_[k + 1] += over;
    }
    terms_ = 0;
  }

  std::array<std::int64_t, kDigits> digits_{};
  std::int32_t terms_ = 0;
  double not_finite_ = 0;
};

}  // namespace scree
