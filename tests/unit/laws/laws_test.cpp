#include <gtest/gtest.h>
#include <limits>
#include <numbers>

#include "scree/laws/pair_law.hpp"
#include "scree/math/random.hpp"

namespace scree {
namespace {

using std::numbers::pi;

/// B Bᵀ with normal entries, stretched by up to `spread` along its axes: strongly coupled, now and then hyperbolic.
SymMat3 random_block(RandomStream& random, double spread) {
  double b[3][3], w[3][3] = {};
  for (auto& row : b)
    for (double& entry : row) entry = random.normal() * std::pow(spread, random.uniform(-0.5, 0.5));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) w[i][j] += b[i][k] * b[j][k];
  return {w[0][0], w[0][1], w[0][2], w[1][1], w[1][2], w[2][2]};
}

struct Problem {
  SymMat3 W;
  Vec3 q;
  double mu;
};

Problem random_problem(RandomStream& random) {
  return {random_block(random, random.uniform() < 0.5 ? 1 : 10),
          {-std::abs(random.normal()), random.normal(), random.normal()},
          random.uniform() < 0.2 ? random.uniform(0, 20) : random.uniform(0, 1.5)};
}

/// Lowest energy on the conic, by a scan of angles refined around the best: no root of any polynomial is used.
double least_energy_on_conic(const Problem& p) {
  const auto at = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const double r_n = -p.q.x / (p.W.xx + p.mu * (p.W.xy * c + p.W.xz * s));
    return r_n > 0 ? energy(p.W, p.q, {r_n, p.mu * r_n * c, p.mu * r_n * s}) : std::numeric_limits<double>::infinity();
  };
  constexpr int kSamples = 3000;
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kSamples; ++k)
    if (const double e = at(2 * pi * k / kSamples); e < least) least = e, best = 2 * pi * k / kSamples;
  for (double width = 2 * pi / kSamples; width > 1e-10; width *= 0.5)
    for (const double angle : {best - width, best + width})
      if (const double e = at(angle); e < least) least = e, best = angle;
  return least;
}

TEST(MaxDissipation, HasTheLowestEnergyOfAllPercussionsOnTheConic) {
  RandomStream random{11, 0};
  int sliding = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Problem p = random_problem(random);
    Vec3 r;
    ASSERT_EQ(MaxDissipation{p.mu}.solve(p.W, p.q, r), LocalStatus::solved) << "trial " << trial;
    const double scale = std::abs(energy(p.W, p.q, r));
    const double rounding = 1e-9 * (norm(p.q) + p.W.trace() * norm(r));
    EXPECT_NEAR((p.W * r + p.q).x, 0, rounding) << "stays in the plane of maximum compression";
    EXPECT_LE(tangential_norm(r), p.mu * r.x * (1 + 1e-9) + 1e-12);
    if (MaxDissipation{p.mu}.classify(r) != ContactClass::sliding) continue;
    ++sliding;
    EXPECT_LE(energy(p.W, p.q, r), least_energy_on_conic(p) + 1e-10 * scale) << "trial " << trial;
  }
  EXPECT_GT(sliding, 500);
}

TEST(Coulomb, AnswersHaveNoResidualAndOpposeTheSlip) {
  RandomStream random{12, 0};
  for (int trial = 0; trial < 20'000; ++trial) {
    const Problem p = random_problem(random);
    const Coulomb law{p.mu};
    Vec3 r;
    ASSERT_EQ(law.solve(p.W, p.q, r), LocalStatus::solved) << "trial " << trial;
    const Vec3 u = p.W * r + p.q;
    const double scale = norm(p.q) * (1 + p.mu) + p.W.trace() * norm(r);
    EXPECT_LT(law.residual(p.W, u, r), 1e-8 * scale) << "trial " << trial;
  }
}

TEST(Coulomb, AndMaxDissipationAreOneMapForSpheres) {
  RandomStream random{13, 0};
  for (int trial = 0; trial < 3000; ++trial) {
    const double w = random.uniform(0.1, 2), mu = random.uniform(0, 1.5);
    const Vec3 q{-std::abs(random.normal()), random.normal(), random.normal()};
    Vec3 a, b;
    Coulomb{mu}.solve(diagonal(w, 3.5 * w, 3.5 * w), q, a);
    MaxDissipation{mu}.solve(diagonal(w, 3.5 * w, 3.5 * w), q, b);
    EXPECT_LT(norm(a - b), 1e-9 * norm(a));
    // The closed form: stop the slip, or as much of it as μ r_n can.
    const double r_n = -q.x / w, slip = tangential_norm(q), r_t = std::min(slip / (3.5 * w), mu * r_n);
    EXPECT_NEAR(a.x, r_n, 1e-12 * r_n);
    EXPECT_NEAR(tangential_norm(a), r_t, 1e-9 * r_n);
  }
}

