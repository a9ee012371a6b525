#include "scree/solvers/solve_problem.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <numbers>
#include <thread>

#include "scree/core/error.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "support/random_problems.hpp"
#include "unit/solvers/random_chain.hpp"

namespace scree {
namespace {

using test::random_factors;
using test::random_problem;
using test::RandomShape;

Solution solved(const FrictionContactProblem& problem, SolverKind solver, double tolerance = 1e-9) {
  return solve(problem, {.method = solver, .tolerance = tolerance}, {.max_seconds = 20});
}

constexpr SolverKind kConeSolvers[] = {SolverKind::accelerated_gradient,
                                       SolverKind::barzilai_borwein, SolverKind::admm,
                                       SolverKind::interior_point};

TEST(SolveProblem, ConeComplementarityHasOneVelocityWhicheverTheSolver) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem = random_problem<ConeComplementarity>({.bodies = 6,
                                                              .contacts = 10,
                                                              .joints = seed % 3 == 0 ? 1 : 0,
                                                              .points = seed % 2 ? 1 : 3,
                                                              .seed = seed});
    const Solution reference = solved(problem, SolverKind::automatic, 1e-11);
    ASSERT_EQ(reference.status, SolveStatus::converged)
        << "seed " << seed << " E " << reference.residual;
    for (const SolverKind solver : kConeSolvers) {
      const Solution other = solved(problem, solver, 1e-10);
      EXPECT_EQ(other.status, SolveStatus::converged)
          << name(solver) << " seed " << seed << " E " << other.residual;
      EXPECT_LE((other.u - reference.u).norm(), 1e-8 * problem.q.norm())
          << name(solver) << " seed " << seed;
    }
  }
}

TEST(SolveProblem, EverySolverOfCoulombsLawMeetsTheTolerance) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem =
        random_problem<Coulomb>({.bodies = 8, .contacts = 10, .points = 1, .seed = seed});
    for (const SolverKind solver :
         {SolverKind::automatic, SolverKind::gauss_seidel, SolverKind::psor, SolverKind::jacobi,
          SolverKind::newton, SolverKind::newton_fischer_burmeister, SolverKind::interior_point,
          SolverKind::accelerated_gradient, SolverKind::barzilai_borwein, SolverKind::admm}) {
      const Solution s = solved(problem, solver);
      EXPECT_EQ(s.status, SolveStatus::converged)
          << name(solver) << " seed " << seed << " E " << s.residual << " its " << s.iterations;
    }
  }
}

TEST(SolveProblem, TheAutomaticChoiceSolvesEveryLaw) {
  const auto all_of = [&]<class Law>(std::type_identity<Law>) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto problem = random_problem<Law>(
          {.bodies = 8, .contacts = 10, .joints = 1, .points = 2, .seed = seed});
      const Solution s = solved(problem, SolverKind::automatic);
      EXPECT_EQ(s.status, SolveStatus::converged)
          << "seed " << seed << " law " << problem.laws[0].index() << " E " << s.residual << " its "
          << s.iterations;
    }
  };
  all_of(std::type_identity<Frictionless>{});
  all_of(std::type_identity<Coulomb>{});
  all_of(std::type_identity<MaxDissipation>{});
  all_of(std::type_identity<ConeComplementarity>{});
  all_of(std::type_identity<Polyhedral>{});
  all_of(std::type_identity<ImpactDissipation>{});
}

TEST(SolveProblem, FactorsGiveWhatTheirProductGives) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const FactoredProblem factors =
        random_factors<Coulomb>({.contacts = 10, .joints = 2, .seed = seed});
    const FrictionContactProblem product = multiplied_out(factors);
    EXPECT_EQ((product.W - SparseMatrix(product.W.transpose())).norm(), 0);
    for (const SolverKind kind :
         {SolverKind::gauss_seidel, SolverKind::psor, SolverKind::jacobi,
          SolverKind::accelerated_gradient, SolverKind::barzilai_borwein, SolverKind::automatic}) {
      const SolverSettings settings{
          .method = kind, .tolerance = 1e-10, .acceleration = Acceleration::nesterov};
      const Solution of_factors = solve(factors, settings), of_product = solve(product, settings);
      EXPECT_EQ(of_factors.status, SolveStatus::converged) << name(kind);
      EXPECT_LE(scaled_residual(product, of_factors.r), 1e-10 * (1 + 1e-3)) << name(kind);
      EXPECT_LT((of_factors.u - of_product.u).norm(), 1e-8 * product.q.norm()) << name(kind);
    }
  }
}

