/// Exact accumulation of doubles in a wide integer, rounded once at the end.
#include "scree/core/exact_sum.hpp"

#include <bit>
#include <cmath>

namespace scree {

void ExactSum::add_outside(double term) {
  if (term == 0) return;
  std::uint64_t bits;
  std::memcpy(&bits, &term, sizeof bits);
  const std::uint64_t exponent = bits >> 52 & 0x7ff;
  // leaves room for 2^34 terms at the window's upper end
  constexpr std::uint64_t kTooLarge = 0x7ff - 2 * kWindow;
  if (window_exponent_ == kNoWindow && exponent > kWindow && exponent < kTooLarge) {
    window_exponent_ = exponent - kWindow / 2;
    add(term);
  } else {
    add_digits(term);
  }
}

void ExactSum::add_digits(double term) {
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
  const std::uint64_t lower = (mantissa & kDigitMask) << within;
  const std::uint64_t upper = (mantissa >> kDigitBits) << within;
  const auto sign = bits >> 63 ? std::int64_t{-1} : std::int64_t{1};
  digits_[low] += sign * static_cast<std::int64_t>(lower & kDigitMask);
  digits_[low + 1] +=
      sign * static_cast<std::int64_t>((lower >> kDigitBits) + (upper & kDigitMask));
  digits_[low + 2] += sign * static_cast<std::int64_t>(upper >> kDigitBits);
  low_ = std::min(low_, low);
  high_ = std::max(high_, low + 3);
  if (++terms_ == kMaxTerms) carry();
}

void ExactSum::add_window(Wide window, std::uint64_t exponent) {
  // Add 32 bits at a time, each an exact double: window · 2^(exponent − 1075).
  const bool negative = window < 0;
  if (negative) window = -window;
  for (int digit_index = 0; window != 0; ++digit_index, window >>= kDigitBits) {
    const double digits = static_cast<double>(static_cast<std::uint64_t>(window) & kDigitMask);
    const double term =
        std::ldexp(digits, kDigitBits * digit_index + static_cast<int>(exponent) - (kUnitBits + 1));
    add_digits(negative ? -term : term);
  }
}

double ExactSum::value() const {
  if (!(not_finite_ == 0)) return not_finite_;
  if (low_ >= high_)  // all terms are in the window: an integer, which the conversion rounds once
    return std::ldexp(static_cast<double>(window_),
                      static_cast<int>(window_exponent_) - (kUnitBits + 1));
  ExactSum sum = *this;
  sum.add_window(window_, window_exponent_);
  sum.carry();
  // After a carry, the highest non-zero digit has the sign of the sum.
  int top = static_cast<int>(sum.high_) - 1;
  while (top >= 0 && sum.digits_[static_cast<std::size_t>(top)] == 0) --top;
  const bool negative = top >= 0 && sum.digits_[static_cast<std::size_t>(top)] < 0;
  if (negative) {
    for (std::int64_t& digit : sum.digits_) digit = -digit;
    sum.carry();
  }
  while (top >= 0 && sum.digits_[static_cast<std::size_t>(top)] == 0) --top;
  if (top < 0) return 0;
  const auto digit = [&](int k) {
    return k >= 0 ? static_cast<std::uint64_t>(sum.digits_[static_cast<std::size_t>(k)]) : 0;
  };
  // Take the leading 64 bits, with a sticky bit for the rest: then the conversion rounds as the
  // whole sum would.
  std::uint64_t leading = digit(top) << kDigitBits | digit(top - 1);
  const int free = std::countl_zero(leading);
  const std::uint64_t next = digit(top - 2) << kDigitBits;
  bool rest = next << free != 0;
  leading = leading << free | (free > 0 ? next >> (64 - free) : 0);
  for (int k = top - 3; k >= 0 && !rest; --k) rest = digit(k) != 0;
  if (rest) leading |= 1;
  const double value =
      std::ldexp(static_cast<double>(leading), kDigitBits * (top - 1) - free - kUnitBits);
  return negative ? -value : value;
}

}  // namespace scree
