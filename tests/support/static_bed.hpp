/// A bed of soft grains that comes to rest under gravity.
#pragma once

#include <gtest/gtest.h>

#include "support/impacts.hpp"

namespace scree::test {

/// The mean net force on a grain over the mean force of a contact [-].
inline double unbalanced_fraction(const Simulation& simulation) {
  const double h = simulation.model().step.h;
  const Bodies& bodies = simulation.state().bodies;
  std::vector<Vec3> net(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    net[bodies.id[i].value] = bodies.mass[i] * simulation.model().gravity;
  double forces = 0;
  const std::vector<ContactRecord> contacts = simulation.contacts();
  for (const ContactRecord& c : contacts) {
    const Vec3 force = c.impulse / h;
    forces += norm(force);
    if (c.a.value < net.size()) net[c.a.value] -= force;
    if (c.b.value < net.size()) net[c.b.value] += force;
  }
  double unbalanced = 0;
  for (const Vec3& f : net) unbalanced += norm(f);
  return unbalanced / static_cast<double>(net.size()) /
         (forces / static_cast<double>(contacts.size()));
}

/// Of `count` grains of 5 mm that were thrown into a box, `time` [s] later. They have a little
/// rolling resistance: without it a sphere that leans on two walls rolls on.
inline double unbalanced_after_settling(int count, double time) {
  const double k_n = 1e3;
  PairLaw law = linear_law(k_n, 300, 0.4, 0.3);
  law.force.damping_ratio = 1;
  law.rolling_friction = 5e-5;
  const double min_mass = 4.0 / 3 * std::numbers::pi * std::pow(3.5e-3, 3) * 1000;
  World world = random_pile(count, law, std::numbers::pi * std::sqrt(min_mass / 2 / k_n) / 25, 9);
  world.model.step.local_damping = 0.3;
  Simulation simulation = world.simulation(2);
  run_until(simulation, time);
  return unbalanced_fraction(simulation);
}

}  // namespace scree::test