TEST(SolveProblem, ContactsUndoWhatTheyCloseByAfterJointsHaveActed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const FactoredProblem factors =
        random_factors<Coulomb>({.contacts = 6, .joints = 3, .seed = seed});
    const FrictionContactProblem problem = multiplied_out(factors);
    const Eigen::MatrixXd W = problem.W;
    const int contacts = 18, joints = 9;
    const Vector by_joints = W.bottomRightCorner(joints, joints)
                                 .completeOrthogonalDecomposition()
                                 .solve(problem.q.tail(joints));
    const Vector q = problem.q.head(contacts) - W.topRightCorner(contacts, joints) * by_joints;
    double closing = 0;
    for (int row = 0; row < contacts; row += 3) closing += std::pow(std::min(0.0, q[row]), 2);
    if (closing == 0) closing = problem.q.tail(joints).squaredNorm();
    EXPECT_NEAR(undone_speed(problem), std::sqrt(closing), 1e-9 * problem.q.norm()) << seed;
    EXPECT_NEAR(undone_speed(factors), std::sqrt(closing), 1e-9 * problem.q.norm()) << seed;
  }
}

TEST(SolveProblem, WhereJointsStopEveryContactTheScaleIsWhatJointsMiss) {
  // A body that falls by 2 m/s onto a floor hangs on a rod.
  FrictionContactProblem problem{.W = SparseMatrix(4, 4), .q = Vector::Zero(4)};
  problem.W.insert(0, 0) = problem.W.insert(0, 3) = 1;
  problem.W.insert(1, 1) = problem.W.insert(2, 2) = 1;
  problem.W.insert(3, 0) = problem.W.insert(3, 3) = 1;
  problem.W.makeCompressed();
  problem.q[0] = problem.q[3] = -2;
  problem.laws = {std::vector<Coulomb>{{.mu = 0.5}}, std::vector<JointRows>{{.rows = 1}}};
  EXPECT_DOUBLE_EQ(undone_speed(problem), 2);
}

TEST(SolveProblem, SweepsOverFactorsAreThoseOverTheirProduct) {
  const FactoredProblem factors = random_factors<Coulomb>({.contacts = 12, .joints = 2});
  const FrictionContactProblem product = multiplied_out(factors);
  const std::vector<int> halves{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  for (const SolverKind kind : {SolverKind::gauss_seidel, SolverKind::psor, SolverKind::jacobi})
    for (const std::span<const int> labels :
         {std::span<const int>{}, std::span<const int>{halves}}) {
      const SolverSettings settings{.method = kind, .tolerance = 0, .max_sweeps = 7};
      const SolveContext context{.subdomain = labels};
      const Vector of_factors = solve(factors, settings, context).r,
                   of_product = solve(product, settings, context).r;
      EXPECT_LT((of_factors - of_product).norm(), 1e-12 * of_product.norm()) << name(kind);
    }
}

TEST(SolveProblem, FactorsAreRefusedByASolverThatDoesNotKnowTheLaw) {
  const auto factors = random_factors<MaxDissipation>({.contacts = 4});
  EXPECT_EQ(solve(factors, {.method = SolverKind::barzilai_borwein}).status, SolveStatus::unsuited);
}

TEST(SolveProblem, ImpulsesThatObeyInelasticLawsTakeEnergy) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto problem =
        random_problem<Coulomb>({.bodies = 6, .contacts = 10, .points = 3, .seed = seed});
    const Solution s = solved(problem, SolverKind::automatic);
    ASSERT_EQ(s.status, SolveStatus::converged);
    double taken = 0;
    for (const ContactCertificate& block : s.blocks) taken += block.dissipated_energy;
    EXPECT_GE(taken, -1e-8 * problem.q.squaredNorm());
    EXPECT_NEAR(taken, -(0.5 * s.r.dot(problem.W * s.r) + s.r.dot(problem.q)),
                1e-10 * problem.q.squaredNorm());
  }
}

