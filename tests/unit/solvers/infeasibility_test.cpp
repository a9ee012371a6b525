/// Problems without a solution are reported from hard ones, with a proof that is checked here.
#include "solvers/methods/infeasibility.hpp"

#include <gtest/gtest.h>

#include "scree/math/lcp.hpp"
#include "support/random_problems.hpp"

namespace scree {
namespace {

using test::random_problem;

/// u = H v + w of bodies with velocities v, which impulses r change by M⁻¹ Hᵀ r.
template <class Law>
FrictionContactProblem problem_of(const Eigen::MatrixXd& H, const Vector& inverse_mass,
                                  const Vector& q, int contacts, const Law& law) {
  FrictionContactProblem problem;
  problem.W = SparseMatrix((H * inverse_mass.asDiagonal() * H.transpose()).sparseView());
  problem.W.makeCompressed();
  problem.q = q;
  problem.laws.emplace_back(std::vector<Law>(contacts, law));
  return problem;
}

/// A column of balls between two plates: contact k is under ball k, the last one under the upper
/// plate. The lower plate rises, the upper one sinks [m/s].
template <class Law>
FrictionContactProblem column(int balls, double rising, double sinking, const Law& law,
                              double ratio = 1) {
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3 * (balls + 1), 6 * balls);
  Vector inverse_mass(6 * balls), q = Vector::Zero(3 * (balls + 1));
  const Eigen::Matrix3d frame{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};  // n is up
  // (−n) × axis for the body above, radius 1
  const Eigen::Matrix3d lever{{0, 0, 0}, {0, -1, 0}, {1, 0, 0}};
  for (int k = 0; k <= balls; ++k) {
    if (k < balls) H.block<3, 3>(3 * k, 6 * k) = frame, H.block<3, 3>(3 * k, 6 * k + 3) = lever;
    if (k > 0) H.block<3, 3>(3 * k, 6 * k - 6) = -frame, H.block<3, 3>(3 * k, 6 * k - 3) = lever;
  }
  for (int k = 0; k < balls; ++k)
    inverse_mass.segment<6>(6 * k) << Eigen::Vector3d::Constant(k % 2 ? ratio : 1),
        Eigen::Vector3d::Constant(k % 2 ? 2.5 * ratio : 2.5);
  q[0] -= rising, q[3 * balls] -= sinking;
  return problem_of(H, inverse_mass, q, balls + 1, law);
}

/// The certificate, looked at with nothing but the definition.
void expect_proof(const FrictionContactProblem& problem, const Solution& s) {
  EXPECT_EQ(s.status, SolveStatus::infeasible) << "E " << s.residual;
  EXPECT_TRUE(s.r.allFinite());
  EXPECT_TRUE(std::isfinite(s.residual));
  ASSERT_TRUE(s.infeasibility);
  const Vector& p = *s.infeasibility;
  ASSERT_EQ(p.size(), problem.q.size());
  EXPECT_NEAR(problem.q.dot(p), -1, 1e-12);
  EXPECT_LE((problem.W.transpose() * p).norm(), 1e-11 * problem.W.norm() * p.norm());
  problem.for_each_block([&]<class Law>(const Law& law, int row) {
    if constexpr (std::is_same_v<Law, ConeComplementarity>) {
      EXPECT_LE(std::hypot(p[row + 1], p[row + 2]), law.mu * p[row] * (1 + 1e-12));
    } else if constexpr (!std::is_same_v<Law, JointRows>) {
      EXPECT_GE(p[row], 0);
      EXPECT_EQ(p.segment<2>(row + 1).norm(), 0);
    }
  });
}

TEST(Infeasibility, ABallBetweenPlatesThatCloseHasNoSolutionByAnyLaw) {
  const auto squeezed = [](const auto& law) {
    const auto problem = column(1, 0.3, 0.2, law);
    const Solution s = solve(problem);
    expect_proof(problem, s);
    ASSERT_TRUE(s.infeasibility);
    for (const int contact : {0, 1}) EXPECT_NEAR((*s.infeasibility)[3 * contact], 1 / 0.5, 1e-9);
  };
  squeezed(Frictionless{});
  squeezed(Coulomb{0.5});
  squeezed(MaxDissipation{0.5});
  squeezed(ConeComplementarity{0.5});
  squeezed(Polyhedral{0.5});
}

TEST(Infeasibility, IsNeverTakenForASolutionByImpulsesThatDrownItInRounding) {
  for (const SolverKind solver : kSolverKinds) {
    const Solution s =
        solve(column(2, 0.3, 0.2, Frictionless{}), {.method = solver}, {.max_seconds = 0.2});
    EXPECT_NE(s.status, SolveStatus::converged) << name(solver) << " |r| " << s.r.norm();
    EXPECT_GE(s.residual, 0.1) << name(solver);
  }
}

TEST(Infeasibility, AColumnOfBallsIsCarriedThroughByEveryContact) {
  for (const int balls : {3, 20, 60}) {
    const auto problem = column(balls, 0.3, 0.2, Coulomb{0.5}, 100);
    const Solution s = solve(problem, {}, {.max_seconds = 60});
    expect_proof(problem, s);
    ASSERT_TRUE(s.infeasibility);
    for (int contact = 0; contact <= balls; ++contact)
      EXPECT_NEAR((*s.infeasibility)[3 * contact], 1 / 0.5, 1e-6);
  }
}

TEST(Infeasibility, BallsBetweenPlatesThatKeepTheirDistanceAreSolved) {
  for (const double upper : {-0.3, -0.300001, -1.0}) {
    const auto problem = column(5, 0.3, upper, Coulomb{0.5});
    EXPECT_EQ(solve(problem).status, SolveStatus::converged);
    EXPECT_FALSE(find_infeasibility(MatrixOperator(problem), {})) << upper;
  }
}

TEST(Infeasibility, AHeavyBallOnALightOneIsHardAndNothingElse) {
  // Two balls on a floor, the upper one a hundred million times as heavy: impulses are as much
  // larger than the light one's.
  auto problem = column(2, 0.3, 0, Coulomb{0.5}, 1e-8);
  problem.laws = {std::vector<Coulomb>(2, Coulomb{0.5})};
  problem.W = SparseMatrix(Eigen::MatrixXd(problem.W).topLeftCorner(6, 6).sparseView());
  problem.q = Vector(problem.q.head(6));
  EXPECT_FALSE(find_infeasibility(MatrixOperator(problem), {}));
}

TEST(Infeasibility, PlatesThatSlideApartJamABlockByConeComplementarityAlone) {
  // u_n ≥ μ|u_t| at both: one of them must open, and the other cannot.
  Eigen::MatrixXd H(6, 3);
  H << Eigen::Matrix3d{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
      Eigen::Matrix3d{{0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
  Vector q = Vector::Zero(6);
  q[1] = 0.7, q[4] = -0.7;
  const Vector inverse_mass = Vector::Constant(3, 2);
  const auto relaxed = problem_of(H, inverse_mass, q, 2, ConeComplementarity{0.4});
  const Solution s = solve(relaxed);
  expect_proof(relaxed, s);
  const auto exact = problem_of(H, inverse_mass, q, 2, Coulomb{0.4});
  EXPECT_EQ(solve(exact).status, SolveStatus::converged);
  EXPECT_FALSE(find_infeasibility(MatrixOperator(exact), {}));
}

TEST(Infeasibility, JointsThatContradictEachOtherHaveNoSolution) {
  // Two joints hold one point of a body, at two velocities; a third agrees with the first.
  Eigen::MatrixXd H(9, 3);
  H << Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity();
  Vector q(9);
  q << 1, 0, 0, 1, 0.01, 0, 1, 0, 0;
  const auto problem = problem_of(H, Vector::Constant(3, 0.5), q, 3, JointRows{3});
  expect_proof(problem, solve(problem));
  q[4] = 0;
  EXPECT_EQ(solve(problem_of(H, Vector::Constant(3, 0.5), q, 3, JointRows{3})).status,
            SolveStatus::converged);
}

TEST(Infeasibility, DoesNotDependOnUnits) {
  const auto problem = column(4, 0.3, 0.2, Coulomb{0.5}, 10);
  const Solution si = solve(problem);
  for (const auto& [per_mass, per_velocity] :
       {std::pair(1e-3, 1e3), std::pair(1e6, 1e-6), std::pair(1e-9, 1.0)}) {
    auto other = problem;
    other.W *= per_mass, other.q *= per_velocity;
    const Solution s = solve(other);
    expect_proof(other, s);
    ASSERT_TRUE(s.infeasibility && si.infeasibility);
    EXPECT_LE((*s.infeasibility * per_velocity - *si.infeasibility).norm(),
              1e-9 * si.infeasibility->norm());
  }
}

TEST(Infeasibility, TellsTheIslandThatHasNoSolutionAndSolvesTheOthers) {
  const auto resting = column(3, 0.3, -0.3, Coulomb{0.5}),
             squeezed = column(2, 0.3, 0.2, Coulomb{0.5});
  const int rows = static_cast<int>(resting.q.size()), more = static_cast<int>(squeezed.q.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(2 * rows + more, 2 * rows + more);
  W.topLeftCorner(rows, rows) = W.bottomRightCorner(rows, rows) = resting.W;
  W.block(rows, rows, more, more) = squeezed.W;
  FrictionContactProblem problem;
  problem.W = SparseMatrix(W.sparseView());
  problem.W.makeCompressed();
  problem.q.resize(2 * rows + more);
  problem.q << resting.q, squeezed.q, resting.q;
  problem.laws.emplace_back(std::vector<Coulomb>((2 * rows + more) / 3, Coulomb{0.5}));
  const Solution s = solve(problem);
  expect_proof(problem, s);
  ASSERT_TRUE(s.infeasibility);
  EXPECT_EQ(s.infeasibility->head(rows).norm(), 0);
  EXPECT_EQ(s.infeasibility->tail(rows).norm(), 0);
  for (int block = 0; block < (2 * rows + more) / 3; ++block)
    if (3 * block < rows || 3 * block >= rows + more)
      EXPECT_LE(s.blocks[block].residual, 1e-7) << block;
}

TEST(Infeasibility, IsNeverFoundWhereThereIsASolution) {
  const auto all_of = [&]<class Law>(std::type_identity<Law>) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      for (const int points : {1, 3, 4}) {
        const auto problem = random_problem<Law>({.bodies = 4,
                                                  .contacts = 8,
                                                  .joints = static_cast<int>(seed % 3),
                                                  .points = points,
                                                  .seed = seed});
        EXPECT_FALSE(find_infeasibility(MatrixOperator(problem), {}))
            << "seed " << seed << " points " << points;
      }
  };
  all_of(std::type_identity<Frictionless>{});
  all_of(std::type_identity<Coulomb>{});
  all_of(std::type_identity<ConeComplementarity>{});
}

TEST(Infeasibility, AgreesWithLemkesMethodOnRandomProblemsWithoutFriction) {
  // W is positive semi-definite: Lemke's path ends on a ray where there is no solution, and only
  // there.
  int without = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto problem = random_problem<Frictionless>({.bodies = 2, .contacts = 24, .seed = seed});
    problem.q.setConstant(-1);
    Lcp lcp{std::vector<double>(24 * 24), std::vector<double>(24, -1)};
    for (int i = 0; i < 24; ++i)
      for (int j = 0; j < 24; ++j) lcp.M[24 * i + j] = problem.W.coeff(3 * i, 3 * j);
    const LcpStatus lemke = solve_lemke(lcp).status;
    const Solution s = solve(problem, {}, {.max_seconds = 20});
    if (lemke == LcpStatus::ray) {
      expect_proof(problem, s), ++without;
    } else {
      EXPECT_EQ(lemke, LcpStatus::solved) << seed;
      EXPECT_EQ(s.status, SolveStatus::converged) << seed;
      EXPECT_FALSE(find_infeasibility(MatrixOperator(problem), {})) << seed;
    }
  }
  EXPECT_GE(without, 10);
  EXPECT_LE(without, 35);
}

}  // namespace
}  // namespace scree
