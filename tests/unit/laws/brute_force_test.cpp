#include <gtest/gtest.h>

#include "laws/max_dissipation_solvers.hpp"
#include "scree/laws/pair_law.hpp"
#include "unit/laws/oracle.hpp"

namespace scree {
namespace {

using namespace test;

constexpr int kTrials = 200;

class EveryKind : public testing::TestWithParam<Kind> {
 protected:
  RandomStream random_{static_cast<std::uint64_t>(GetParam()) + 100, 0};
  Problem next() { return random_problem(GetParam(), random_); }
  double tolerance() const { return GetParam() == Kind::ill_conditioned ? 1e-6 : 1e-8; }
};

/// Relative error of r, and energy not above the least there is.
void expect_least(const Problem& p, const Vec3& r, const Real3& expected, double tolerance) {
  const Vec3 reference = rounded(expected);
  EXPECT_LE(norm(r - reference), tolerance * norm(reference));
  const double min_value = static_cast<double>(energy(p, expected));
  EXPECT_LE(energy(p.W, p.q, r), min_value + 1e-10 * std::abs(min_value));
  EXPECT_LE(tangential_norm(r), p.mu * r.x * (1 + 1e-12));
}

TEST_P(EveryKind, MaxDissipationIsTheLeastEnergyInThePlane) {
  for (int trial = 0; trial < kTrials; ++trial) {
    const Problem p = next();
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    Vec3 r;
    ASSERT_EQ(MaxDissipation{p.mu}.solve(p.W, p.q, r), LocalStatus::solved);
    expect_least(p, r, max_dissipation_by_force(p), tolerance());
  }
}

TEST_P(EveryKind, ConeComplementarityIsTheLeastEnergyInTheCone) {
  for (int trial = 0; trial < kTrials; ++trial) {
    Problem p = next();
    if (trial % 4 == 0) p.q.x = -p.q.x;  // it can act on contacts that separate
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    Vec3 r;
    ASSERT_EQ(ConeComplementarity{p.mu}.solve(p.W, p.q, r), LocalStatus::solved);
    expect_least(p, r, cone_complementarity_by_force(p), tolerance());
  }
}

TEST_P(EveryKind, TheTwoSolversOfMaxDissipationAgree) {
  int sliding = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Problem p = next();
    const Vec3 stick = rounded(sticking(p));
    if (p.mu == 0 || p.q.x == 0 || in_cone(sticking(p), p.mu)) continue;
    ++sliding;
    const sliding::Contact contact{p.W, p.q, p.mu};
    const auto bisection = max_dissipation::by_bisection(contact, stick),
               quartic = max_dissipation::by_quartic(contact);
    EXPECT_TRUE(bisection.optimal && quartic.optimal) << "trial " << trial;
    EXPECT_LE(norm(bisection.r - quartic.r), tolerance() * norm(quartic.r)) << "trial " << trial;
  }
  if (GetParam() != Kind::frictionless && GetParam() != Kind::no_normal_velocity)
    EXPECT_GT(sliding, 300);
}

/// The kinds with a curve to scan for Coulomb's law.
class EveryCurve : public EveryKind {};

TEST_P(EveryCurve, CoulombsSlidingSolutionsAreThoseOfADenseScan) {
  int jammed = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Problem p = next();
    if (trial % 2 == 0) p.q.x = -p.q.x;  // separating by itself, but it may jam
    const ContactSolutions all = Coulomb{p.mu}.solve_all(p.W, p.q);
    ASSERT_EQ(all.status, LocalStatus::solved) << "trial " << trial;
    std::vector<Vec3> sliding;
    for (const ContactSolution& s : all)
      if (s.kind == ContactClass::sliding) sliding.push_back(s.r);
    auto scanned = coulomb_sliding_by_force(p, 1000);
    if (scanned.size() != sliding.size())
      scanned = coulomb_sliding_by_force(p, 200'000);  // two roots close to each other
    ASSERT_EQ(sliding.size(), scanned.size()) << "trial " << trial;
    for (const Real3& expected : scanned) {
      double nearest = INFINITY;
      for (const Vec3& r : sliding)
        nearest = std::min(nearest, norm(r - rounded(expected)) / norm(r));
      EXPECT_LE(nearest, tolerance()) << "trial " << trial;
    }
    jammed += p.q.x > 0 && !sliding.empty();
  }
  if (GetParam() == Kind::hyperbolic) EXPECT_GT(jammed, 10);
}

INSTANTIATE_TEST_SUITE_P(, EveryCurve,
                         testing::Values(Kind::well_conditioned, Kind::ill_conditioned,
                                         Kind::high_friction, Kind::strongly_coupled,
                                         Kind::near_parabolic, Kind::parabolic, Kind::hyperbolic),
                         [](const auto& kind) { return name(kind.param); });
INSTANTIATE_TEST_SUITE_P(, EveryKind, testing::ValuesIn(kAllKinds),
                         [](const auto& kind) { return name(kind.param); });

TEST(Coulomb, SlidesAlongTheTwoRaysOfThePlaneWhereBodiesNeitherMeetNorPart) {
  RandomStream random{210, 0};
  int found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Problem p = random_problem(Kind::no_normal_velocity, random);
    const ContactSolutions all = Coulomb{p.mu}.solve_all(p.W, p.q);
    ASSERT_GE(all.count, 1);
    EXPECT_EQ(all.at[0].kind, ContactClass::separating);
    const Real toward = std::atan2(static_cast<Real>(p.W.xz), static_cast<Real>(p.W.xy));
    const Real spread = std::acos(
        -p.W.xx / (p.mu * std::hypot(static_cast<Real>(p.W.xy), static_cast<Real>(p.W.xz))));
    int expected = 0;
    for (const Real angle : {toward - spread, toward + spread}) {
      // The part of u across e is linear in ρ.
      const Real c = std::cos(angle), s = std::sin(angle);
      const Real3 ray{1, p.mu * c, p.mu * s}, a = apply(p.W, ray);
      const Real rho = -(c * p.q.z - s * p.q.y) / (c * a.z - s * a.y);
      const Real along = c * (rho * a.y + p.q.y) + s * (rho * a.z + p.q.z);
      if (!(rho > 0 && along <= 0)) continue;
      ++expected;
      const Vec3 reference = rounded({rho, rho * ray.y, rho * ray.z});
      double nearest = INFINITY;
      for (const ContactSolution& solution : all)
        nearest = std::min(nearest, norm(solution.r - reference) / norm(reference));
      EXPECT_LE(nearest, 1e-8) << "trial " << trial;
    }
    int sliding = 0;
    for (const ContactSolution& solution : all) sliding += solution.kind == ContactClass::sliding;
    EXPECT_EQ(sliding, expected) << "trial " << trial;
    found += expected;
  }
  EXPECT_GT(found, 100);
}

