#include "scree/laws/force_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {

ContactModuli contact_moduli(const ElasticModuli& a, const ElasticModuli& b) {
  const auto compliance = [](const ElasticModuli& m) {
    return (1 - m.poisson * m.poisson) / m.young;
  };
  const auto shear_compliance = [](const ElasticModuli& m) {
    return 2 * (2 - m.poisson) * (1 + m.poisson) / m.young;
  };
  return {1 / (compliance(a) + compliance(b)), 1 / (shear_compliance(a) + shear_compliance(b))};
}

double restitution_of(double beta, bool attraction) {
  if (attraction) {
    if (beta >= 1) return 0;
    return std::exp(-std::numbers::pi * beta / std::sqrt(1 - beta * beta));
  }
  // arccos β / √(1 − β²) is smooth across β = 1, where it is 1.
  const double from_one = 1 - beta;
  if (std::abs(from_one) < 1e-4) return std::exp(-2 * beta * (1 + from_one / 3));
  const double angle = beta < 1 ? std::acos(beta) : std::acosh(beta);
  return std::exp(-2 * beta * angle / std::sqrt(std::abs(1 - beta * beta)));
}

double critical_damping_fraction(double restitution, bool attraction) {
  const double e = std::clamp(restitution, 1e-6, 1.0);
  if (attraction) {
    const double log = std::log(e);
    return -log / std::hypot(log, std::numbers::pi);
  }
  // Bisection to the last bits; e decreases with β.
  double low = 0, high = 1;
  while (restitution_of(high, false) > e) high *= 2;
  for (int k = 0; k < 200 && low < high; ++k) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (restitution_of(middle, false) > e ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace scree
