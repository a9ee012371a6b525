#include "scree/core/exact_sum.hpp"

#include <bit>
#include <cmath>

namespace scree {

double ExactSum::value() const {
  if (!(not_finite_ == 0)) return not_finite_;
  ExactSum sum = *this;
  sum.carry();
  // After a carry the sign of the highest digit that is not zero is that of the sum.
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
  // The leading 64 bits, and whether anything is left below: then the conversion rounds as the
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
