#include "solvers/methods/dense_contacts.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "scree/laws/cone_complementarity.hpp"
#include "scree/laws/coulomb.hpp"
#include "scree/laws/frictionless.hpp"
#include "scree/laws/max_dissipation.hpp"
#include "scree/laws/polyhedral.hpp"

namespace scree {
namespace {

/// Slabs of 2 kg and 2 × 1 × 0.2 m on four points each, z the velocities and spins of their
/// centres. `coupling` ties what they do at the first to what they do at the second, in part.
DenseContacts slabs(const AnyLaw& law, int count, double coupling) {
  DenseContacts problem;
  const double masses[6] = {2, 2, 2, 2 * 1.04 / 12, 2 * 4.04 / 12, 2 * 5.0 / 12};
  const std::size_t n = 6 * static_cast<std::size_t>(count);
  problem.Y.assign(n * n, 0.0);
  problem.z.assign(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    problem.Y[k * n + k] = 1 / masses[k % 6];
    if (k >= 6) problem.Y[k * n + k - 6] = problem.Y[(k - 6) * n + k] = coupling / masses[k % 6];
  }
  for (std::size_t slab = 0; slab < static_cast<std::size_t>(count); ++slab) {
    problem.runs.push_back({6 * slab, 6});
    for (const double x : {-1.0, 1.0})
      for (const double y : {-0.5, 0.5}) {
        DenseContacts::Contact c{{{slab, {}}, {}}, 1, &law, {}, {}};
        // Rows n = z, x and y: e, and arm × e.
        const Vec3 arm{x, y, -0.1}, axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        for (int row = 0; row < 3; ++row) {
          const Vec3 turn = cross(arm, axes[row]);
          for (int k = 0; k < 3; ++k) {
            c.side[0].J[row][k] = axes[row][k];
            c.side[0].J[row][3 + k] = turn[k];
          }
        }
        problem.contacts.push_back(c);
      }
  }
  problem.prepare();
  return problem;
}

Vec3 velocity_of(const DenseContacts& problem, const DenseContacts::Contact& c) {
  return c.velocity + problem.answer(c, problem.z);
}

template <class Law>
void expect_laws_obeyed(const DenseContacts& problem, const Law& law, double max_value) {
  // z is that of the impulses, and each contact obeys its law by its natural map.
  std::vector<double> push(problem.size(), 0.0);
  for (const auto& c : problem.contacts) problem.add_impulse(c, c.impulse, push);
  for (std::size_t i = 0; i < problem.size(); ++i) {
    double z = 0;
    for (std::size_t k = 0; k < problem.size(); ++k)
      z += problem.Y[i * problem.size() + k] * push[k];
    EXPECT_NEAR(z, problem.z[i], 1e-10);
  }
  for (const auto& c : problem.contacts)
    EXPECT_LT(norm(law.residual(c.W, velocity_of(problem, c), c.impulse)), max_value);
}

TEST(DenseContacts, OfASlabOnFourPointsBearItsWeightAndStick) {
  const AnyLaw law = Coulomb{0.5};
  DenseContacts problem = slabs(law, 1, 0);
  for (auto& c : problem.contacts) c.velocity = {-1, 0.2, 0.1};
  problem.solve(DenseContacts::Start::of_step, 1e-12);
  expect_laws_obeyed(problem, Coulomb{0.5}, 1e-8);
  Vec3 sum;
  for (const auto& c : problem.contacts) sum += c.impulse;
  EXPECT_NEAR(sum.x, 2, 1e-7);
  EXPECT_NEAR(sum.y, -0.4, 1e-7);
  EXPECT_NEAR(sum.z, -0.2, 1e-7);
}

TEST(DenseContacts, OfASlabThatSlidesHaveFrictionAgainstIt) {
  const AnyLaw law = Coulomb{0.3};
  DenseContacts problem = slabs(law, 1, 0);
  for (auto& c : problem.contacts) c.velocity = {-1, 3, 0};
  problem.solve(DenseContacts::Start::of_step, 1e-12);
  expect_laws_obeyed(problem, Coulomb{0.3}, 1e-8);
  Vec3 sum;
  for (const auto& c : problem.contacts) sum += c.impulse;
  // What it takes to stop 2 kg that fall at 1 m/s, and 0.3 of it against the slip.
  EXPECT_NEAR(sum.x, 2, 1e-7);
  EXPECT_NEAR(sum.y, -0.6, 1e-7);
}

TEST(DenseContacts, OfSlabsThatAnswerEachOtherObeyTheirLaws) {
  const AnyLaw law = Coulomb{0.4};
  for (const double coupling : {0.3, -0.5, 0.9}) {
    DenseContacts problem = slabs(law, 2, coupling);
    for (std::size_t k = 0; k < problem.contacts.size(); ++k)
      problem.contacts[k].velocity = k < 4 ? Vec3{-1, 0.5, 0.1} : Vec3{-0.3, -0.8, 0};
    problem.solve(DenseContacts::Start::of_step, 1e-12);
    expect_laws_obeyed(problem, Coulomb{0.4}, 1e-7);
  }
}

TEST(DenseContacts, UnderOneFootThatNeedNotBearLetGo) {
  // Three points close at 1 m/s, the fourth by a little less. A load over the middle of the slab is
  // borne by the two at the ends of the diagonal that has it not, and by no other: any load on the
  // fourth asks for as much across from it. All velocities are next to 0 before and after, so only
  // a solver that knows the laws to that little finds out.
  for (const double mu : {0.0, 0.5}) {
    const AnyLaw law = Coulomb{mu};
    DenseContacts problem = slabs(law, 1, 0);
    std::vector<double> push(problem.size(), 0.0);
    for (auto& c : problem.contacts) {
      c.velocity = {-1, 0, 0};
      c.impulse = {0.5, 0, 0};
      problem.add_impulse(c, c.impulse, push);
    }
    problem.add_answer(push, problem.z);
    problem.contacts[3].velocity.x += 1e-6;
    problem.solve(DenseContacts::Start::of_step, 1e-10);
    expect_laws_obeyed(problem, Coulomb{mu}, 1e-10);
    EXPECT_LT(problem.contacts[0].impulse.x, 1e-9);
    EXPECT_NEAR(problem.contacts[1].impulse.x, 1, 1e-6);
    EXPECT_NEAR(problem.contacts[2].impulse.x, 1, 1e-6);
    EXPECT_LT(problem.contacts[3].impulse.x, 1e-9);
    EXPECT_NEAR(velocity_of(problem, problem.contacts[3]).x, 1e-6, 1e-9);
  }
}

/// Two slabs that fall and turn, with gaps of their points that no motion of theirs has.
DenseContacts falling_slabs(const AnyLaw& law, double speed, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  DenseContacts problem = slabs(law, 2, 0.8 * number(random));
  std::vector<double> motion(problem.size());
  for (double& x : motion) x = speed * number(random);
  for (auto& c : problem.contacts)
    c.velocity = problem.answer(c, motion) + Vec3{1e-4 * number(random) - 0.5, 0, 0};
  return problem;
}

/// Of 200 such pairs, how many solve(pair) leaves with sqrt(Σ e²) ≤ 1e-8 m/s.
template <class Solve>
int solved(const AnyLaw& law, double speed, Solve&& solve) {
  std::mt19937 random(1);
  int count = 0;
  for (int trial = 0; trial < 200; ++trial) {
    DenseContacts problem = falling_slabs(law, speed, random);
    solve(problem);
    count += problem.squared_residual() <= 1e-16;
  }
  return count;
}

TEST(DenseContacts, OfSlabsThatFallAsTheyLikeObeyTheirLaws) {
  const auto directly = [](DenseContacts& problem) {
    problem.solve(DenseContacts::Start::of_step, 1e-8);
  };
  EXPECT_EQ(solved(Frictionless{}, 1, directly), 200);
  EXPECT_EQ(solved(Coulomb{0}, 1, directly), 200);
  EXPECT_GE(solved(ConeComplementarity{0.7}, 1, directly), 198);
  // No method is known that solves all; sweeps do not reach a fifth.
  EXPECT_GE(solved(Coulomb{0.3}, 0.1, directly), 180);
  const auto sweeps = [](DenseContacts& problem) {
    problem.solve(DenseContacts::Start::sweeps, 1e-8);
  };
  EXPECT_LT(solved(Coulomb{0.3}, 0.1, sweeps), 40);
}

TEST(DenseInterior, FindsImpulsesOfLawsWithRoundConesFromNothing) {
  const auto inside = [](DenseContacts& problem) {
    DenseInterior().solve(problem, 1e-8, DenseInterior::Law::coulomb);
  };
  EXPECT_EQ(solved(Frictionless{}, 1, inside), 200);
  EXPECT_EQ(solved(Coulomb{0}, 1, inside), 200);
  // What lies on the border of its cone costs digits.
  EXPECT_GE(solved(ConeComplementarity{0.7}, 0.1, inside), 100);
  EXPECT_GE(solved(Coulomb{0.3}, 0.1, inside), 100);
}

TEST(DenseInterior, OfRelaxedLawsFindsRestUnderEachLawOrNothing) {
  for (const AnyLaw& law : {AnyLaw{Coulomb{0.5}}, AnyLaw{MaxDissipation{0.5}},
                            AnyLaw{ConeComplementarity{0.5}}, AnyLaw{Polyhedral{0.5, 8}}})
    for (const double slip : {0.4, 3.0}) {
      DenseContacts problem = slabs(law, 1, 0);
      for (auto& c : problem.contacts) c.velocity = {-1, slip, 0};
      DenseInterior().solve(problem, 1e-9, DenseInterior::Law::relaxed);
      const bool is_relaxed = std::holds_alternative<ConeComplementarity>(law);
      for (const auto& c : problem.contacts) {
        if (slip < 1) {
          EXPECT_LT(norm(velocity_of(problem, c)), 1e-8) << law.index();
        } else if (!is_relaxed) {
          EXPECT_EQ(c.impulse, Vec3{}) << law.index();
        }
      }
    }
}

/// A slab on four points that closes at 1 m/s and slides at `slip`, with a brake that pushes it
/// along x with at most 0.3 N s.
DenseContacts slab_with_brake(const AnyLaw& law, double slip) {
  DenseContacts problem = slabs(law, 1, 0);
  const std::size_t n = problem.size(), size = n + 1;
  std::vector<double> Y(size * size, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) Y[i * size + k] = problem.Y[i * n + k];
  // The brake moves with the slab's x, and moves it.
  Y[n * size + n] = Y[n * size] = Y[n] = problem.Y[0];
  problem.Y = Y;
  problem.z.assign(size, 0.0);
  problem.runs.push_back({n, 1});
  problem.drives.push_back({1, slip, 0, -0.3, 0.3});
  for (auto& c : problem.contacts) c.velocity = {-1, slip, 0};
  problem.prepare();
  problem.add_compliance(0.5);
  return problem;
}

TEST(DenseContacts, WithADriveAreSolvedWithItToItsBounds) {
  const AnyLaw law = Coulomb{0.3};
  // Friction undoes 0.6 N s and the brake 0.3: together what stops 2 kg from 0.45 m/s.
  for (const double slip : {0.1, 0.44, 0.46, 3.0}) {
    DenseContacts problem = slab_with_brake(law, slip);
    problem.solve(DenseContacts::Start::onward, 1e-10);
    EXPECT_LE(problem.squared_residual(), 1e-20) << slip;
    const double after = slip + problem.z[0];
    EXPECT_NEAR(after, std::max(0.0, slip - 0.45), 1e-9) << slip;
    EXPECT_NEAR(problem.velocity_of(problem.drives[0]), after, 1e-9);
    if (slip > 0.45) EXPECT_EQ(problem.drives[0].impulse, -0.3);
  }
}

TEST(DenseContacts, OfBodiesThatHoldEachOtherKeepThemAtRest) {
  // Two slabs that are pressed together with 1 N s at each corner: one falls, the other is held by
  // nothing but its own mass, and friction takes it along.
  const AnyLaw law = Coulomb{0.5};
  DenseContacts problem = slabs(law, 2, 0);
  for (std::size_t k = 0; k < 4; ++k) {
    DenseContacts::Contact& c = problem.contacts[k];
    c.side[1] = problem.contacts[4 + k].side[0];
    for (auto& row : c.side[1].J)
      for (double& x : row) x = -x;
    c.sides = 2;
    c.velocity = {-1, 0.2, 0};
  }
  problem.contacts.resize(4);
  problem.prepare();
  problem.solve(DenseContacts::Start::of_step, 1e-12);
  expect_laws_obeyed(problem, Coulomb{0.5}, 1e-9);
  Vec3 sum;
  for (const auto& c : problem.contacts) {
    EXPECT_LT(norm(velocity_of(problem, c)), 1e-9);
    sum += c.impulse;
  }
  // Two masses of 2 kg whose relative velocity ends.
  EXPECT_NEAR(sum.x, 1, 1e-8);
  EXPECT_NEAR(sum.y, -0.2, 1e-8);
}

}  // namespace
}  // namespace scree
