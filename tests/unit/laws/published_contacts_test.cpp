// Single contacts with published answers. The numbers are in tests/data/academic_contact.json.
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "laws/sliding.hpp"
#include "scree/laws/pair_law.hpp"
#include "unit/laws/oracle.hpp"

namespace scree {
namespace {

using namespace test;
using nlohmann::json;

json academic() {
  std::ifstream file(SCREE_TEST_DATA "/academic_contact.json");
  return json::parse(file);
}

Vec3 vector(const json& v) { return {v[0], v[1], v[2]}; }

Problem problem(const json& frame) {
  const json& W = frame["W"];
  return {{W[0][0], W[0][1], W[0][2], W[1][1], W[1][2], W[2][2]},
          vector(frame["q"]),
          frame["friction"]};
}

void expect_solution(const Problem& p, const Vec3& r, const json& expected) {
  const Vec3 reference = vector(expected["r"]);
  EXPECT_LE(norm(r - reference), 1e-10 * norm(reference));
  EXPECT_NEAR(energy(p.W, p.q, r), expected["energy"].get<double>(), 1e-10);
  if (expected.contains("u")) EXPECT_LE(norm(p.W * r + p.q - vector(expected["u"])), 1e-10);
}

class AcademicContact : public testing::TestWithParam<const char*> {
 protected:
  json frame_ = academic()["frames"][GetParam()];
  Problem p_ = problem(frame_);
};

TEST_P(AcademicContact, HasThreeSlidingSolutionsOfCoulombsLaw) {
  const ContactSolutions all = Coulomb{p_.mu}.solve_all(p_.W, p_.q);
  ASSERT_EQ(all.count, 3) << "the fourth root has friction along the slip";
  for (int k = 0; k < 3; ++k) {  // ours by increasing energy, the table by decreasing
    EXPECT_EQ(all.at[k].kind, ContactClass::sliding);
    expect_solution(p_, all.at[k].r, frame_["coulomb"][2 - k]);
  }
}

TEST_P(AcademicContact, IsKnownToHaveAnotherSolutionThanTheLawTakes) {
  const json& solutions = frame_["coulomb"];
  const Coulomb law{p_.mu};
  EXPECT_FALSE(law.has_one_solution(p_.W));
  EXPECT_FALSE(law.other_choice(p_.W, p_.q, vector(solutions[2]["r"]), {}));
  const auto other = law.other_choice(p_.W, p_.q, vector(solutions[0]["r"]), {});
  ASSERT_TRUE(other);
  expect_solution(p_, *other, solutions[2]);
}

TEST_P(AcademicContact, IsSolvedByTheChoiceThatIsAskedFor) {
  const json& expected = frame_["coulomb"];
  Vec3 r;
  ASSERT_EQ(Coulomb{p_.mu}.solve(p_.W, p_.q, r), LocalStatus::solved);
  expect_solution(p_, r, expected[2]);
  ASSERT_EQ((Coulomb{p_.mu, Coulomb::Choice::min_impulse}.solve(p_.W, p_.q, r)),
            LocalStatus::solved);
  expect_solution(p_, r, expected[0]);
  for (const json& near : expected) {
    r = 1.02 * vector(near["r"]);
    ASSERT_EQ((Coulomb{p_.mu, Coulomb::Choice::continuity}.solve(p_.W, p_.q, r)),
              LocalStatus::solved);
    expect_solution(p_, r, near);
  }
}

TEST_P(AcademicContact, HasOneSolutionOfMaxDissipation) {
  // Also from the other minimum on the conic, where a descent would stay.
  for (const Vec3& warm : {Vec3{}, vector(frame_["other_minimum_on_the_conic"]["r"])}) {
    Vec3 r = warm;
    ASSERT_EQ(MaxDissipation{p_.mu}.solve(p_.W, p_.q, r), LocalStatus::solved);
    expect_solution(p_, r, frame_["max_dissipation"]);
  }
}

TEST_P(AcademicContact, LiftsOffUnderConeComplementarity) {
  Vec3 r;
  ASSERT_EQ(ConeComplementarity{p_.mu}.solve(p_.W, p_.q, r), LocalStatus::solved);
  expect_solution(p_, r, frame_["cone_complementarity"]);
}

TEST_P(AcademicContact, CannotStick) {
  Vec3 r;
  ASSERT_TRUE(solve_positive_definite(p_.W, -p_.q, r));
  EXPECT_LE(norm(r - vector(frame_["sticking_impulse"])), 1e-10 * norm(r));
  EXPECT_GT(tangential_norm(r), p_.mu * r.x);
}

INSTANTIATE_TEST_SUITE_P(, AcademicContact,
                         testing::Values("printed_frame", "orthonormal_same_physics",
                                         "orthonormal_same_friction"),
                         [](const auto& frame) { return std::string(frame.param); });

TEST(AcademicTable, IsReproducedToEveryPrintedDigitInItsOwnFrame) {
  const json data = academic();
  const Problem p = problem(data["frames"]["printed_frame"]);
  const json& table = data["printed_table"];
  const auto expect_printed = [](const Vec3& r, const json& row) {
    for (int k = 0; k < 3; ++k) {
      const double printed = row[k],
                   unit = std::pow(10, std::floor(std::log10(std::abs(printed))) - 1);
      EXPECT_NEAR(r[k], printed, 0.51 * unit) << "two digits are printed";
    }
  };
  const ContactSolutions all = Coulomb{p.mu}.solve_all(p.W, p.q);
  ASSERT_EQ(all.count, 3);
  for (int k = 0; k < 3; ++k) {
    expect_printed(all.at[2 - k].r, table["coulomb"][k]);
    EXPECT_NEAR(all.at[2 - k].energy, table["energy"][k].get<double>(), 5.1e-4);
  }
  Vec3 r;
  MaxDissipation{p.mu}.solve(p.W, p.q, r);
  expect_printed(r, table["max_dissipation"]);
  EXPECT_NEAR(energy(p.W, p.q, r), table["energy"][3].get<double>(), 5.1e-4);
}

TEST(AcademicTable, IsTheSamePhysicsInAFrameOfUnitTangents) {
  const json frames = academic()["frames"];
  const Problem printed = problem(frames["printed_frame"]),
                unit = problem(frames["orthonormal_same_physics"]);
  const double length = 0.9683134693644406;
  EXPECT_NEAR(unit.mu, printed.mu * length, 1e-14);
  Vec3 a, b;
  MaxDissipation{printed.mu}.solve(printed.W, printed.q, a);
  MaxDissipation{unit.mu}.solve(unit.W, unit.q, b);
  EXPECT_NEAR(a.x, b.x, 1e-10);
  EXPECT_NEAR(a.y * length, b.y, 1e-10);
  EXPECT_NEAR(a.z * length, b.z, 1e-10);
}

TEST(MaxDissipation, TriesBothRaysWhereEquation9TakesTheWorseOne) {
  const Problem p{{3.076176, -0.18600611, 0.22597718, 0.55402696, 0.92239163, 4.94570243},
                  {0, 0.02773719, -0.31954522},
                  22.819449576522864};
  Vec3 r;
  ASSERT_EQ(MaxDissipation{p.mu}.solve(p.W, p.q, r), LocalStatus::solved);
  EXPECT_NEAR(energy(p.W, p.q, r), -0.0006993315853265182, 1e-9)
      << "W and q are printed with eight digits";
}

TEST(MaxDissipation, SlidesAgainstTheCouplingWhereTheDegenerateConicIsARay) {
  // W_nn = μ |w|, q_n = 0: of the rays along ±w only −w keeps r_n ≥ 0 in the plane.
  const Problem p{{1, 0.6, 0.8, 2, 0.1, 3}, {0, 1, 1}, 1};
  Vec3 r;
  ASSERT_EQ(MaxDissipation{p.mu}.solve(p.W, p.q, r), LocalStatus::solved);
  ASSERT_GT(r.x, 0);
  EXPECT_NEAR(r.y / r.x, -0.6, 1e-7);
  EXPECT_NEAR(r.z / r.x, -0.8, 1e-7);
}

TEST(SlidingPolynomial, IsEquation8OfThePaperWithTheConstantsOfItsAppendix) {
  RandomStream random{30, 0};
  for (int trial = 0; trial < 2000; ++trial) {
    const Problem p = random_problem(Kind::well_conditioned, random);
    const double mu = p.mu, Ann = p.W.xx, Ant = p.W.xy, Ano = p.W.xz, Att = p.W.yy, Ato = p.W.yz,
                 Aoo = p.W.zz;
    const double bn = -p.q.x, bt = -p.q.y, bo = -p.q.z, mu2 = mu * mu;
    // φ1 and φ2 are angles of two pairs; their lengths are c1 and 2 c2 / (μ A_nn), without the
    // cancellation of the printed roots.
    const double s1 = mu2 * ((Ano * Ato - Ant * Aoo) * bn - Ano * Ano * bt + Ant * Ano * bo) -
                      Ann * Ann * bt + Ann * Ant * bn;
    const double k1 = mu2 * ((Ant * Ato - Ano * Att) * bn + Ant * Ano * bt - Ant * Ant * bo) -
                      Ann * Ann * bo + Ann * Ano * bn;
    const double s2 = (Att - Aoo) * bn - Ant * bt + Ano * bo,
                 k2 = 2 * Ato * bn - Ano * bt - Ant * bo;
    const double c0 = 1.5 * mu * Ann * (Ano * bt - Ant * bo);
    const double c1 = std::hypot(s1, k1), phi1 = std::atan2(s1, k1),
                 c2 = 0.5 * mu * Ann * std::hypot(s2, k2), phi2 = std::atan2(s2, k2);

    const sliding::Contact contact{p.W, p.q, p.mu};
    const TrigonometricQuadratic f = contact.in_plane(contact.slip_of_max_dissipation());
    for (int k = 0; k < 7; ++k) {
      const double angle = 0.9 * k,
                   paper = c0 + c1 * std::cos(angle + phi1) + c2 * std::cos(2 * angle + phi2);
      EXPECT_NEAR(f({std::cos(angle), std::sin(angle)}), paper, 1e-13 * f.scale())
          << "trial " << trial;
    }
  }
}

}  // namespace
}  // namespace scree