/// The academic single contact of [Preclik18, §4.1] in an orthonormal frame, where μ = 3.7 · 0.968313469… (the printed table
/// comes from tangents that are not of unit length).
const Problem kAcademic{{0.8619907007924331, 0.06948554307697678, 0.2211951308571858, 0.7683445489547382,
                         0.01792102975013237, 0.06139517081676399},
                        {-0.05993709905167472, 0.7353535391811254, 0.04650501662254124},
                        3.58275983664843};

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance);
}

TEST(MaxDissipation, SolvesTheAcademicContact) {
  Vec3 r;
  ASSERT_EQ(MaxDissipation{kAcademic.mu}.solve(kAcademic.W, kAcademic.q, r), LocalStatus::solved);
  expect_near(r, {1.603097763685123, -1.047580912485828, -5.647170135455607}, 1e-10);
  EXPECT_NEAR(energy(kAcademic.W, kAcademic.q, r), -0.6340074166739579, 1e-12);
}

TEST(Coulomb, TakesTheMostDissipativeOfTheAcademicContactsThreeSolutions) {
  Vec3 r;
  ASSERT_EQ(Coulomb{kAcademic.mu}.solve(kAcademic.W, kAcademic.q, r), LocalStatus::solved);
  expect_near(r, {1.558124573942665, -0.9614491813579098, -5.49896813343887}, 1e-10);
}

TEST(MaxDissipation, TriesBothRaysWhereEquation9TakesTheWorseOne) {
  const Problem p{{3.076176, -0.18600611, 0.22597718, 0.55402696, 0.92239163, 4.94570243},
                  {0, 0.02773719, -0.31954522},
                  22.819449576522864};
  Vec3 r;
  ASSERT_EQ(MaxDissipation{p.mu}.solve(p.W, p.q, r), LocalStatus::solved);
  EXPECT_NEAR(energy(p.W, p.q, r), -0.0006993315853265182, 1e-9) << "W and q are printed with eight digits";
}

TEST(EveryLaw, LeavesASeparatingContactAlone) {
  for (const AnyLaw& law : {AnyLaw{Frictionless{}}, AnyLaw{Coulomb{0.5}}, AnyLaw{MaxDissipation{0.5}}})
    std::visit(
        [](const auto& l) {
          Vec3 r{1, 2, 3};
          EXPECT_EQ(l.solve(diagonal(1, 2, 2), {0.1, 5, 5}, r), LocalStatus::solved);
          EXPECT_EQ(r, Vec3{});
        },
        law);
}

TEST(EveryLaw, RefusesBlocksAndVelocitiesThatAreNoProblemAtAll) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const AnyLaw& law : {AnyLaw{Frictionless{}}, AnyLaw{Coulomb{0.5}}, AnyLaw{MaxDissipation{0.5}}})
    std::visit(
        [&](const auto& l) {
          Vec3 r{1, 2, 3};
          EXPECT_EQ(l.solve(diagonal(-1, 1, 1), {-1, 0, 0}, r), LocalStatus::ill_posed);
          EXPECT_EQ(l.solve(diagonal(1, 1, 1), {nan, 0, 0}, r), LocalStatus::ill_posed);
          EXPECT_EQ(l.solve(diagonal(1, 1, 1), {-1, infinity, 0}, r), LocalStatus::ill_posed);
          EXPECT_EQ(r, Vec3{});
        },
        law);
}

TEST(ProjectOnCone, GivesTheHalfLineWithoutFriction) {
  EXPECT_EQ(project_on_cone({-1, 0, 0}, 0), Vec3{});
  EXPECT_EQ(project_on_cone({-1, 2, 0}, 0), Vec3{});
  EXPECT_EQ(project_on_cone({3, 0, 0}, 0), (Vec3{3, 0, 0}));
  EXPECT_EQ(project_on_cone({3, 2, 1}, 0), (Vec3{3, 0, 0}));
}

TEST(ProjectOnCone, IsTheNearestPoint) {
  RandomStream random{14, 0};
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
