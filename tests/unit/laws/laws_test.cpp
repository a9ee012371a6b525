#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "scree/laws/bilateral.hpp"
#include "scree/laws/impact_dissipation.hpp"
#include "scree/laws/pair_law.hpp"
#include "unit/laws/oracle.hpp"

namespace scree {
namespace {

using namespace test;
using std::numbers::pi;

/// f(law) for every law with friction μ.
template <class F>
void for_every_law(double mu, F&& f) {
  f(Frictionless{});
  f(Coulomb{mu});
  f(Coulomb{mu, Coulomb::Choice::continuity});
  f(Coulomb{mu, Coulomb::Choice::min_impulse});
  f(MaxDissipation{mu});
  f(ImpactDissipation{mu});
  f(ImpactDissipation{mu, false});
  f(ConeComplementarity{mu});
  f(Bilateral{});
}

TEST(EveryLaw, LeavesNoResidualAndMakesNoEnergy) {
  RandomStream random{12, 0};
  for (int trial = 0; trial < 20'000; ++trial) {
    const Problem p = random_problem(kAllKinds[trial % std::size(kAllKinds)], random);
    for_every_law(p.mu, [&](const auto& law) {
      Vec3 r;
      ASSERT_EQ(law.solve(p.W, p.q, r), LocalStatus::solved) << "trial " << trial;
      const Vec3 u = p.W * r + p.q;
      const double scale = norm(p.q) * (1 + p.mu) + p.W.trace() * norm(r);
      EXPECT_LT(norm(law.residual(p.W, u, r)), 1e-8 * scale) << "trial " << trial;
      EXPECT_LE(norm(r - law.project(r)), 1e-12 * norm(r)) << "trial " << trial;
      EXPECT_GE(dissipation(p.W, u, r), -1e-12 * scale * norm(r)) << "trial " << trial;
      EXPECT_NEAR(dissipation(p.W, u, r), -energy(p.W, p.q, r), 1e-12 * scale * norm(r))
          << "trial " << trial;
    });
  }
}

TEST(EveryLaw, AnswersTheSameFromAnyWarmStartWhereTheSolutionIsOne) {
  RandomStream random{13, 0};
  for (int trial = 0; trial < 5'000; ++trial) {
    const Problem p = random_problem(kAllKinds[trial % std::size(kAllKinds)], random);
    for_every_law(p.mu, [&](const auto& law) {
      if constexpr (std::is_same_v<std::decay_t<decltype(law)>, Coulomb>)
        if (law.choice != Coulomb::Choice::dissipation) return;
      Vec3 cold, warm{std::abs(random.normal()), random.normal(), random.normal()};
      law.solve(p.W, p.q, cold);
      law.solve(p.W, p.q, warm);
      EXPECT_LE(norm(warm - cold), 1e-6 * norm(cold)) << "trial " << trial;
    });
  }
}

TEST(EveryLaw, ScalesWithItsUnits) {
  RandomStream random{14, 0};
  for (int trial = 0; trial < 2'000; ++trial) {
    const Problem p = random_problem(kAllKinds[trial % std::size(kAllKinds)], random);
    const double w = std::scalbn(1, static_cast<int>(random.uniform(-800, 800))),
                 v = std::scalbn(1, static_cast<int>(random.uniform(-100, 100)));
    const SymMat3 W{w * p.W.xx, w * p.W.xy, w * p.W.xz, w * p.W.yy, w * p.W.yz, w * p.W.zz};
    for_every_law(p.mu, [&](const auto& law) {
      Vec3 r, scaled;
      law.solve(p.W, p.q, r);
      ASSERT_EQ(law.solve(W, v * p.q, scaled), LocalStatus::solved) << "trial " << trial;
      EXPECT_LE(norm((w / v) * scaled - r), 1e-6 * norm(r)) << "trial " << trial;
    });
  }
}

TEST(EveryLaw, LeavesASeparatingContactAlone) {
  for (const AnyLaw& law : {AnyLaw{Frictionless{}}, AnyLaw{Coulomb{0.5}},
                            AnyLaw{MaxDissipation{0.5}}, AnyLaw{ConeComplementarity{0.5}}})
    std::visit(
        [](const auto& l) {
          Vec3 r{1, 2, 3};
          EXPECT_EQ(l.solve(diagonal(1, 2, 2), {2.6, 5, 1}, r), LocalStatus::solved);
          EXPECT_EQ(r, Vec3{});
        },
        law);
}

TEST(EveryLaw, RefusesBlocksAndVelocitiesThatAreNoProblemAtAll) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  for_every_law(0.5, [&](const auto& law) {
    Vec3 r{1, 2, 3};
    EXPECT_EQ(law.solve(diagonal(-1, 1, 1), {-1, 0, 0}, r), LocalStatus::ill_posed);
    EXPECT_EQ(law.solve(diagonal(nan, 1, 1), {-1, 0, 0}, r), LocalStatus::ill_posed);
    EXPECT_EQ(law.solve(diagonal(1, 1, 1), {nan, 0, 0}, r), LocalStatus::ill_posed);
    EXPECT_EQ(law.solve(diagonal(1, 1, 1), {-1, infinity, 0}, r), LocalStatus::ill_posed);
    EXPECT_EQ(law.solve(diagonal(1e-200, 1, 1), {-1e200, 0, 0}, r), LocalStatus::ill_posed)
        << "r is no number";
    EXPECT_EQ(r, Vec3{});
  });
  for_every_law(0.5, [&](const auto& law) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(law)>, Frictionless>) {
      Vec3 r{1, 2, 3};
      EXPECT_EQ(law.solve({1, 2, 0, 1, 0, 1}, {-1, 0, 0}, r), LocalStatus::ill_posed)
          << "W is indefinite";
      EXPECT_EQ(r, Vec3{});
    }
  });
  EXPECT_EQ(Coulomb{0.5}.solve_all({1, 2, 0, 1, 0, 1}, {-1, 0, 0}).status, LocalStatus::ill_posed);
  EXPECT_EQ(Coulomb{0.5}.solve_all(diagonal(1, 1, 1), {nan, 0, 0}).status, LocalStatus::ill_posed);
}

