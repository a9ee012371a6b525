/// Roots of trigonometric polynomials of degree two: Halley's method, cubics and quartics in
/// half-angle tangents.
#include "scree/math/trigonometric.hpp"

#include <cmath>
#include <span>

namespace scree {
namespace {

/// Coefficients by ascending power.
using Polynomial = std::array<double, 5>;

double polynomial_value(const Polynomial& p, int degree, double t) {
  double sum = p[degree];
  for (int k = degree; k-- > 0;) sum = sum * t + p[k];
  return sum;
}

/// Root of a monotone section with a sign change: Newton's method, safeguarded by bisection.
double bracketed_root(const Polynomial& p, const Polynomial& slope, int degree, double low,
                      double high) {
  const bool rising = polynomial_value(p, degree, high) > 0;
  double t = 0.5 * (low + high);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double f = polynomial_value(p, degree, t);
    if (f == 0) return t;
    ((f > 0) == rising ? high : low) = t;
    const double newton = t - f / polynomial_value(slope, degree - 1, t);
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (next == t || high - low <= 1e-16 * (1 + std::abs(t))) return next;
    t = next;
  }
  return t;
}

/// Roots of a polynomial in [−1, 1], ascending, in `roots`; returns their number. A critical point
/// whose value has the size of rounding counts as a (double) root.
int roots_in_unit_interval(const Polynomial& p, int degree, std::span<double, 5> roots) {
  if (degree == 0) return 0;
  Polynomial slope{};
  double scale = std::abs(p[0]);
  for (int k = 1; k <= degree; ++k) {
    slope[k - 1] = k * p[k];
    scale += std::abs(p[k]);
  }
  std::array<double, 5> knots{};
  const int inner = roots_in_unit_interval(slope, degree - 1, knots);

  int count = 0;
  double low = -1, f_low = polynomial_value(p, degree, low);
  for (int k = 0; k <= inner; ++k) {
    const double high = k < inner ? knots[k] : 1;
    const double f_high = polynomial_value(p, degree, high);
    if ((f_low < 0 && f_high > 0) || (f_low > 0 && f_high < 0))
      roots[count++] = bracketed_root(p, slope, degree, low, high);
    else if (count < degree && std::abs(f_high) <= 4e-16 * scale)
      roots[count++] = high;
    low = high;
    f_low = f_high;
    if (count == degree) break;
  }
  return count;
}

/// Adds a root unless it is known already, from the common end of two half circles.
void add(DirectionRoots& roots, const Direction& e) {
  for (int k = 0; k < roots.count; ++k)
    if (dot(roots.at[k], e) > 0 && std::abs(cross(roots.at[k], e)) < 1e-13) return;
  if (roots.count < 4) roots.at[roots.count++] = e;
}

/// Root between two of eight directions where F has opposite signs: Halley's method, safeguarded by
/// bisection.
bool root_between_samples(const TrigonometricQuadratic& f, Direction& e) {
  constexpr double h = 0.70710678118654752440;
  constexpr Direction compass[9] = {{1, 0},   {h, h},  {0, 1},  {-h, h}, {-1, 0},
                                    {-h, -h}, {0, -1}, {h, -h}, {1, 0}};
  const double along = h * (f.c1 + f.s1), across = h * (f.s1 - f.c1);
  const double at[9] = {f.c0 + f.c1 + f.c2,   f.c0 + along + f.s2,  f.c0 + f.s1 - f.c2,
                        f.c0 + across - f.s2, f.c0 - f.c1 + f.c2,   f.c0 - along + f.s2,
                        f.c0 - f.s1 - f.c2,   f.c0 - across - f.s2, f.c0 + f.c1 + f.c2};
  int k = 0;
  while (k < 8 && (at[k] > 0) == (at[k + 1] > 0)) ++k;
  if (k == 8) return false;
  Direction low = compass[k], high = compass[k + 1];
  const bool rising = at[k + 1] > 0;
  const double tolerance = 4e-16 * f.scale();
  for (int iteration = 0; iteration < 60; ++iteration) {
    e = between(low, high);
    if (Direction near = e; root_near(f, near) && cross(low, near) >= 0 && cross(near, high) >= 0) {
      e = near;
      return true;
    }
    const double middle = f(e);
    if (std::abs(middle) <= tolerance) return true;
    ((middle > 0) == rising ? high : low) = e;
  }
  return true;
}

/// Real roots of x³ + a x² + b x + c, |c| ≤ 1: one or three. Returns 0 if two of them are so close
/// that their number is uncertain.
int cubic_roots(double a, double b, double c, double (&x)[3]) {
  const double shift = -a / 3;
  const double q = (a * a - 3 * b) / 9, r = ((2 * a * a - 9 * b) * a + 27 * c) / 54;
  const double q3 = q * q * q, discriminant = r * r - q3;
  // Rounding of q and r has the size of the terms that cancel in them, and must not decide.
  const double q_terms = a * a + 3 * std::abs(b),
               r_terms = std::abs(a) * (a * a + std::abs(b)) + std::abs(c);
  if (!(std::abs(discriminant) >
        1e-7 * (r * r + std::abs(q3)) + 1e-10 * (std::abs(r) * r_terms + q * q * q_terms)))
    return 0;
  if (discriminant > 0) {
    const double large = std::cbrt(std::abs(r) + std::sqrt(discriminant));
    x[0] = shift - std::copysign(large + q / large, r);
    return 1;
  }
  // cos(θ/3) and sin(θ/3) yield all three
  const double root = std::sqrt(q), third = std::acos(r / (q * root)) / 3;
  const double c3 = std::cos(third), s3 = 1.7320508075688772935 * std::sqrt(1 - c3 * c3);
  x[0] = shift - 2 * root * c3;
  x[1] = shift + root * (c3 - s3);
  x[2] = shift + root * (c3 + s3);
  return 3;
}

}  // namespace

