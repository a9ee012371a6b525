/// Contacts on borders, where rounding could hide the answer.
#include <gtest/gtest.h>

#include "scree/laws/pair_law.hpp"
#include "unit/laws/oracle.hpp"

namespace scree {
namespace {

using namespace test;

TEST(Coulomb, SticksOnTheBorderOfItsConeWhereRoundingHidesTheRoot) {
  const Problem border[] = {{{1.253081479109985, 0.21157751972215472, 0.26796427619569335,
                              1.1491316438175772, -0.32306099669921223, 1.076670236882994},
                             {-0.01707784298979842, -21.157216770414777, 18.271920740951654},
                             100},
                            {{0.4258692635906428, 0.04246049453079277, -0.027053830740386114,
                              1.041036635085161, 0.012136471905594194, 0.4520633425976995},
                             {-0.017758523113927005, 33.583757316706496, 0.7062664784213548},
                             10}};
  for (const Problem& p : border) {
    const Coulomb law{p.mu};
    Vec3 r;
    EXPECT_EQ(law.solve(p.W, p.q, r), LocalStatus::solved);
    EXPECT_LE(norm(law.residual(p.W, p.W * r + p.q, r)), 1e-12 * norm(p.q));
    const ContactSolutions all = law.solve_all(p.W, p.q);
    EXPECT_EQ(all.status, LocalStatus::solved);
    EXPECT_GE(all.count, 1);
  }
}

TEST(Coulomb, FindsItsSolutionsOnTheBorderOfStickingForAllFrictions) {
  RandomStream random{400, 0};
  for (int trial = 0; trial < 20000; ++trial) {
    Problem p = random_problem(Kind::well_conditioned, random);
    p.mu = std::pow(10, random.uniform(-1, 2));
    const double angle = random.uniform(0, 6.3);
    p.q = -(p.W * Vec3{1, p.mu * std::cos(angle), p.mu * std::sin(angle)});
    if (p.q.x >= 0) continue;
    Vec3 r;
    EXPECT_EQ(Coulomb{p.mu}.solve(p.W, p.q, r), LocalStatus::solved) << trial;
    EXPECT_GE((Coulomb{p.mu}.solve_all(p.W, p.q).count), 1) << trial;
  }
}

TEST(Coulomb, StaysWithAWarmStartOfAnySize) {
  const Coulomb law{0.3, Coulomb::Choice::continuity};
  for (const double size : {1e-300, 1e100, 1e160, 1e300}) {
    Vec3 r{size, 0, 0};
    EXPECT_EQ(law.solve({2, 0.1, 0, 3, 0, 3}, {-1, 1, 0}, r), LocalStatus::solved) << size;
    EXPECT_GT(r.x, 0.1);
  }
}

TEST(ConeComplementarity, LiftsOffOnTheBorderWhereRoundingHidesTheRoot) {
  RandomStream random{402, 0};
  for (int trial = 0; trial < 20000; ++trial) {
    Problem p = random_problem(Kind::well_conditioned, random);
    p.mu = random.uniform(0.01, 2);
    const double angle = random.uniform(0, 6.3), inside = 1e-15 * random.uniform(0, 1);
    p.q = {p.mu * (1 - inside), std::cos(angle), std::sin(angle)};
    const ConeComplementarity law{p.mu};
    Vec3 r;
    EXPECT_EQ(law.solve(p.W, p.q, r), LocalStatus::solved) << trial;
    EXPECT_LE(norm(law.residual(p.W, p.W * r + p.q, r)), 1e-14) << trial;
  }
}

TEST(Polyhedral, SlidesAlongAnEdgeWhereTheBlockIsIllConditioned) {
  const SymMat3 W{60.524074750679986, -29.412250242809954, -135.11104339520682,
                  14.30707605708396,  65.6702065101446,    301.6832443675693};
  const Vec3 q{-29.991546143485735, 14.57793947915216, 66.96086080730764};
  Vec3 r;
  EXPECT_EQ((Polyhedral{1, 4}.solve(W, q, r)), LocalStatus::solved);
  EXPECT_LE(norm(r - Vec3{0.2052919115, -0.0962240052, -0.1090679063}), 1e-9);
  RandomStream random{401, 0};
  for (int trial = 0; trial < 5000; ++trial) {
    const SymMat3 block = random_block(random, std::pow(10, random.uniform(4, 12)));
    const double mu = random.uniform(0.01, 1.5), angle = random.uniform(0, 6.3),
                 reach = random.uniform(0.5, 1.5);
    const Vec3 velocity =
        -(block * Vec3{1, reach * mu * std::cos(angle), reach * mu * std::sin(angle)});
    EXPECT_EQ((Polyhedral{mu, 8}.solve(block, velocity, r)), LocalStatus::solved) << trial;
  }
}

TEST(Polyhedral, KnowsAllItsSolutionsOfTheRodThatJamsOrLifts) {
  const ContactSolutions all = Polyhedral{1.5, 8}.solve_all(
      {1.75, -1.299038105676658, 0, 3.25, 0, 4}, {0.015, -1.0433012701892, 0});
  ASSERT_EQ(all.count, 3);
  const double known[3][2] = {{0, 0}, {0.3266345264, 0.4515729128}, {0.07554499728, 0.11331749592}};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(all.at[k].r.x, known[k][0], 1e-9);
    EXPECT_NEAR(all.at[k].r.y, known[k][1], 1e-9);
  }
}

}  // namespace
}  // namespace scree