TEST(ImpactDissipation, IsMaximumDissipationAtAnImpactAndCoulombsLawInASlide) {
  RandomStream random{16, 0};
  for (int trial = 0; trial < 5'000; ++trial) {
    Problem p = random_problem(kAllKinds[trial % std::size(kAllKinds)], random);
    // Below a Painlevé number of 1, so that friction locks no contact.
    p.mu *= std::min(1.0, 0.9 / std::max(painleve_number(p.W, p.mu), 1e-9));
    Vec3 max_dissipation, coulomb, impact, slide;
    MaxDissipation{p.mu}.solve(p.W, p.q, max_dissipation);
    Coulomb{p.mu}.solve(p.W, p.q, coulomb);
    ImpactDissipation{p.mu}.solve(p.W, p.q, impact);
    ImpactDissipation{p.mu, false}.solve(p.W, p.q, slide);
    ASSERT_EQ(impact, max_dissipation) << "trial " << trial;
    ASSERT_EQ(slide, coulomb) << "trial " << trial;
  }
}

TEST(ImpactDissipation, MaximisesDissipationWhereNoForceCanHoldASlide) {
  // Friction against this slip closes the contact three times as fast as r_n opens it.
  const SymMat3 W{1, 3, 0, 12, 2, 4};
  const Vec3 q{-1e-3, 1, 0.5};
  Vec3 slide, max_dissipation;
  ImpactDissipation{1, false}.solve(W, q, slide);
  MaxDissipation{1}.solve(W, q, max_dissipation);
  EXPECT_EQ(slide, max_dissipation);
  EXPECT_GT(norm(slide), 0.01) << "an impulse, although q_n is small";
}

