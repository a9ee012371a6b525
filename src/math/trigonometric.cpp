#include "scree/math/trigonometric.hpp"

#include <cmath>
#include <numbers>
#include <span>

namespace scree {
namespace {

/// Coefficients by ascending power.
using Polynomial = std::array<double, 5>;

double value(const Polynomial& p, int degree, double t) {
  double sum = p[degree];
  for (int k = degree; k-- > 0;) sum = sum * t + p[k];
  return sum;
}

/// The root of a monotone piece with a change of sign: Newton, kept inside the bracket by bisection.
double bracketed_root(const Polynomial& p, const Polynomial& slope, int degree, double low, double high) {
  const bool rising = value(p, degree, high) > 0;
  double t = 0.5 * (low + high);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double f = value(p, degree, t);
    if (f == 0) return t;
    ((f > 0) == rising ? high : low) = t;
    const double newton = t - f / value(slope, degree - 1, t);
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (next == t || high - low <= 1e-16 * (1 + std::abs(t))) return next;
    t = next;
  }
  return t;
}

/// Roots of a polynomial in [−1, 1], ascending, into `roots`; returns how many. A critical point with a value of rounding size
/// counts as a (double) root.
int roots_in_unit_interval(const Polynomial& p, int degree, std::span<double, 5> roots) {
  if (degree == 0) return 0;
  Polynomial slope{};
  double scale = std::abs(p[0]);
  for (int k = 1; k <= degree; ++k) slope[k - 1] = k * p[k], scale += std::abs(p[k]);
  std::array<double, 5> knots{};
  const int inner = roots_in_unit_interval(slope, degree - 1, knots);

  int count = 0;
  double low = -1, f_low = value(p, degree, low);
  for (int k = 0; k <= inner; ++k) {
    const double high = k < inner ? knots[k] : 1;
    const double f_high = value(p, degree, high);
    if ((f_low < 0 && f_high > 0) || (f_low > 0 && f_high < 0))
      roots[count++] = bracketed_root(p, slope, degree, low, high);
    else if (count < degree && std::abs(f_high) <= 4e-16 * scale)
      roots[count++] = high;
    low = high, f_low = f_high;
    if (count == degree) break;
  }
  return count;
}

}  // namespace

double TrigonometricQuadratic::operator()(double angle) const {
  return c0 + c1 * std::cos(angle) + s1 * std::sin(angle) + c2 * std::cos(2 * angle) + s2 * std::sin(2 * angle);
}

AngleRoots real_roots(const TrigonometricQuadratic& f) {
  AngleRoots found;
  // Half circle about α = 0, then about α = π, where cos α and sin α change sign.
  for (const double sign : {1.0, -1.0}) {
    const double c1 = sign * f.c1, s1 = sign * f.s1;
    const Polynomial quartic{f.c0 + c1 + f.c2, 2 * s1 + 4 * f.s2, 2 * f.c0 - 6 * f.c2, 2 * s1 - 4 * f.s2,
                             f.c0 - c1 + f.c2};
    std::array<double, 5> t{};
    const int count = roots_in_unit_interval(quartic, 4, t);
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * std::atan(t[k]);
      found.angle[found.count++] = sign > 0 ? angle : angle > 0 ? angle - std::numbers::pi : angle + std::numbers::pi;
    }
  }
  return found;
}

}  // namespace scree
