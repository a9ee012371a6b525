/// A random search for an impact that makes energy.
#pragma once

#include <gtest/gtest.h>

#include "scree/laws/restitution.hpp"
#include "unit/laws/oracle.hpp"

namespace scree::test {

inline constexpr LawKind kLawsThatBounce[] = {LawKind::frictionless, LawKind::coulomb,
                                              LawKind::max_dissipation,
                                              LawKind::cone_complementarity};
inline constexpr RestitutionHypothesis kHypotheses[] = {
    RestitutionHypothesis::newton, RestitutionHypothesis::poisson, RestitutionHypothesis::stronge};

/// ½ uᵀW⁻¹u [J]: the kinetic energy that the contact can take from the bodies.
inline double kinetic_energy(const SymMat3& W, const Vec3& u) {
  Vec3 momentum;
  return solve_positive_definite(W, u, momentum) ? 0.5 * dot(u, momentum) : 0;
}

/// Impacts of every class, law and hypothesis, with e in [0, 1] and often 1, where nothing is lost
/// that could hide a gain. Energy must not grow by more than rounding, bodies must not go on
/// approaching, impulses must lie in the cone.
inline void search_for_energy(std::uint64_t seed, int problems) {
  RandomStream random{seed, 0};
  int impacts = 0, limited = 0;
  for (int trial = 0; trial < problems; ++trial) {
    Problem p = random_problem(kAllKinds[random.next_bits() % std::size(kAllKinds)], random);
    if (random.uniform() < 0.1) p.q.x = -p.q.x;
    const double e = random.uniform() < 0.3 ? 1 : random.uniform(),
                 before = kinetic_energy(p.W, p.q);
    const LawKind kind = kLawsThatBounce[random.next_bits() % std::size(kLawsThatBounce)];
    for (const RestitutionHypothesis hypothesis : kHypotheses) {
      const Impact i = impact({kind, p.mu, e}, hypothesis, p.W, p.q);
      const bool sound = i.status == LocalStatus::solved && i.energy <= 1e-12 * before &&
                         i.u_plus.x >= std::min(0.0, p.q.x) * 1e-8 - 1e-9 * norm(p.q) &&
                         tangential_norm(i.r) <= p.mu * i.r.x * (1 + 1e-9) + 1e-14;
      ASSERT_TRUE(sound) << "seed " << seed << " trial " << trial << ": " << name(kind)
                         << ", hypothesis " << static_cast<int>(hypothesis) << ", e " << e
                         << ": energy " << i.energy << " of " << before << " J, u_n " << i.u_plus.x
                         << " m/s";
      ++impacts, limited += i.limited;
    }
  }
  EXPECT_GT(limited, impacts / 1000);
}

}  // namespace scree::test
