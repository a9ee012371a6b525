/// Arithmetic on the shortest decimals of doubles, with a single rounding.
#include "scree/core/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace scree {
namespace {

/// Number of powers of ten that a double holds exactly.
constexpr int kExactPowersOfTen = 23;
constexpr std::array<double, kExactPowersOfTen> powers_of_ten() {
  std::array<double, kExactPowersOfTen> powers{1};
  for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = 10 * powers[k - 1];
  return powers;
}
double power_of_ten(int k) {
  static constexpr auto kPowersOfTen = powers_of_ten();
  return kPowersOfTen[static_cast<std::size_t>(k)];
}

/// Limit up to which doubles hold every whole number; sums and products below it are exact.
constexpr double kMaxExactInteger = 9007199254740992;
bool is_exact(double whole) { return std::abs(whole) <= kMaxExactInteger; }

/// Decimal number digits / 10^decimals.
struct Decimal {
  double digits;
  int decimals;
};

/// Decimal of a double; empty if a double cannot hold its digits or the power of ten.
std::optional<Decimal> decimal_of(double x) {
  if (x == 0) return Decimal{0, 0};
  // The shortest text that reads back to x: -d.ddde-xx.
  std::array<char, 32> text{};
  const auto [end, status] =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::scientific);
  if (status != std::errc() || !std::isfinite(x)) return {};
  Decimal decimal{0, 0};
  const char* const begin = text.data();
  const char* const last = end;
  const char* at = std::find(begin, last, 'e');
  const char* point = std::find(begin, at, '.');
  for (const char* c = begin; c != at; ++c)
    if (*c >= '0' && *c <= '9') decimal.digits = 10 * decimal.digits + (*c - '0');
  int exponent = 0;
  std::from_chars(at + (at[1] == '+' ? 2 : 1), last, exponent);
  decimal.decimals = (point == at ? 0 : static_cast<int>(at - point) - 1) - exponent;
  if (!is_exact(decimal.digits) || decimal.decimals < 0 || decimal.decimals >= kExactPowersOfTen)
    return {};
  decimal.digits = std::copysign(decimal.digits, x);
  return decimal;
}

/// Weighted mean (n_a · a + n_b · b) / denominator; empty if it cannot be computed with a single
/// rounding.
std::optional<double> mix(double n_a, double a, double n_b, double b, double denominator) {
  const auto x = decimal_of(a), y = decimal_of(b);
  if (!x || !y) return {};
  const int decimals = std::max(x->decimals, y->decimals);
  const double first = n_a * x->digits * power_of_ten(decimals - x->decimals),
               second = n_b * y->digits * power_of_ten(decimals - y->decimals),
               divisor = denominator * power_of_ten(decimals);
  const bool exact = is_exact(n_a * x->digits) && is_exact(n_b * y->digits) && is_exact(first) &&
                     is_exact(second) && is_exact(first + second) &&
                     (denominator == 1 || is_exact(divisor));
  return exact ? std::optional((first + second) / divisor) : std::nullopt;
}

}  // namespace

double decimal_multiple(std::uint64_t n, double x, std::uint64_t denominator) {
  const auto count = static_cast<double>(n), divisor = static_cast<double>(denominator);
  return mix(count, x, 0, 0, divisor).value_or(count * x / divisor);
}

double decimal_mean(std::uint64_t n_a, double a, std::uint64_t n_b, double b) {
  const auto weight_a = static_cast<double>(n_a), weight_b = static_cast<double>(n_b),
             weight = weight_a + weight_b;
  return mix(weight_a, a, weight_b, b, weight).value_or((weight_a * a + weight_b * b) / weight);
}

}  // namespace scree
