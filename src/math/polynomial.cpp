#include "scree/math/polynomial.hpp"

#include <cmath>

namespace scree {
namespace {

double value(const Quartic& p, int degree, double t) {
  double sum = p[degree];
  for (int k = degree - 1; k >= 0; --k) sum = sum * t + p[k];
  return sum;
}

double slope(const Quartic& p, int degree, double t) {
  double sum = 0;
  for (int k = degree; k >= 1; --k) sum = sum * t + k * p[k];
  return sum;
}

/// Newton's method, safeguarded by bisection between two ends where p has opposite signs.
double root_between(const Quartic& p, int degree, double low, double high) {
  const bool rises = value(p, degree, low) < 0;
  double t = 0.5 * (low + high);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double f = value(p, degree, t);
    if (f == 0) return t;
    ((f < 0) == rises ? low : high) = t;
    double next = t - f / slope(p, degree, t);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == t || std::abs(next - t) <= 1e-16 * std::abs(t)) return next;
    t = next;
  }
  return t;
}

QuarticRoots sign_changes(const Quartic& p, int degree) {
  QuarticRoots roots;
  if (degree == 0) return roots;
  Quartic derivative{};
  for (int k = 1; k <= degree; ++k) derivative[k - 1] = k * p[k];
  const QuarticRoots extrema = sign_changes(derivative, degree - 1);
  double low = -1, at_low = value(p, degree, low);
  for (int k = 0; k <= extrema.count; ++k) {
    const double high = k < extrema.count ? extrema.at[k] : 1, at_high = value(p, degree, high);
    if ((at_low < 0) != (at_high < 0)) roots.at[roots.count++] = root_between(p, degree, low, high);
    low = high;
    at_low = at_high;
  }
  return roots;
}

}  // namespace

QuarticRoots sign_changes(const Quartic& p) { return sign_changes(p, 4); }

}  // namespace scree
