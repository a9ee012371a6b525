/// Multiples and means of numbers that people write in decimals: 3 · 0.1 is 0.3 here, but
/// 0.30000000000000004 in doubles. A double stands for the shortest decimal that reads back to it,
/// and the result is rounded once. If the digits do not fit, plain double arithmetic is used.
#pragma once

#include <cstdint>

namespace scree {

/// Multiple n · x / denominator, rounded once.
double decimal_multiple(std::uint64_t n, double x, std::uint64_t denominator = 1);

/// Weighted mean (n_a · a + n_b · b) / (n_a + n_b), rounded once.
double decimal_mean(std::uint64_t n_a, double a, std::uint64_t n_b, double b);

}  // namespace scree
