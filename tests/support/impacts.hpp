/// Impacts under compliant laws, flown by simulations.
#pragma once

#include <cmath>
#include <numbers>

#include "support/worlds.hpp"

namespace scree::test {

inline PairLaw linear_law(double k_n, double k_t, double mu, double restitution = 1) {
  PairLaw law{LawKind::cundall_strack, mu, restitution};
  law.force.k_n = k_n;
  law.force.k_t = k_t;
  return law;
}

inline PairLaw hertz_law(double mu, double restitution = 1) {
  return {LawKind::hertz_mindlin, mu, restitution};
}

/// What came of an impact.
struct FlownImpact {
  Body first, second;
  double deepest = 0;  ///< [m]
  double largest = 0;  ///< normal force [N]
  double lasted = 0;   ///< [s]
  Report report;
  double energy_before = 0, energy_after = 0;  ///< kinetic [J]
};

inline double kinetic_of(const Body& body, double inertia = 0.4) {
  return 0.5 * body.mass *
         (squared_norm(body.velocity) +
          inertia * body.radius * body.radius * squared_norm(body.angular_velocity));
}

/// Flies the bodies of a world, without gravity, until they have touched and parted.
inline FlownImpact fly(World world, int max_steps = 1'000'000) {
  world.model.gravity = {};
  Simulation simulation = world.simulation();
  FlownImpact impact;
  const double h = world.model.step.h;
  for (const Body& body : world.bodies) impact.energy_before += kinetic_of(body);
  bool touched = false;
  for (int k = 0; k < max_steps; ++k) {
    const Report& report = simulation.step();
    if (report.force_contacts > 0) {
      touched = true;
      impact.lasted += h;
      for (const ContactRecord& c : simulation.contacts()) {
        impact.deepest = std::max(impact.deepest, -c.gap);
        impact.largest = std::max(impact.largest, dot(c.impulse, c.normal) / h);
      }
    } else if (touched) {
      break;
    }
  }
  impact.report = simulation.report();
  impact.first = body_of(simulation, 0);
  if (world.bodies.size() > 1) impact.second = body_of(simulation, 1);
  for (std::size_t k = 0; k < world.bodies.size(); ++k)
    impact.energy_after += kinetic_of(body_of(simulation, k));
  return impact;
}

}  // namespace scree::test
