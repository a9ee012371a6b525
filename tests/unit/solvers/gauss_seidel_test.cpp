#include "scree/solvers/gauss_seidel.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "scree/solvers/contact_certificate.hpp"
#include "unit/solvers/random_chain.hpp"

namespace scree {
namespace {

using test::random_chain;

bool same_bits(const ContactProblem& a, const ContactProblem& b) {
  return std::memcmp(a.bodies.data(), b.bodies.data(), a.bodies.size() * sizeof(BodyRecord)) == 0 &&
         std::memcmp(a.blocks.data(), b.blocks.data(),
                     a.blocks.size() * sizeof(SphereContactBlock)) == 0;
}

TEST(GaussSeidel, GivesTheSameBitsOnEveryInstructionSet) {
  ThreadPool scalar(1, InstructionSet::scalar);
  GaussSeidel solver;
  const ContactProblem start = random_chain(1003, 1);
  ContactProblem oracle = start;
  const SolveResult expected = solver.solve(oracle, {.tolerance = 1e-12, .max_sweeps = 30}, scalar);
  for (const InstructionSet set : instruction_sets()) {
    ThreadPool pool(1, set);
    ContactProblem problem = start;
    const SolveResult result = solver.solve(problem, {.tolerance = 1e-12, .max_sweeps = 30}, pool);
    EXPECT_TRUE(same_bits(problem, oracle)) << name(set);
    EXPECT_EQ(result.certificate.residual, expected.certificate.residual) << name(set);
    EXPECT_EQ(result.certificate.worst_residual, expected.certificate.worst_residual) << name(set);
    EXPECT_EQ(result.certificate.sliding, expected.certificate.sliding) << name(set);
    EXPECT_EQ(result.certificate.over_tolerance, expected.certificate.over_tolerance) << name(set);
    EXPECT_EQ(result.certificate.bias_work, expected.certificate.bias_work) << name(set);
    EXPECT_EQ(result.certificate.worst_chunk, expected.certificate.worst_chunk) << name(set);
  }
}

TEST(GaussSeidel, ConvergesToImpulsesThatObeyTheLaw) {
  ThreadPool pool(1);
  ContactProblem problem = random_chain(200, 2);
  GaussSeidel solver;
  const SolveResult result = solver.solve(problem, {.tolerance = 1e-12, .max_sweeps = 5000}, pool);
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.certificate.residual, 1e-12);
  for (const SphereContactBlock& block : problem.blocks)
    for (int lane = 0; lane < kBlock; ++lane)
      if (block.a[lane] != problem.at_rest())
        EXPECT_LT(verdict_of(problem, block, lane).residual, 1e-10);
}

TEST(GaussSeidel, AppliesAWarmStartThatItThenOnlyHasToConfirm) {
  ThreadPool pool(1);
  const ContactProblem start = random_chain(200, 3);
  ContactProblem solved = start;
  GaussSeidel solver;
  solver.solve(solved, {.tolerance = 1e-13, .max_sweeps = 5000}, pool);
  ContactProblem again = solved;
  again.bodies = start.bodies;
  solver.apply_warm_start(again, pool);
  EXPECT_LT(solver.certify(again, 1e-12, pool).residual, 1e-12);
  EXPECT_EQ(solver.solve(again, {.tolerance = 1e-10, .max_sweeps = 100}, pool).sweeps, 1);
}

TEST(GaussSeidel, SaysSoWhenTheCapOnSweepsComesFirst) {
  ThreadPool pool(1);
  ContactProblem problem = random_chain(200, 4);
  const SolveResult result =
      GaussSeidel().solve(problem, {.tolerance = 1e-14, .max_sweeps = 2}, pool);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.sweeps, 2);
  EXPECT_GT(result.certificate.residual, 1e-14);
}

TEST(GaussSeidel, CountsContactsOverTheirPartOfTheTolerance) {
  ThreadPool pool(1);
  GaussSeidel solver;
  std::size_t before = 1000;
  for (const int sweeps : {3, 10, 30, 100, 1000}) {
    ContactProblem problem = random_chain(1003, 6);
    constexpr double kTolerance = 1e-4;
    for (int k = 0; k < sweeps; ++k) solver.sweep(problem, pool);
    const Certificate certificate = solver.certify(problem, kTolerance, pool);
    const double fraction = kTolerance * std::sqrt(problem.undone.closing / problem.contacts);
    std::size_t over = 0;
    double worst = 0, bias_work = 0;
    for (const SphereContactBlock& block : problem.blocks)
      for (int k = 0; k < kBlock; ++k) {
        const double residual = verdict_of(problem, block, k).residual;
        over += residual > fraction;
        worst = std::max(worst, residual);
        bias_work -= block.bias[k] * (block.impulse[0][k] * block.normal[0][k] +
                                      block.impulse[1][k] * block.normal[1][k] +
                                      block.impulse[2][k] * block.normal[2][k]);
      }
    EXPECT_EQ(certificate.over_tolerance, over);
    EXPECT_LE(certificate.over_tolerance, before) << "sweeps only help";
    EXPECT_NEAR(certificate.worst_residual, worst, 1e-13) << "rounding of velocities, over small μ";
    EXPECT_NEAR(certificate.bias_work, bias_work, 1e-12 * std::abs(bias_work));
    if (over == 0) EXPECT_LE(certificate.residual, kTolerance);
    before = over;
  }
  EXPECT_EQ(before, 0u);
}

