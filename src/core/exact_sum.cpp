#include "scree/core/exact_sum.hpp"

#include <cmath>

namespace scree {

double ExactSum::value() const {
  if (!(not_finite_ == 0)) return not_finite_;
  ExactSum sum = *this;
  sum.carry();
  const bool negative = sum.digits_[kDigits - 1] < 0;
  if (negative) {
    for (std::int64_t& digit : sum.digits_) digit = -digit;
    sum.carry();
  }
  // The highest digits hold all the bits that count; from the lowest of them up, so that each addition rounds what is small.
  std::size_t top = kDigits;
  while (top > 0 && sum.digits_[top - 1] == 0) --top;
  double value = 0;
  for (std::size_t k = top > 3 ? top - 3 : 0; k < top; ++k)
    value += std::ldexp(static_cast<double>(sum.digits_[k]), kDigitBits * static_cast<int>(k) - 1074);
  return negative ? -value : value;
}

}  // namespace scree