TEST(SolveProblem, SweepsThatAreStoppedEarlyMakeNoEnergy) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    for (const int cap : {1, 2, 5}) {
      const auto problem =
          random_problem<Coulomb>({.bodies = 6, .contacts = 10, .points = 3, .seed = seed});
      const Solution s =
          solve(problem, {.method = SolverKind::gauss_seidel, .tolerance = 0, .max_sweeps = cap});
      EXPECT_EQ(s.iterations, cap);
      EXPECT_LE(0.5 * s.r.dot(problem.W * s.r) + s.r.dot(problem.q),
                1e-12 * problem.q.squaredNorm())
          << seed;
    }
}

TEST(SolveProblem, IterationsAreNoMoreThanAllowed) {
  for (const SolverKind kind : kSolverKinds)
    for (const int cap : {1, 2, 5, 23}) {
      const auto problem = random_problem<Coulomb>({.bodies = 6, .contacts = 12, .points = 3});
      const Solution s = solve(problem, {.method = kind, .tolerance = 1e-300, .max_sweeps = cap},
                               {.max_seconds = 5});
      EXPECT_LE(s.iterations, cap) << name(kind);
    }
}

TEST(SolveProblem, MixedSweepsThatAreStoppedEarlyMakeNoEnergy) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    for (const Acceleration acceleration : {Acceleration::anderson, Acceleration::nesterov})
      for (const int cap : {2, 5, 20}) {
        const auto problem = random_problem<MaxDissipation>(
            {.bodies = 6, .contacts = 14, .points = 3, .seed = seed});
        const Solution s = solve(problem, {.method = SolverKind::gauss_seidel,
                                           .tolerance = 0,
                                           .max_sweeps = cap,
                                           .acceleration = acceleration});
        EXPECT_LE(0.5 * s.r.dot(problem.W * s.r) + s.r.dot(problem.q),
                  1e-12 * problem.q.squaredNorm())
            << seed;
      }
}

TEST(SolveProblem, WhatCannotBeUsedIsRefused) {
  const auto good = random_problem<Coulomb>({.bodies = 3, .contacts = 4, .points = 1});
  const auto refused = [&](auto&& spoil) {
    FrictionContactProblem problem = good;
    spoil(problem);
    EXPECT_THROW(solve(problem), InputError);
  };
  refused([](FrictionContactProblem& p) { p.q[1] = std::numeric_limits<double>::quiet_NaN(); });
  refused([](FrictionContactProblem& p) {
    p.W.valuePtr()[0] = std::numeric_limits<double>::infinity();
  });
  refused([](FrictionContactProblem& p) { p.q.conservativeResize(p.q.size() - 1); });
  refused([](FrictionContactProblem& p) { p.laws.clear(); });
  refused([](FrictionContactProblem& p) {
    std::get<std::vector<Coulomb>>(p.laws.front()).front().mu = -0.1;
  });
  refused([](FrictionContactProblem& p) { p.W *= 0.0; });
}

TEST(SolveTogether, AStepWhoseVelocitiesAreNotFiniteEndsUnconvergedAndDoesNotThrow) {
  ThreadPool pool(1);
  for (const SolverKind kind : {SolverKind::automatic, SolverKind::psor}) {
    ContactProblem problem = test::random_chain(5, 1);
    problem.bodies[2].velocity.x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(solve_as_matrix_problem(problem, {.method = kind}, pool).converged);
  }
}