TEST(GaussSeidel, CountsWhatSlidesAtAnyScaleOfImpulses) {
  ThreadPool pool(1);
  GaussSeidel solver;
  ContactProblem problem = random_chain(1003, 7);
  for (int k = 0; k < 30; ++k) solver.sweep(problem, pool);
  const std::size_t sliding = solver.certify(problem, 1e-4, pool).sliding;
  ASSERT_GT(sliding, 0u);
  ASSERT_LT(sliding, solver.certify(problem, 1e-4, pool).loaded);
  for (SphereContactBlock& block : problem.blocks)
    for (auto& component : block.impulse)
      for (double& r : component) r = std::ldexp(r, -600);  // whose squares are no numbers
  EXPECT_EQ(solver.certify(problem, 1e-4, pool).sliding, sliding);
}

TEST(GaussSeidel, KeepsImpulsesInTheirConesAtAnyScale) {
  ThreadPool pool(1);
  ContactProblem problem = random_chain(1003, 7);
  for (BodyRecord& body : problem.bodies) {
    body.velocity = std::ldexp(1, -690) * body.velocity;
    body.spin = std::ldexp(1, -690) * body.spin;
  }
  for (SphereContactBlock& block : problem.blocks)
    for (double& bias : block.bias) bias = std::ldexp(bias, -690);
  for (int k = 0; k < 3; ++k) GaussSeidel().sweep(problem, pool);
  int loaded = 0;
  for (const SphereContactBlock& block : problem.blocks)
    for (int k = 0; k < kBlock; ++k) {
      Vec3 n, r;  // as numbers whose squares are exact
      for (int j = 0; j < 3; ++j)
        n[j] = block.normal[j][k], r[j] = std::ldexp(block.impulse[j][k], 690);
      const double r_n = dot(r, n);
      loaded += r_n > 0;
      EXPECT_LE(norm(r - r_n * n), (1 + 1e-9) * block.friction[k] * r_n + 1e-12 * norm(r));
    }
  EXPECT_GT(loaded, 100);
}

TEST(GaussSeidel, GoesOnBelowItsToleranceIfAsked) {
  ThreadPool pool(1);
  GaussSeidel solver;
  constexpr double kLoose = 0.03, kFine = 1e-4;
  for (const std::uint32_t contacts : {3u, 20u, 100u, 1003u}) {
    ContactProblem enough = random_chain(contacts, 6), further = enough;
    const SolveResult loose = solver.solve(enough, {.tolerance = kLoose, .max_sweeps = 1000}, pool);
    const SolveResult fine =
        solver.solve(further, {.tolerance = kLoose, .max_sweeps = 50}, pool, kFine);
    EXPECT_EQ(fine.converged, fine.certificate.residual <= kLoose) << contacts;
    EXPECT_TRUE(fine.sweeps == 50 || fine.certificate.residual <= kFine) << contacts;
    if (loose.certificate.residual > kFine) EXPECT_GT(fine.sweeps, loose.sweeps) << contacts;
  }
}

TEST(GaussSeidel, CertifiesAFrictionlessContactThatSeparates) {
  // No tangential velocity at all: the projection on a cone of no angle, seen from below its tip.
  for (const InstructionSet set : instruction_sets()) {
    ThreadPool pool(1, set);
    ContactProblem problem = random_chain(200, 5);
    for (SphereContactBlock& block : problem.blocks) std::ranges::fill(block.friction, 0.0);
    for (BodyRecord& body : problem.bodies) body.velocity = body.spin = {};
    for (SphereContactBlock& block : problem.blocks) std::ranges::fill(block.bias, 0.1);
    problem.undone.closing = 1;
    GaussSeidel solver;
    const SolveResult result = solver.solve(problem, {.tolerance = 1e-12, .max_sweeps = 10}, pool);
    EXPECT_TRUE(result.converged) << name(set);
    EXPECT_EQ(result.certificate.residual, 0) << name(set);
  }
}

TEST(GaussSeidel, HasNothingToSolveInAnEmptyProblem) {
  ThreadPool pool(1);
  ContactProblem problem;
  const SolveResult result = GaussSeidel().solve(problem, {}, pool);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.certificate.residual, 0);
}

}  // namespace
}  // namespace scree