/// Two bodies with masses up to 1e9 apart, slender, of any size and arm.
SymMat3 block_of_unequal_bodies(RandomStream& random) {
  double w[3][3] = {};
  for (int body = 0; body < 2; ++body) {
    const double mass = std::pow(10, random.uniform(-4.5, 4.5)),
                 length = std::pow(10, random.uniform(-3, 1));
    const double inertia = mass * length * length;
    Quaternion turn{random.normal(), random.normal(), random.normal(), random.normal()};
    const double size =
        std::sqrt(turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    turn = {turn.w / size, turn.x / size, turn.y / size, turn.z / size};
    const SymMat3 inverse =
        rotated_diagonal(turn, {std::pow(10, random.uniform(0, 4)) / inertia,
                                std::pow(10, random.uniform(0, 2)) / inertia, 1 / inertia});
    const Vec3 arm = length * Vec3{random.normal(), random.normal(), random.normal()},
               axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        w[i][j] += (i == j) / mass + dot(cross(arm, axes[i]), inverse * cross(arm, axes[j]));
  }
  return {w[0][0], w[0][1], w[0][2], w[1][1], w[1][2], w[2][2]};
}

TEST(EveryLaw, SolvesContactsOfVeryUnequalBodies) {
  RandomStream random{15, 0};
  for (int trial = 0; trial < 20'000; ++trial) {
    const SymMat3 W = block_of_unequal_bodies(random);
    const Vec3 q{random.normal() * std::pow(10, random.uniform(-6, 0)), random.normal(),
                 random.normal()};
    for_every_law(trial % 10 == 0 ? 0 : std::pow(10, random.uniform(-3, 2)), [&](const auto& law) {
      Vec3 r;
      ASSERT_EQ(law.solve(W, q, r), LocalStatus::solved) << "trial " << trial;
      EXPECT_LT(norm(law.residual(W, W * r + q, r)), 1e-7 * norm(q)) << "trial " << trial;
    });
  }
}

TEST(EveryLaw, IsRightOrSaysThatItIsNotWhereWIsIllConditioned) {
  RandomStream random{16, 0};
  int inexact = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const SymMat3 W = random_block(random, std::pow(10, random.uniform(6, 12)));
    const Vec3 q{random.normal(), random.normal(), random.normal()};
    const double mu = std::pow(10, random.uniform(-3, 2));
    const auto check = [&](const auto& law, double size) {
      Vec3 r;
      const LocalStatus status = law.solve(W, q, r);
      ASSERT_TRUE(is_finite(r));
      inexact += status == LocalStatus::inexact;
      if (status == LocalStatus::solved)
        EXPECT_LT(norm(law.residual(W, W * r + q, r)), 10 * kInexact * size) << "trial " << trial;
    };
    check(Coulomb{mu}, norm(q) * (1 + mu));
    check(ConeComplementarity{mu}, norm(q) * (1 + mu));
    check(Bilateral{}, norm(q));
  }
  EXPECT_GT(inexact, 0);
  EXPECT_LT(inexact, 6'000);
}

TEST(EveryLaw, GivesNumbersForAllNumbers) {
  RandomStream random{17, 0};
  const auto any = [&] {
    double x = std::numeric_limits<double>::quiet_NaN();
    while (!std::isfinite(x)) {
      const std::uint64_t bits = random.next_bits();
      std::memcpy(&x, &bits, sizeof x);
    }
    return random.uniform() < 0.1 ? 0 : x;
  };
  for (int trial = 0; trial < 100'000; ++trial) {
    SymMat3 W{any(), any(), any(), any(), any(), any()};
    if (trial % 2 == 0) {
      const double size = std::scalbn(1, static_cast<int>(random.uniform(-1070, 1000)));
      W = random_block(random, std::pow(10, random.uniform(0, 14)));
      W = {size * W.xx, size * W.xy, size * W.xz, size * W.yy, size * W.yz, size * W.zz};
    }
    const Vec3 q{any(), any(), any()}, warm{any(), any(), any()};
    const double mu = std::pow(10, random.uniform(-6, 3));
    for_every_law(mu, [&](const auto& law) {
      Vec3 r = warm;
      const LocalStatus status = law.solve(W, q, r);
      ASSERT_TRUE(is_finite(r)) << "trial " << trial;
      if (status == LocalStatus::ill_posed) ASSERT_EQ(r, Vec3{}) << "trial " << trial;
    });
    for (const ContactSolution& s : Coulomb{mu}.solve_all(W, q))
      ASSERT_TRUE(is_finite(s.r) && is_finite(s.u) && std::isfinite(s.energy)) << "trial " << trial;
  }
}

TEST(Bilateral, StopsTheContact) {
  const SymMat3 W{2, 0.5, 0.1, 3, 0.2, 1.5};
  Vec3 r;
  ASSERT_EQ(Bilateral{}.solve(W, {1, -2, 3}, r), LocalStatus::solved);
  EXPECT_LT(norm(W * r + Vec3{1, -2, 3}), 1e-15);
  EXPECT_EQ(Bilateral{}.project({-1, 5, 5}), (Vec3{-1, 5, 5})) << "it may pull";
}

TEST(Coulomb, AndMaxDissipationAreOneMapForSpheres) {
  RandomStream random{18, 0};
  for (int trial = 0; trial < 3000; ++trial) {
    const double w = random.uniform(0.1, 2), mu = random.uniform(0, 1.5);
    const Vec3 q{-std::abs(random.normal()), random.normal(), random.normal()};
    Vec3 a, b;
    Coulomb{mu}.solve(diagonal(w, 3.5 * w, 3.5 * w), q, a);
    MaxDissipation{mu}.solve(diagonal(w, 3.5 * w, 3.5 * w), q, b);
    EXPECT_LT(norm(a - b), 1e-12 * norm(a));
    // The closed form: stop the slip, or as much of it as μ r_n can.
    const double r_n = -q.x / w, slip = tangential_norm(q),
                 r_t = std::min(slip / (3.5 * w), mu * r_n);
    EXPECT_NEAR(a.x, r_n, 1e-12 * r_n);
    EXPECT_NEAR(tangential_norm(a), r_t, 1e-12 * r_n);
  }
}

TEST(Coulomb, HasOneSolutionWhereItsCriterionSaysSo) {
  RandomStream random{21, 0};
  int certain = 0, several = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Coulomb law{random.uniform(0, 2)};
    const SymMat3 W = random_block(random, std::pow(10, random.uniform(0, 2)));
    Vec3 q{random.normal(), random.normal(), random.normal()};
    // Near the border of sticking solutions meet.
    if (trial % 2 == 0) q = Vec3{0, 0.01 * q.y, 0.01 * q.z} - W * law.project({1, q.x, q.y});
    const int count = law.solve_all(W, q).count;
    if (law.has_one_solution(W))
      EXPECT_EQ(count, 1) << trial << " of mu " << law.mu;
    else
      several += count > 1;
    certain += law.has_one_solution(W);
  }
  EXPECT_GT(certain, 2000);
  EXPECT_GT(several, 200);
}

