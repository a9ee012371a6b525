#include "scree/solvers/gauss_seidel.hpp"

#include <cstring>
#include <gtest/gtest.h>

#include "scree/math/random.hpp"

namespace scree {
namespace {

Vec3 random_vector(RandomStream& random) { return {random.normal(), random.normal(), random.normal()}; }

/// Bodies in a row, each in contact with the next: two colours, and the last body on a body at rest.
ContactProblem random_chain(std::uint32_t bodies, std::uint64_t seed) {
  RandomStream random{seed, 0};
  ContactProblem problem;
  problem.free_bodies = bodies;
  for (std::uint32_t i = 0; i < bodies; ++i) {
    const double inverse_mass = random.uniform(0.5, 2);
    problem.bodies.push_back({random_vector(random), random_vector(random), inverse_mass, 2.5 * inverse_mass});
  }
  problem.bodies.push_back({});
  problem.first_chunk = {0};
  problem.first_general = {0, 0, 0};
  for (std::uint32_t colour = 0; colour < 2; ++colour) {
    const auto first_block = static_cast<std::uint32_t>(problem.blocks.size());
    int lane = kBlock;
    for (std::uint32_t i = colour; i < bodies; i += 2, ++lane) {
      if (lane == kBlock) {
        DiagonalBlock empty{};
        for (int k = 0; k < kBlock; ++k) empty.a[k] = empty.b[k] = problem.at_rest();
        problem.blocks.push_back(empty);
        lane = 0;
      }
      DiagonalBlock& block = problem.blocks.back();
      const Vec3 direction = random_vector(random), n = direction / norm(direction);
      for (int k = 0; k < 3; ++k) block.normal[k][lane] = n[k];
      block.bias[lane] = random.uniform(-1, 1);
      block.friction[lane] = random.uniform(0, 1);
      block.a[lane] = i, block.b[lane] = i + 1;
      const Vec3 u = problem.bodies[i + 1].velocity - problem.bodies[i].velocity;
      problem.squared_q += squared_norm(u) + 1;
    }
    problem.chunks.push_back({first_block, static_cast<std::uint32_t>(problem.blocks.size())});
    problem.first_chunk.push_back(colour + 1);
  }
  return problem;
}

bool same_bits(const ContactProblem& a, const ContactProblem& b) {
  return std::memcmp(a.bodies.data(), b.bodies.data(), a.bodies.size() * sizeof(BodyRecord)) == 0 &&
         std::memcmp(a.blocks.data(), b.blocks.data(), a.blocks.size() * sizeof(DiagonalBlock)) == 0;
}

TEST(GaussSeidel, GivesTheSameBitsOnEveryInstructionSet) {
  ThreadPool pool(1);
  GaussSeidel solver;
  const ContactProblem start = random_chain(1003, 1);
  const std::string widest = GaussSeidel::instruction_set();
  ASSERT_TRUE(GaussSeidel::use_instruction_set("scalar"));
  ContactProblem oracle = start;
  const SolveResult expected = solver.solve(oracle, {1e-12, 30, 1}, pool);
  for (const char* name : {"avx2", "avx512"}) {
    if (!GaussSeidel::use_instruction_set(name)) continue;
    ContactProblem problem = start;
    const SolveResult result = solver.solve(problem, {1e-12, 30, 1}, pool);
    EXPECT_TRUE(same_bits(problem, oracle)) << name;
    EXPECT_EQ(result.certificate.residual, expected.certificate.residual) << name;
    EXPECT_EQ(result.certificate.worst_residual, expected.certificate.worst_residual) << name;
    EXPECT_EQ(result.certificate.sliding, expected.certificate.sliding) << name;
  }
  ASSERT_TRUE(GaussSeidel::use_instruction_set(widest.c_str()));
}

TEST(GaussSeidel, ConvergesToPercussionsThatObeyTheLaw) {
  ThreadPool pool(1);
  ContactProblem problem = random_chain(200, 2);
  GaussSeidel solver;
  const SolveResult result = solver.solve(problem, {1e-12, 5000, 1}, pool);
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.certificate.residual, 1e-12);
  for (const DiagonalBlock& block : problem.blocks)
    for (int lane = 0; lane < kBlock; ++lane)
      if (block.a[lane] != problem.at_rest()) EXPECT_LT(verdict_of(problem, block, lane).residual, 1e-10);
}

TEST(GaussSeidel, AppliesAWarmStartThatItThenOnlyHasToConfirm) {
  ThreadPool pool(1);
  const ContactProblem start = random_chain(200, 3);
  ContactProblem solved = start;
  GaussSeidel solver;
  solver.solve(solved, {1e-13, 5000, 1}, pool);
  ContactProblem again = solved;
  again.bodies = start.bodies;
  solver.apply_warm_start(again, pool);
  EXPECT_LT(solver.certify(again, pool).residual, 1e-12);
  EXPECT_EQ(solver.solve(again, {1e-10, 100, 1}, pool).sweeps, 1);
}

TEST(GaussSeidel, SaysSoWhenTheCapOnSweepsComesFirst) {
  ThreadPool pool(1);
  ContactProblem problem = random_chain(200, 4);
  const SolveResult result = GaussSeidel().solve(problem, {1e-14, 2, 1}, pool);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.sweeps, 2);
  EXPECT_GT(result.certificate.residual, 1e-14);
}

TEST(GaussSeidel, CertifiesAFrictionlessContactThatSeparates) {
  // No tangential velocity at all: the projection on a cone of no angle, seen from below its tip.
  for (const char* name : {"scalar", "avx2", "avx512"}) {
    const std::string widest = GaussSeidel::instruction_set();
    if (!GaussSeidel::use_instruction_set(name)) continue;
    ThreadPool pool(1);
    ContactProblem problem = random_chain(200, 5);
    for (DiagonalBlock& block : problem.blocks) std::ranges::fill(block.friction, 0.0);
    for (BodyRecord& body : problem.bodies) body.velocity = body.spin = {};
    for (DiagonalBlock& block : problem.blocks) std::ranges::fill(block.bias, 0.1);
    problem.squared_q = 1;
    GaussSeidel solver;
    const SolveResult result = solver.solve(problem, {1e-12, 10, 1}, pool);
    EXPECT_TRUE(result.converged) << name;
    EXPECT_EQ(result.certificate.residual, 0) << name;
    ASSERT_TRUE(GaussSeidel::use_instruction_set(widest.c_str()));
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
