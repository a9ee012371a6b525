/// A sum that does not depend on the order of its terms.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace scree {

/// Adds doubles without rounding and rounds once, in value(). The result has the same bits in any
/// order of terms, and for any split into partial sums. After Kulisch: an integer wide enough that
/// every double is a multiple of its unit, in 32-bit digits with deferred carries. A term that is
/// not finite makes the sum not finite.
///
/// Fast path: terms within a window of exponents around the first term are added in 128 bits, up to
/// 2^34 of them.
class ExactSum {
 public:
  void add(double term) {
    std::uint64_t bits;
    std::memcpy(&bits, &term, sizeof bits);
    const std::uint64_t shift = (bits >> 52 & 0x7ff) - window_exponent_;
    if (shift > kWindow) {
      add_outside(term);
      return;
    }
    const auto mantissa =
        static_cast<std::int64_t>((bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52);
    const std::int64_t sign = static_cast<std::int64_t>(bits) >> 63;  // 0 or −1
    window_ += static_cast<Wide>((mantissa ^ sign) - sign) << shift;
  }

  ExactSum& operator+=(const ExactSum& other) {
    for (std::size_t k = other.low_; k < other.high_; ++k) digits_[k] += other.digits_[k];
    low_ = std::min(low_, other.low_);
    high_ = std::max(high_, other.high_);
    not_finite_ += other.not_finite_;
    terms_ += other.terms_;
    if (terms_ >= kMaxTerms) carry();
    if (other.window_ == 0) return *this;
    if (window_exponent_ == kNoWindow) window_exponent_ = other.window_exponent_;
    if (window_exponent_ == other.window_exponent_)
      window_ += other.window_;
    else
      add_window(other.window_, other.window_exponent_);
    return *this;
  }

  /// Removes all terms; cost is proportional to the digits in use.
  void clear() {
    for (std::size_t k = low_; k < high_; ++k) digits_[k] = 0;
    low_ = kDigits;
    high_ = 0;
    terms_ = 0;
    not_finite_ = 0;
    window_ = 0;
    window_exponent_ = kNoWindow;
  }

  /// Sum, rounded once to nearest.
  double value() const;

 private:
  __extension__ using Wide = __int128;
  static constexpr std::uint64_t kWindow = 40, kNoWindow = 0x1000;

  /// Adds a term outside the window; the first term sets the window.
  void add_outside(double term);
  void add_digits(double term);
  /// Adds the content of a window; `exponent` belongs to its smallest terms.
  void add_window(Wide window, std::uint64_t exponent);

  /// Unit of the lowest digit: 2^−1074, the smallest double
  static constexpr int kDigitBits = 32, kUnitBits = 1074;
  static constexpr std::uint64_t kDigitMask = 0xffffffff;
  /// 2098 bits of terms, and bits for their number
  static constexpr std::size_t kDigits = 68;
  /// Limit before a carry: each term adds less than 2^33 to a digit, and two such sums are added
  static constexpr std::int64_t kMaxTerms = 1 << 28;

  /// Brings every digit but the highest into [0, 2^32).
  void carry() {
    for (std::size_t k = low_; k < high_ && k + 1 < kDigits; ++k) {
      const std::int64_t over = digits_[k] >> kDigitBits;
      if (over == 0) continue;
      digits_[k] -= over * (std::int64_t{1} << kDigitBits);
      digits_[k + 1] += over;
      high_ = std::max(high_, k + 2);
    }
    terms_ = 1;  // the remainder counts as one term
  }

  std::array<std::int64_t, kDigits> digits_{};
  std::size_t low_ = kDigits, high_ = 0;  ///< digits outside [low_, high_) are zero
  std::int64_t terms_ = 0;
  double not_finite_ = 0;
  Wide window_ = 0;
  std::uint64_t window_exponent_ = kNoWindow;  ///< of its smallest terms, biased as in their bits
};

}  // namespace scree
