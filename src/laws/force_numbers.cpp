#include "scree/laws/force_numbers.hpp"

#include <cmath>
#include <numbers>

namespace scree::force {
namespace {

/// Fraction of critical damping for a coefficient of restitution. A dashpot that resists only the
/// approach lets the spring return all its energy, so its coefficient of restitution is the square
/// root of that of a dashpot that resists both ways.
double damping_fraction(const Scheme& scheme, double restitution) {
  if (scheme.kind == ForceKind::spring_dashpot)
    return critical_damping_fraction(restitution * restitution, false);
  return critical_damping_fraction(restitution, scheme.attraction);
}

}  // namespace

Numbers numbers_of(const PairLaw& law, const ElasticModuli& a, const ElasticModuli& b) {
  const ForceParameters& p = law.force;
  Numbers n;
  n.scheme.kind = force_kind(law.kind);
  n.scheme.rotations = p.rotations;
  n.scheme.branch = p.branch;
  n.scheme.attraction = p.attraction;
  const bool hertz = n.scheme.kind == ForceKind::hertz_mindlin;
  const ContactModuli moduli = contact_moduli(a, b);
  const bool from_moduli = hertz && p.k_n == 0;
  n.k_n = from_moduli ? 4.0 / 3 * moduli.young : p.k_n;
  n.k_t = from_moduli ? 8 * moduli.shear : p.k_t;
  if (n.scheme.kind == ForceKind::spring_dashpot) n.k_t = 0;

  const double factor = hertz ? std::sqrt(5.0) : 2.0;
  if (p.normal_damping)
    n.fixed_damping = *p.normal_damping;
  else
    n.damping = factor * damping_fraction(n.scheme, law.restitution);
  n.tangential = p.tangential_damping.value_or(0);
  n.damping_ratio = p.tangential_damping ? 0 : p.damping_ratio;
  n.friction = law.friction;
  n.cohesion = law.cohesion;
  if (hertz && law.adhesion > 0)
    n.adhesion = std::sqrt(2 * std::numbers::pi * law.adhesion / (0.75 * n.k_n));
  n.rolling_length = law.rolling_friction;
  n.spinning_length = law.spinning_friction;
  n.rolling_stiffness = p.rolling_stiffness.value_or(-1);
  n.spinning_stiffness = p.spinning_stiffness.value_or(-1);
  n.rolling_damping = p.rolling_damping;
  return n;
}

double min_overlap(const Numbers& n, double radius) {
  if (!(n.adhesion > 0)) return 0;
  const double min_patch = std::cbrt(radius * radius * n.adhesion * n.adhesion / 16);
  return -3 * min_patch * min_patch / radius;
}

}  // namespace scree::force
