/// Where a function changes its sign.
#pragma once

#include <algorithm>
#include <cmath>

namespace scree {

/// Two places between which a function changes its sign, and its values there.
struct Bracket {
  double a, b, f_a, f_b;
};

/// The bracket when it is no wider than `enough`: by false position, which halves the weight of an
/// end that stays (Illinois). Its ends are one where the function is zero.
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