TEST(SolveProblem, AMatrixThatIsNotDefiniteEndsHonestly) {
  auto problem = random_problem<Coulomb>({.bodies = 3, .contacts = 4, .points = 1});
  problem.W.coeffRef(0, 3) = problem.W.coeffRef(3, 0) = 30 * problem.W.diagonal().maxCoeff();
  problem.W.makeCompressed();
  for (const SolverKind kind : kSolverKinds) {
    const Solution s = solve(problem, {.method = kind}, {.max_seconds = 1});
    EXPECT_TRUE(s.r.allFinite()) << name(kind);
    if (s.status == SolveStatus::converged) {
      EXPECT_LE(scaled_residual(problem, s.r), 1.001e-8) << name(kind);
    }
  }
}

TEST(SolveProblem, IslandsGiveTheSameBitsForAnyNumberOfThreads) {
  const auto problem =
      random_problem<Coulomb>({.bodies = 60, .contacts = 50, .points = 2, .seed = 7});
  const Solution one = solve(problem, {.tolerance = 1e-10});
  for (const int threads : {1, 2, 3, 4}) {
    ThreadPool pool(threads);
    EXPECT_EQ(solve(problem, {.tolerance = 1e-10}, {.pool = &pool}).r, one.r);
  }
}

TEST(SolveProblem, AccelerationsReachTheSameAnswerAsPlainSweeps) {
  const auto problem = random_problem<Coulomb>({.bodies = 20, .contacts = 30, .seed = 3});
  const Solution plain =
      solve(problem, {.method = SolverKind::gauss_seidel, .tolerance = 1e-11}, {.max_seconds = 20});
  for (const Acceleration acceleration : {Acceleration::anderson, Acceleration::nesterov}) {
    const Solution s = solve(
        problem,
        {.method = SolverKind::gauss_seidel, .tolerance = 1e-11, .acceleration = acceleration},
        {.max_seconds = 20});
    EXPECT_EQ(s.status, SolveStatus::converged);
    EXPECT_LE(s.iterations, plain.iterations);
    EXPECT_LE((s.u - plain.u).norm(), 1e-8 * problem.q.norm());
  }
}

TEST(SolveProblem, JacobiBetweenSubdomainsAndGaussSeidelInsideIsGaussSeidelWhereThereIsOne) {
  const auto problem = random_problem<Coulomb>({.bodies = 8, .contacts = 12, .seed = 5});
  const std::vector<int> one(12, 0);
  const Solution blend = solve(
      problem, {.method = SolverKind::jacobi, .tolerance = 0, .max_sweeps = 10, .relaxation = 1},
      {.subdomain = one});
  const Solution sweeps =
      solve(problem, {.method = SolverKind::gauss_seidel, .tolerance = 0, .max_sweeps = 10});
  EXPECT_EQ(blend.r, sweeps.r);
}

/// The contact of [Preclik18, Table 1] with unit tangents. Coulomb's law has three solutions, of
/// −0.252, −0.393 and −0.631 J.
FrictionContactProblem academic_problem(Coulomb::Choice choice) {
  Eigen::Matrix3d W;
  W << 0.8619907007924331, 0.06948554307697678, 0.2211951308571858,  //
      0.06948554307697678, 0.7683445489547382, 0.01792102975013237,  //
      0.2211951308571858, 0.01792102975013237, 0.06139517081676399;
  FrictionContactProblem problem{W.sparseView(), Vector(3), {}};
  problem.q << -0.05993709905167472, 0.7353535391811254, 0.04650501662254124;
  problem.laws = {std::vector{Coulomb{3.58275983664843, choice}}};
  return problem;
}

TEST(SolveProblem, TakesTheSolutionOfTheLawsChoiceByEveryMethod) {
  using enum SolverKind;
  for (const SolverKind solver : {automatic, gauss_seidel, psor, jacobi, newton,
                                  newton_fischer_burmeister, interior_point, admm}) {
    const auto energy = [&](Coulomb::Choice choice, const std::vector<double>& start) {
      const auto problem = academic_problem(choice);
      const Solution s = solve(problem, {.method = solver, .tolerance = 1e-9},
                               {.start = start, .max_seconds = 20});
      EXPECT_EQ(s.status, SolveStatus::converged) << name(solver);
      return 0.5 * s.r.dot(s.u + problem.q);
    };
    EXPECT_NEAR(energy(Coulomb::Choice::dissipation, {}), -0.63096, 1e-5) << name(solver);
    EXPECT_NEAR(energy(Coulomb::Choice::min_impulse, {}), -0.25170, 1e-5) << name(solver);
    EXPECT_NEAR(energy(Coulomb::Choice::continuity, {0.29, -0.86, -0.6}), -0.39257, 1e-5)
        << name(solver);
  }
}

