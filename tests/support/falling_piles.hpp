/// Piles that fall, and what each step of them must obey.
#pragma once

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>

#include "support/worlds.hpp"

namespace scree::test {

/// Checks each step of falling piles: contacts only take energy. The pile of seed 2 obeys the law
/// of maximum dissipation, the others Coulomb's.
inline void expect_that_piles_create_no_energy(int bodies,
                                               std::initializer_list<std::uint64_t> seeds) {
  for (const std::uint64_t seed : seeds) {
    World world = random_pile(
        bodies, seed == 2 ? PairLaw{LawKind::max_dissipation, 0.8, 0} : coulomb(0.4), 2e-4, seed);
    Simulation simulation = world.simulation();
    const double start = simulation.report().kinetic_energy + simulation.report().potential_energy;
    double mass = 0;
    for (const double m : simulation.state().bodies.mass) mass += m;
    // Undoing penetrations lifts the pile, each of its layers no faster than the default recovery
    // speed.
    const double h = world.model.step.h, layers = 20;
    const double recovery = 1e-4 * std::sqrt(kGravity * 6.5e-3) + 0.01 * kGravity * h;
    const double lift = mass * kGravity * h * layers * recovery;
    double total = start, dissipated = 0;
    for (int k = 0; k < 10'000; ++k) {
      const Report& r = simulation.step();
      const double now = r.kinetic_energy + r.potential_energy;
      ASSERT_LE(now, total + lift) << "seed " << seed << " step " << k;
      ASSERT_LE(now, start * (1 + 1e-13));
      // What rises against gravity when it is stopped gives back ⅛ m h² |g|² at most:
      // docs/theory/time_stepping.md.
      ASSERT_GE(r.dissipated_energy, dissipated - mass * h * h * kGravity * kGravity / 8 - lift)
          << "seed " << seed << " step " << k;
      ASSERT_EQ(r["bodies_not_finite"].value, 0u);
      total = now, dissipated = r.dissipated_energy;
    }
    EXPECT_GT(dissipated, 0.1 * start) << "the pile has fallen";
  }
}

}  // namespace scree::test