/// The least energy on a conic that is nearly a parabola: a scan of t = tan ½δ, δ the angle from
/// −w, over 24 decades from zero and from where the conic goes to infinity, and golden sections.
Real3 min_near_parabola(const Problem& p) {
  const Real coupling = std::hypot(static_cast<Real>(p.W.xy), static_cast<Real>(p.W.xz)), mu = p.mu;
  const Real c = -p.W.xy / coupling, s = -p.W.xz / coupling, a0 = p.W.xx - mu * coupling,
             a2 = p.W.xx + mu * coupling;
  const Real asymptote = std::sqrt(std::max<Real>(0, -a0 / a2));
  const auto at = [&](Real x) -> Real3 {  // x in [−1, 1]
    const Real distance = std::pow(Real{10}, 24 * std::abs(x) - 12), sign = x < 0 ? -1 : 1,
               t = sign * (asymptote + distance);
    const Real normal =
                   asymptote > 0 ? a2 * distance * (2 * asymptote + distance) : a0 + a2 * t * t,
               scale = -p.q.x / normal;
    const Real along = mu * scale * (1 - t * t), across = mu * scale * 2 * t;
    return {scale * (1 + t * t), along * c - across * s, along * s + across * c};
  };
  constexpr int kSamples = 5000;
  const auto cost = [&](Real x) { return energy(p, at(x)); };
  Real best = -1, min_value = std::numeric_limits<Real>::infinity();
  for (int k = -kSamples; k <= kSamples; ++k)
    if (const Real x = static_cast<Real>(k) / kSamples, e = cost(x); e < min_value)
      best = x, min_value = e;
  Real low = best - Real{1} / kSamples, high = best + Real{1} / kSamples;
  constexpr Real kGolden = 0.6180339887498948482L;
  for (int iteration = 0; iteration < 80; ++iteration) {
    const Real a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    if (cost(a) < cost(b))
      high = b;
    else
      low = a;
  }
  return at((low + high) / 2);
}

TEST(MaxDissipation, FindsTheLeastEnergyNearTheParabolaHoweverSlowlyBodiesMeet) {
  RandomStream random{300, 0};
  int sliding = 0;
  for (int trial = 0; trial < 500; ++trial) {
    Problem p = random_problem(Kind::well_conditioned, random);
    const double off = (random.uniform() < 0.5 ? -1 : 1) * std::pow(10, random.uniform(-12, -0.5));
    p.mu = (1 + off) * p.W.xx / std::hypot(p.W.xy, p.W.xz);
    p.q.x = -std::pow(10, random.uniform(-10, 0));
    if (in_cone(sticking(p), p.mu)) continue;
    SCOPED_TRACE(testing::Message() << "trial " << trial << ", off " << off << ", q_n " << p.q.x);
    ++sliding;
    Vec3 r;
    ASSERT_EQ(MaxDissipation{p.mu}.solve(p.W, p.q, r), LocalStatus::solved);
    const Real3 expected = min_near_parabola(p);
    const double min_value = static_cast<double>(energy(p, expected));
    EXPECT_LE(energy(p.W, p.q, r), min_value + 1e-10 * std::abs(min_value));
    EXPECT_LE(norm(r - rounded(expected)), 1e-8 * norm(rounded(expected)));
  }
  EXPECT_GT(sliding, 250);
}

TEST(MaxDissipation, FindsTheLowerOfTwoMinimaOfTheConic) {
  RandomStream random{200, 0};
  int found = 0;
  for (int trial = 0; trial < 4000 && found < 100; ++trial) {
    const Problem p = random_problem(Kind::strongly_coupled, random);
    if (in_cone(sticking(p), p.mu)) continue;
    int minima = 0;
    const Real3 expected = min_on_conic(p, &minima);
    if (minima < 2) continue;
    ++found;
    // From every side: the warm start must not decide which one it is.
    for (int k = 0; k < 16; ++k) {
      Vec3 r{1, std::cos(k * 0.4), std::sin(k * 0.4)};
      ASSERT_EQ(MaxDissipation{p.mu}.solve(p.W, p.q, r), LocalStatus::solved);
      expect_least(p, r, expected, 1e-8);
    }
  }
  EXPECT_EQ(found, 100);
}

}  // namespace
}  // namespace scree