TEST(SolveProblem, LemkeIsExactForPolyhedralConesAndComesNearRoundOnes) {
  double coarse = 0, fine = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RandomShape shape{.bodies = 6, .contacts = 6, .seed = seed};
    const Solution exact = solved(random_problem<Polyhedral>(shape), SolverKind::lemke);
    EXPECT_EQ(exact.status, SolveStatus::converged) << "seed " << seed << " E " << exact.residual;
    const auto round = random_problem<Coulomb>(shape);
    coarse += fclib_residual(round, solve(round, {.method = SolverKind::lemke, .facets = 8}).r);
    fine += fclib_residual(round, solve(round, {.method = SolverKind::lemke, .facets = 16}).r);
  }
  EXPECT_LE(fine / 10, 0.02);
  EXPECT_LE(fine, 0.6 * coarse);
}

TEST(SolveProblem, LemkeReachesTheEndOfItsPathInSpiteOfTiesAndRounding) {
  // A corner resists velocities up to half an angle of the polygon away from it.
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const int facets : {8, 16}) {
      const auto round = random_problem<Coulomb>({.bodies = 8, .contacts = 9, .seed = seed});
      const Solution s = solve(round, {.method = SolverKind::lemke, .facets = facets});
      EXPECT_LE(fclib_residual(round, s.r), std::tan(std::numbers::pi / facets))
          << seed << ", " << facets;
    }
}

TEST(SolveProblem, SaysSoWhereASolverDoesNotSuit) {
  const auto problem = random_problem<MaxDissipation>({.seed = 1});
  for (const SolverKind solver : kConeSolvers)
    EXPECT_EQ(solved(problem, solver).status, SolveStatus::unsuited);
  EXPECT_EQ(solved(problem, SolverKind::lemke).status, SolveStatus::unsuited);
  const auto joints = random_problem<Coulomb>({.joints = 1, .seed = 1});
  EXPECT_EQ(solved(joints, SolverKind::lemke).status, SolveStatus::unsuited);
}

TEST(SolveProblem, TheMinimumNormLeavesVelocitiesAsTheyAre) {
  int dimensions = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto problem =
        random_problem<Coulomb>({.bodies = 2, .contacts = 5, .points = 4, .seed = seed});
    const Solution any = solved(problem, SolverKind::automatic);
    const Solution min_value = solve(problem, {.tolerance = 1e-9, .minimum_norm = true});
    ASSERT_TRUE(min_value.hyperstatic);
    dimensions += min_value.hyperstatic->dimension;
    EXPECT_TRUE(min_value.hyperstatic->minimum_norm) << seed;
    EXPECT_EQ(min_value.status, SolveStatus::converged);
    EXPECT_LE(min_value.residual, 1e-9);
    EXPECT_LE((min_value.u - any.u).norm(), 1e-7 * problem.q.norm());
    EXPECT_LE(min_value.r.norm(), any.r.norm() * (1 + 1e-9));
  }
  EXPECT_GT(dimensions, 0);
}

TEST(SolveProblem, TheMinimumNormIsNotSoughtPastTheTimeLimit) {
  const auto problem =
      random_problem<Coulomb>({.bodies = 2, .contacts = 5, .points = 4, .seed = 1});
  const Vector r = solved(problem, SolverKind::automatic).r;
  const Solution late =
      solve(problem, {.tolerance = 1e-8, .minimum_norm = true},
            {.start = {r.data(), static_cast<std::size_t>(r.size())}, .max_seconds = 0});
  EXPECT_EQ(late.status, SolveStatus::time_limit);
  EXPECT_FALSE(late.hyperstatic->minimum_norm);
  EXPECT_EQ(late.r, r);
}

