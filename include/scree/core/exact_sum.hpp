/// A sum that does not depend on the order of its terms.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace scree {

/// Adds doubles without rounding, and rounds the sum when it is asked for: the same bits in any
/// order, and however terms were shared out to several sums that are then added. After Kulisch: an
/// integer so wide that every double is a multiple of its unit, in digits of 32 bits that may
/// overflow for a while. Terms that are not finite make the sum so.
class ExactSum {
 public:
  void add(double term) {
    if (term == 0) return;
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
    const std::uint64_t lower = (mantissa & kDigitMask) << within, upper = (mantissa >> kDigitBits)
                                                                           << within;
    const auto sign = bits >> 63 ? std::int64_t{-1} : std::int64_t{1};
    digits_[low] += sign * static_cast<std::int64_t>(lower & kDigitMask);
    digits_[low + 1] +=
        sign * static_cast<std::int64_t>((lower >> kDigitBits) + (upper & kDigitMask));
    digits_[low + 2] += sign * static_cast<std::int64_t>(upper >> kDigitBits);
    low_ = std::min(low_, low);
    high_ = std::max(high_, low + 3);
    if (++terms_ == kMostTerms) carry();
  }

  ExactSum& operator+=(const ExactSum& other) {
    for (std::size_t k = other.low_; k < other.high_; ++k) digits_[k] += other.digits_[k];
    low_ = std::min(low_, other.low_);
    high_ = std::max(high_, other.high_);
    not_finite_ += other.not_finite_;
    terms_ += other.terms_;
    if (terms_ >= kMostTerms) carry();
    return *this;
  }

  /// Back to no terms; costs what was used alone.
  void clear() {
    for (std::size_t k = low_; k < high_; ++k) digits_[k] = 0;
    low_ = kDigits;
    high_ = 0;
    terms_ = 0;
    not_finite_ = 0;
  }

  /// The sum, rounded once, to nearest.
  double value() const;

 private:
  /// The unit is 2^−1074, the least of all doubles
  static constexpr int kDigitBits = 32, kUnitBits = 1074;
  static constexpr std::uint64_t kDigitMask = 0xffffffff;
  /// 2098 bits of terms, and room for their number
  static constexpr std::size_t kDigits = 68;
  /// Each adds less than 2^33 to a digit; two such sums are added
  static constexpr std::int64_t kMostTerms = 1 << 28;

  /// Brings every digit but the highest into [0, 2^32).
  void carry() {
    for (std::size_t k = low_; k < high_ && k + 1 < kDigits; ++k) {
      const std::int64_t over = digits_[k] >> kDigitBits;
      if (over == 0) continue;
      digits_[k] -= over * (std::int64_t{1} << kDigitBits);
      digits_[k + 1] += over;
      high_ = std::max(high_, k + 2);
    }
    terms_ = 1;  // what is left counts as one
  }

  std::array<std::int64_t, kDigits> digits_{};
  std::size_t low_ = kDigits, high_ = 0;  ///< digits outside [low_, high_) are zero
  std::int64_t terms_ = 0;
  double not_finite_ = 0;
};

}  // namespace scree