TEST(Coulomb, HasOneSolutionBetweenSpheresWhateverTheFriction) {
  for (const double mu : {0.0, 0.5, 100.0})
    EXPECT_TRUE(Coulomb{mu}.has_one_solution(diagonal(1, 3.5, 3.5)));
}

TEST(ConeComplementarity, LiftsASlidingSphereOffByMuTimesItsSlip) {
  // W = diag(w, k w, k w): u = s (μ, −e), and |r_t| = μ r_n gives s in closed form.
  RandomStream random{19, 0};
  int sliding = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const double w = random.uniform(0.1, 2), k = 3.5, mu = random.uniform(0.05, 1.5);
    const Vec3 q{random.normal(), random.normal(), random.normal()};
    Vec3 r;
    ASSERT_EQ(ConeComplementarity{mu}.solve(diagonal(w, k * w, k * w), q, r), LocalStatus::solved);
    const Vec3 u = diagonal(w, k * w, k * w) * r + q;
    if (ConeComplementarity{mu}.classify(r) != ContactClass::sliding) continue;
    ++sliding;
    const double slip = (tangential_norm(q) + k * mu * q.x) / (1 + k * mu * mu);
    EXPECT_NEAR(tangential_norm(u), slip, 1e-12 * norm(q));
    EXPECT_NEAR(u.x, mu * slip, 1e-12 * norm(q));
    EXPECT_NEAR(r.x, (mu * slip - q.x) / w, 1e-12 * norm(q) / w);
  }
  EXPECT_GT(sliding, 500);
}

TEST(PainleveNumber, ReachesOneWhereThePlaneIsParallelToARayOfTheCone) {
  const SymMat3 W{2, 0.3, -0.4, 3, 0.2, 1.5};
  EXPECT_DOUBLE_EQ(painleve_number(W, 4), 1);
  EXPECT_EQ(painleve_number(diagonal(1, 2, 2), 1e6), 0) << "spheres";
  EXPECT_EQ(painleve_number(W, 0), 0);
}

TEST(ProjectOnCone, GivesTheHalfLineWithoutFriction) {
  EXPECT_EQ(project_on_cone({-1, 0, 0}, 0), Vec3{});
  EXPECT_EQ(project_on_cone({-1, 2, 0}, 0), Vec3{});
  EXPECT_EQ(project_on_cone({3, 0, 0}, 0), (Vec3{3, 0, 0}));
  EXPECT_EQ(project_on_cone({3, 2, 1}, 0), (Vec3{3, 0, 0}));
}

TEST(ProjectOnCone, IsTheNearestPoint) {
  RandomStream random{20, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    const double mu = random.uniform(0, 2);
    const Vec3 r{random.normal(), random.normal(), random.normal()};
    const Vec3 p = project_on_cone(r, mu);
    EXPECT_LE(tangential_norm(p), mu * p.x + 1e-12);
    const double angle = random.uniform(0, 2 * pi), height = std::abs(random.normal());
    const double radius = mu * height * std::sqrt(random.uniform());
    const Vec3 other{height, radius * std::cos(angle), radius * std::sin(angle)};
    EXPECT_LE(norm(r - p), norm(r - other) + 1e-12);
  }
}

}  // namespace
}  // namespace scree
