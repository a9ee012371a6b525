/// Bracketing of a sign change by false position.
#pragma once

#include <algorithm>
#include <cmath>

namespace scree {

/// Two arguments between which a function changes its sign, and its values there.
struct Bracket {
  double a, b, f_a, f_b;
};

/// Narrows a bracket to a width of at most `enough` by false position, halving the weight of an end
/// that stays (Illinois). Both ends are equal if the function is zero there.
template <class F>
Bracket narrowed(Bracket bracket, double enough, const F& f) {
  constexpr int kMaxSteps = 60;
  auto [a, b, f_a, f_b] = bracket;
  const bool falls = f_a > f_b;
  for (int step = 0; step < kMaxSteps && std::abs(b - a) > enough; ++step) {
    const double c = std::clamp((a * f_b - b * f_a) / (f_b - f_a), std::min(a, b), std::max(a, b));
    const double f_c = f(c);
    if (f_c == 0) return {c, c, 0, 0};
    if ((f_c > 0) == falls) {
      a = c;
      f_a = f_c;
      f_b *= 0.5;
    } else {
      b = c;
      f_b = f_c;
      f_a *= 0.5;
    }
  }
  return {a, b, f_a, f_b};
}

}  // namespace scree