TEST(SolveProblem, FourPointsUnderABoxShareItsWeight) {
  // A box of mass 1 on the floor, gravity g h = 1 m/s: each of four corners may carry anything that
  // adds up; the least norm is a quarter.
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(12, 6);
  const double x[4] = {1, 1, -1, -1}, y[4] = {1, -1, 1, -1};
  for (int k = 0; k < 4; ++k) {
    // Normal z, tangents x and y; arm (x, y, −1).
    H.row(3 * k) << 0, 0, 1, y[k], -x[k], 0;
    H.row(3 * k + 1) << 1, 0, 0, 0, -1, -y[k];
    H.row(3 * k + 2) << 0, 1, 0, 1, 0, x[k];
  }
  FrictionContactProblem problem;
  problem.W = SparseMatrix((H * H.transpose()).sparseView());
  problem.W.makeCompressed();
  problem.q = H * Eigen::VectorXd::Unit(6, 2) * -1;
  problem.laws.emplace_back(std::vector<Coulomb>(4, Coulomb{0.5}));
  const Solution s = solve(problem, {.tolerance = 1e-12, .minimum_norm = true});
  ASSERT_EQ(s.status, SolveStatus::converged);
  EXPECT_EQ(s.hyperstatic->dimension, 6);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(s.r[3 * k], 0.25, 1e-9);
    EXPECT_NEAR(s.r[3 * k + 1], 0, 1e-9);
    EXPECT_GE(s.hyperstatic->spread[k], 0.2);
  }
}

TEST(SolveProblem, NothingToDoIsDone) {
  auto problem = random_problem<Coulomb>({.seed = 2});
  problem.q.setZero();
  const Solution s = solve(problem);
  EXPECT_EQ(s.status, SolveStatus::converged);
  EXPECT_EQ(s.r.norm(), 0);
  FrictionContactProblem empty;
  EXPECT_EQ(solve(empty).status, SolveStatus::converged);
}

TEST(SolveProblem, AStartThatIsNoNumberIsNotTaken) {
  const auto problem = random_problem<Coulomb>({.seed = 2});
  const std::vector<double> start(problem.q.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(solve(problem, {.tolerance = 1e-9}, {.start = start}).status, SolveStatus::converged);
}

TEST(SolveProblem, StopsWhenItIsAskedTo) {
  const auto problem =
      random_problem<Coulomb>({.bodies = 30, .contacts = 60, .points = 4, .seed = 4});
  // Asked late enough for what is expected below, however slow the machine
  const Solution coarse = solve(problem, {.method = SolverKind::gauss_seidel, .tolerance = 5e-4});
  ASSERT_EQ(coarse.status, SolveStatus::converged);
  std::stop_source stop;
  std::jthread asks([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(0.05 + 4 * coarse.seconds));
    stop.request_stop();
  });
  const Solution s = solve(problem, {.method = SolverKind::gauss_seidel, .tolerance = 0},
                           {.stop = stop.get_token()});
  EXPECT_EQ(s.status, SolveStatus::stopped);
  EXPECT_LT(s.seconds, 10);
  EXPECT_LT(s.residual, 1e-3);  // the best by then
  for (const SolverKind solver : kSolverKinds)
    if (solver != SolverKind::lemke)
      EXPECT_EQ(
          solve(problem, {.method = solver, .tolerance = 0}, {.stop = stop.get_token()}).status,
          SolveStatus::stopped)
          << name(solver);
}

TEST(SolveProblem, StopsWhenItsTimeIsOver) {
  const auto problem =
      random_problem<Coulomb>({.bodies = 30, .contacts = 60, .points = 4, .seed = 4});
  const Solution s =
      solve(problem, {.method = SolverKind::gauss_seidel, .tolerance = 0}, {.max_seconds = 0.05});
  EXPECT_EQ(s.status, SolveStatus::time_limit);
  EXPECT_LT(s.seconds, 1);
}

}  // namespace
}  // namespace scree
