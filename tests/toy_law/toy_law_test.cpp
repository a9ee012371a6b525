#include <gtest/gtest.h>

#include "scree/core/error.hpp"
#include "scree/solvers/solve_problem.hpp"
#include "solvers/kernels/local_solves.hpp"
#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr PairLaw kGlue{LawKind::glue};

TEST(ALawThatIsAdded, IsFoundByItsName) {
  EXPECT_EQ(name(LawKind::glue), "glue");
  EXPECT_EQ(law_named("glue"), LawKind::glue);
  EXPECT_EQ(kRigidLawKinds.back(), LawKind::glue);
  EXPECT_TRUE(std::holds_alternative<Glue>(law_of(kGlue)));
}

TEST(ALawThatIsAdded, IsRefusedByMethodsThatKnowNothingOfIt) {
  using enum SolverKind;
  for (const SolverKind solver : {automatic, gauss_seidel, psor, jacobi, newton})
    EXPECT_TRUE(suits(solver, LawKind::glue)) << name(solver);
  for (const SolverKind solver : {newton_fischer_burmeister, interior_point, accelerated_gradient,
                                  barzilai_borwein, admm, lemke}) {
    EXPECT_FALSE(suits(solver, LawKind::glue)) << name(solver);
    World world(kGlue, 1e-3);
    world.model.solver.method = solver;
    EXPECT_THROW(world.simulation(), InputError) << name(solver);
  }
}

TEST(ALawThatIsAdded, IsLeftToItsOwnSolverByTheLanes) {
  const double W[6][8] = {{2, 2, 2, 2, 2, 2, 2, 2}};
  const double q[3][8] = {{-1, 1, 0, 4, 3, 2, -5, 7}};
  for (const InstructionSet set : instruction_sets()) {
    double r[3][8] = {};
    kernels::local_solves_of(set).solve(Glue{}, W, q, r, 1);
    for (int k = 0; k < 8; ++k) EXPECT_EQ(r[0][k], -q[0][k] / 2) << name(set);
  }
}

/// A ball that hangs from a ceiling, and one that hangs from it.
World chain(SolverKind solver) {
  World world(kGlue, 1e-3);
  world.half_space({0, 0, 0}, {0, 0, -1});
  world.sphere({0, 0, -0.1}, 0.1, {0.5, 0, 0});
  world.sphere({0, 0, -0.3}, 0.1, {0.5, 0, 0});
  world.model.solver.method = solver;
  return world;
}

TEST(ALawThatIsAdded, IsSolvedAndCertifiedInTheStep) {
  for (const SolverKind solver :
       {SolverKind::gauss_seidel, SolverKind::automatic, SolverKind::newton}) {
    Simulation simulation = chain(solver).simulation();
    for (int k = 0; k < 50; ++k) ASSERT_TRUE(simulation.step().converged) << name(solver);
    const Body upper = body_of(simulation, 0), lower = body_of(simulation, 1);
    EXPECT_NEAR(upper.position.z, -0.1, 1e-12) << name(solver);
    EXPECT_NEAR(lower.position.z, -0.3, 1e-12) << name(solver);
    EXPECT_NEAR(upper.position.x, 0.5 * 0.05, 1e-12) << "nothing holds them back along the ceiling";
  }
}

/// One contact whose free velocity parts the bodies: no unilateral law has an impulse for it.
FrictionContactProblem one_contact() {
  FrictionContactProblem problem;
  problem.W = Eigen::MatrixXd::Identity(3, 3).sparseView();
  problem.q = Eigen::Vector3d(0.5, 0.2, 0);
  problem.laws.emplace_back(std::vector<Glue>(1));
  return problem;
}

TEST(ALawThatIsAdded, IsSolvedInAMatrixByThoseWhoSuitIt) {
  for (const SolverKind solver : kSolverKinds) {
    const Solution solution = solve(one_contact(), {.method = solver});
    const bool suited = suits(solver, LawKind::glue);
    EXPECT_EQ(solution.status, suited ? SolveStatus::converged : SolveStatus::unsuited)
        << name(solver);
    if (suited) EXPECT_NEAR(solution.r[0], -0.5, 1e-6) << name(solver);
  }
}

TEST(ALawThatIsAdded, IsNotProvedToHaveNoSolutionByWhatHoldsForOthers) {
  // The second contact is the first one again, with another velocity: by glue there is no answer,
  // and no proof is at hand.
  FrictionContactProblem problem = one_contact();
  Eigen::MatrixXd W(6, 6);
  W << Eigen::MatrixXd::Identity(3, 3), Eigen::MatrixXd::Identity(3, 3),
      Eigen::MatrixXd::Identity(3, 3), Eigen::MatrixXd::Identity(3, 3);
  problem.W = W.sparseView();
  problem.q = Vector::Zero(6);
  problem.q[0] = 1;
  problem.q[3] = -1;
  problem.laws = {std::vector<Glue>(2)};
  const Solution solution = solve(problem, {.method = SolverKind::automatic, .max_sweeps = 500});
  EXPECT_NE(solution.status, SolveStatus::converged);
  EXPECT_NE(solution.status, SolveStatus::infeasible);
  EXPECT_FALSE(solution.infeasibility);
}

}  // namespace
}  // namespace scree
