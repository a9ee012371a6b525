/// Piles of grains under a compliant law.
#pragma once

#include <cmath>
#include <numbers>

#include "support/worlds.hpp"

namespace scree::test {

/// A pile of grains of 5 mm that fall on each other; a fiftieth of their contact time a step.
inline World soft_pile(int count, PairLaw law, std::uint64_t seed) {
  const double min_mass = 4.0 / 3 * std::numbers::pi * std::pow(3.5e-3, 3) * 1000;
  const double h = std::numbers::pi * std::sqrt(min_mass / 2 / law.force.k_n) / 50;
  World world = random_pile(count, law, h, seed);
  world.model.solver.max_sweeps = 200;
  return world;
}

inline PairLaw soft(double restitution = 0.5) { return linear_law(1e4, 3e3, 0.4, restitution); }

}  // namespace scree::test