bool root_near(const TrigonometricQuadratic& f, Direction& e) {
  double last = 2.5;
  for (int iteration = 0; iteration < 6; ++iteration) {
    const double value = f(e), slope = f.slope(e);
    const double step = -2 * value * slope / (2 * slope * slope - value * f.curvature(e)),
                 size = std::abs(step);
    if (!(size < 0.2 * last)) return false;  // towards a double root steps shrink by a third
    e = turned(e, 0.5 * step);
    // The next step would have the size of rounding, unless this one is short only because F has an
    // extremum here.
    if (size < 2e-6) return std::abs(value) <= 2 * size * std::abs(slope);
    last = size;
  }
  return false;
}

DirectionRoots real_roots(const TrigonometricQuadratic& f) {
  DirectionRoots found;
  // Half circle about α = 0, then about α = π, where cos α and sin α change sign.
  for (const double sign : {1.0, -1.0}) {
    const double c1 = sign * f.c1, s1 = sign * f.s1;
    const Polynomial quartic{f.c0 + c1 + f.c2, 2 * s1 + 4 * f.s2, 2 * f.c0 - 6 * f.c2,
                             2 * s1 - 4 * f.s2, f.c0 - c1 + f.c2};
    std::array<double, 5> t{};
    const int count = roots_in_unit_interval(quartic, 4, t);
    for (int k = 0; k < count; ++k) add(found, turned(Direction{sign, 0}, t[k]));
  }
  return found;
}

DirectionRoots real_roots(const TrigonometricQuadratic& f, const Direction& hint) {
  Direction first = hint;
  if (!root_near(f, first) && !root_between_samples(f, first)) return real_roots(f);
  // F about the first root, divided by t = tan(β/2): k0 + k1 t + k2 t² + k3 t³, or in 1/t if that
  // keeps the roots small.
  const double c2 = (first.c - first.s) * (first.c + first.s), s2 = 2 * first.s * first.c;
  const double c1_rotated = f.c1 * first.c + f.s1 * first.s,
               s1_rotated = f.s1 * first.c - f.c1 * first.s;
  const double c2_rotated = f.c2 * c2 + f.s2 * s2, s2_rotated = f.s2 * c2 - f.c2 * s2;
  const double k0 = 2 * s1_rotated + 4 * s2_rotated, k1 = -2 * c1_rotated - 8 * c2_rotated;
  const double k2 = 2 * s1_rotated - 4 * s2_rotated, k3 = -2 * c1_rotated;
  const bool inverted = std::abs(k0) > std::abs(k3);
  const double lead = inverted ? k0 : k3;
  double x[3];
  const int count = inverted ? cubic_roots(k1 / lead, k2 / lead, k3 / lead, x)
                             : cubic_roots(k2 / lead, k1 / lead, k0 / lead, x);
  if (count == 0) return real_roots(f);

  DirectionRoots found{{first}, 1};
  for (int k = 0; k < count; ++k) {
    const double length = std::sqrt(1 + x[k] * x[k]);
    const double half_c = (inverted ? x[k] : 1) / length, half_s = (inverted ? 1 : x[k]) / length;
    const double c = (half_c - half_s) * (half_c + half_s), s = 2 * half_c * half_s;
    Direction e{first.c * c - first.s * s, first.s * c + first.c * s};
    if (!root_near(f, e)) return real_roots(f);
    found.at[found.count++] = e;
  }
  return found;
}

}  // namespace scree
