#include "scree/laws/restitution.hpp"

#include <gtest/gtest.h>

#include "laws/tresca.hpp"
#include "unit/laws/energy_search.hpp"

namespace scree {
namespace {

using namespace test;

constexpr auto kNewton = RestitutionHypothesis::newton;
constexpr auto kPoisson = RestitutionHypothesis::poisson;
constexpr auto kStronge = RestitutionHypothesis::stronge;

/// Both ends of a rod of mass 1 and length 2 that stands at 60° to the plane it hits: m⁻¹ (1 + 3
/// cos² 60°) and so on.
const SymMat3 kRod{1.75, -0.75 * std::numbers::sqrt3, 0, 3.25, 0, 4};

TEST(Restitution, MakesNoEnergy) { search_for_energy(40, 100'000); }

TEST(Restitution, IsTheSameByAllHypothesesWhereNormalAndTangentialMotionAreNotCoupled) {
  RandomStream random{42, 0};
  for (int trial = 0; trial < 3000; ++trial) {
    const double w = random.uniform(0.1, 2), mu = random.uniform(0, 1.5), e = random.uniform();
    const SymMat3 W = diagonal(w, 3.5 * w, 3.5 * w);
    const Vec3 u{-std::abs(random.normal()), random.normal(), random.normal()};
    const double r_n = -(1 + e) * u.x / w, r_t = std::min(tangential_norm(u) / (3.5 * w), mu * r_n);
    for (const LawKind kind : {LawKind::coulomb, LawKind::max_dissipation})
      for (const auto hypothesis : kHypotheses) {
        const Impact i = impact({kind, mu, e}, hypothesis, W, u);
        EXPECT_NEAR(i.r.x, r_n, 1e-9 * r_n);
        EXPECT_NEAR(tangential_norm(i.r), r_t, 1e-9 * r_n);
        EXPECT_NEAR(i.u_plus.x, -e * u.x, 1e-9 * norm(u));
        EXPECT_FALSE(i.limited);
      }
  }
}

TEST(Restitution, GivesTheLawsOwnImpulseForZero) {
  RandomStream random{43, 0};
  for (int trial = 0; trial < 3000; ++trial) {
    const Problem p = random_problem(kAllKinds[trial % std::size(kAllKinds)], random);
    for (const LawKind kind : kLawsThatBounce)
      for (const auto hypothesis : kHypotheses) {
        Vec3 r;
        std::visit([&](const auto& law) { law.solve(p.W, p.q, r); }, law_of({kind, p.mu, 0}));
        EXPECT_EQ(impact({kind, p.mu, 0}, hypothesis, p.W, p.q).r, r) << "trial " << trial;
      }
  }
}

TEST(Restitution, IsOfWhatTheHypothesisSays) {
  RandomStream random{44, 0};
  int whole = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Problem p = random_problem(kAllKinds[trial % std::size(kAllKinds)], random);
    if (p.q.x == 0) continue;
    const double e = random.uniform();
    for (const LawKind kind : {LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation}) {
      const PairLaw law{kind, p.mu, e};
      EXPECT_NEAR(impact(law, kNewton, p.W, p.q).u_plus.x, -e * p.q.x, 1e-8 * norm(p.q))
          << "trial " << trial;
      const Impact poisson = impact(law, kPoisson, p.W, p.q);
      EXPECT_NEAR(poisson.r.x, (1 + e) * poisson.compression.x, 1e-12 * poisson.r.x)
          << "trial " << trial;
      const Impact stronge = impact(law, kStronge, p.W, p.q);
      if (stronge.limited) continue;
      ++whole;
      const double turn = p.q.x + (p.W * stronge.compression).x;
      const double taken = 0.5 * stronge.compression.x * (p.q.x + turn);
      const double given = 0.5 * (stronge.r.x - stronge.compression.x) * (turn + stronge.u_plus.x);
      // of u, a difference of large terms
      const double rounding = 1e-12 * p.W.trace() * squared_norm(stronge.r);
      EXPECT_NEAR(given, -e * e * taken, 1e-9 * std::abs(taken) + rounding) << "trial " << trial;
    }
  }
  EXPECT_GT(whole, 5000);
}

TEST(Restitution, DoesNothingToBodiesThatSeparate) {
  for (const auto hypothesis : kHypotheses)
    EXPECT_EQ(impact({LawKind::coulomb, 0.5, 0.8}, hypothesis, kRod, {1, 0.2, 0}).r, Vec3{});
}

TEST(Restitution, SaysWhenThereIsNoProblemToSolve) {
  for (const auto hypothesis : kHypotheses) {
    EXPECT_EQ(
        impact({LawKind::coulomb, 0.5, 0.8}, hypothesis, diagonal(-1, 1, 1), {-1, 0, 0}).status,
        LocalStatus::ill_posed);
    EXPECT_EQ(impact({LawKind::coulomb, 0.5, 0.8}, hypothesis, kRod, {-INFINITY, 0, 0}).status,
              LocalStatus::ill_posed);
  }
}

TEST(NewtonsRestitution, MakesEnergyIfOnlyTheNormalVelocityIsReflected) {
  // The rod arrives with slip and sticks: u⁺ = (1, 0, 0) by force, which takes more energy than u⁻
  // = (−1, ¾, 0) has.
  const Vec3 u_minus{-1, 0.75, 0}, naive = u_minus + Vec3{u_minus.x, 0, 0};
  Vec3 r;
  ASSERT_EQ(Coulomb{0.5}.solve(kRod, naive, r), LocalStatus::solved);
  EXPECT_LT(norm(u_minus + kRod * r - Vec3{1, 0, 0}), 1e-12);
  EXPECT_NEAR(kinetic_energy(kRod, {1, 0, 0}), 13.0 / 32, 1e-12);
  EXPECT_GT(energy(kRod, u_minus, r), 0.4 * kinetic_energy(kRod, u_minus));

  const Impact careful = impact({LawKind::coulomb, 0.5, 1}, kNewton, kRod, u_minus);
  EXPECT_NEAR(careful.u_plus.x, 1, 1e-12);
  EXPECT_LE(careful.energy, 0);
}

TEST(PoissonsRestitution, MakesEnergyIfFrictionTakesNoPartInIt) {
  // Friction wedges the rod in, so that compression takes a large impulse; given back without
  // friction it is too much.
  const Vec3 u_minus{-1, -0.5, 0};
  Vec3 r;
  ASSERT_EQ(Coulomb{1}.solve(kRod, u_minus, r), LocalStatus::solved);
  r.x *= 2;
  EXPECT_GT(energy(kRod, u_minus, r), 0.3 * kinetic_energy(kRod, u_minus));

  const Impact careful = impact({LawKind::coulomb, 1, 1}, kPoisson, kRod, u_minus);
  EXPECT_NEAR(careful.r.x, r.x, 1e-12);
  EXPECT_LE(careful.energy, 0);
}

TEST(TrescaImpulse, IsTheLeastEnergyInTheHalfDiscWhereBodiesPart) {
  RandomStream random{45, 0};
  int held = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const SymMat3 W = random_block(random, 100);
    const double r_n = 1, limit = std::pow(10, random.uniform(-2, 1));
    const Vec3 q{random.normal(), random.normal(), random.normal()};
    // Somewhere in the disc bodies must part, else there is nothing to find.
    if (q.x + W.xx * r_n + limit * std::hypot(W.xy, W.xz) < 0.01) continue;
    bool held_back = false;
    const Vec3 r = tresca_impulse(W, q, r_n, limit, held_back);
    held += held_back;
    EXPECT_EQ(r.x, r_n);
    EXPECT_LE(tangential_norm(r), limit * (1 + 1e-12));
    EXPECT_GE((W * r + q).x, -1e-12 * (norm(q) + W.trace() * norm(r)));
    const double min_value = energy(W, q, r);
    for (int k = 0; k < 300; ++k) {
      const double radius = limit * std::sqrt(random.uniform()),
                   angle = random.uniform(0, 2 * std::numbers::pi);
      const Vec3 other{r_n, radius * std::cos(angle), radius * std::sin(angle)};
      if ((W * other + q).x >= 0)
        ASSERT_GE(energy(W, q, other), min_value - 1e-12 * std::abs(min_value))
            << "trial " << trial;
    }
  }
  EXPECT_GT(held, 300);
}

}  // namespace
}  // namespace scree
