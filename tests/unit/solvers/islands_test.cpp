#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "scree/solvers/gauss_seidel.hpp"
#include "solvers/islands/contact_islands.hpp"
#include "solvers/islands/part_of_problem.hpp"
#include "unit/solvers/random_chain.hpp"

namespace scree {
namespace {

/// A chain of balls on a floor, without the contact between balls `before` and `before` + 1.
ContactProblem two_chains(BodyIndex bodies, BodyIndex before) {
  ContactProblem problem = test::random_chain(bodies, 7);
  problem.closing.assign(problem.blocks.size(), {});
  for (std::size_t b = 0; b < problem.blocks.size(); ++b)
    for (std::size_t lane = 0; lane < kBlock; ++lane) {
      SphereContactBlock& block = problem.blocks[b];
      if (!holds_contact(block, lane, problem.at_rest())) continue;
      if (block.a[lane] == before) {
        block.a[lane] = block.b[lane] = problem.at_rest();
        block.bias[lane] = 0;
        --problem.contacts;
      } else {
        problem.closing[b].set(lane, 1, 1e-12);
      }
    }
  return problem;
}

struct Solved {
  ThreadPool pool{1};
  GaussSeidel solver;
  ContactProblem problem;
  ContactIslands islands;

  explicit Solved(ContactProblem of, int sweeps) : problem(std::move(of)) {
    solver.solve(problem, {.tolerance = 1e-12, .max_sweeps = sweeps}, pool);
    islands.find(problem, solver.squared_residuals());
  }
};

TEST(Islands, AreBodiesThatPressingContactsConnect) {
  const Solved s(two_chains(40, 19), 300);
  for (const SphereContactBlock& block : s.problem.blocks)
    for (std::size_t lane = 0; lane < kBlock; ++lane) {
      const bool presses = block.impulse[0][lane] != 0 && block.b[lane] < 40;
      if (presses) {
        EXPECT_EQ(s.islands.of(block.a[lane]), s.islands.of(block.b[lane]));
      }
    }
  EXPECT_NE(s.islands.of(19), s.islands.of(20));
}

TEST(Islands, TogetherHaveTheResidualsAndScalesOfTheWhole) {
  Solved s(two_chains(40, 19), 3);
  double squared = 0, contacts = 0;
  for (const ContactIsland& island : s.islands.all()) {
    squared += island.error * island.error;
    contacts += island.contacts;
    EXPECT_NEAR(island.scale.speed, std::sqrt(island.contacts), 1e-6);
  }
  const Certificate certificate = s.solver.certify(s.problem, 1e-12, s.pool);
  EXPECT_NEAR(std::sqrt(squared), certificate.error, 1e-9 * certificate.error);
  EXPECT_GT(contacts, 10);
}

/// 1 for the bodies of islands for which f is true.
template <class F>
std::vector<std::uint8_t> bodies_of(const ContactIslands& islands, BodyIndex bodies, F&& f) {
  std::vector<std::uint8_t> chosen(bodies);
  for (BodyIndex body = 0; body < bodies; ++body) {
    const std::uint32_t island = islands.of(body);
    chosen[body] = island != ContactIslands::kNone && f(islands.all()[island]);
  }
  return chosen;
}

TEST(PartOfProblem, IsSolvedWithoutATouchOfTheRest) {
  Solved s(two_chains(40, 19), 2);
  const ContactProblem before = s.problem;
  const auto chosen = bodies_of(s.islands, 40, [&](const ContactIsland& island) {
    return island.first_body == s.islands.all().back().first_body;
  });
  PartOfProblem part;
  part.take(s.problem, chosen, {1, 0}, 1e-12);
  EXPECT_LT(s.problem.contacts, before.contacts);
  s.solver.solve(s.problem, {.tolerance = 1e-10, .max_sweeps = 500}, s.pool);
  part.give_back(s.problem);
  EXPECT_EQ(s.problem.contacts, before.contacts);
  int moved = 0;
  for (BodyIndex body = 0; body < 40; ++body) {
    const bool same = s.problem.bodies[body].velocity == before.bodies[body].velocity;
    if (!same) ++moved;
    // Its neighbours may be pushed by contacts that close.
    const bool near = chosen[body] != 0 || (body > 0 && chosen[body - 1] != 0) ||
                      (body < 39 && chosen[body + 1] != 0);
    EXPECT_TRUE(same || near) << body;
  }
  EXPECT_GT(moved, 0);
}

TEST(PartOfProblem, HasTheSolutionThatTheWholeHasThere) {
  Solved s(two_chains(40, 19), 1);
  std::vector<std::uint8_t> second(40);
  for (BodyIndex body = 20; body < 40; ++body) second[body] = 1;
  ContactProblem whole = s.problem;
  s.solver.solve(whole, {.tolerance = 1e-13, .max_sweeps = 5000}, s.pool);
  PartOfProblem part;
  part.take(s.problem, second, {20, 0}, 1e-14);
  s.solver.solve(s.problem, {.tolerance = 1e-13, .max_sweeps = 5000}, s.pool);
  part.give_back(s.problem);
  for (BodyIndex body = 20; body < 40; ++body)
    EXPECT_LT(norm(s.problem.bodies[body].velocity - whole.bodies[body].velocity), 1e-9) << body;
}

TEST(FixedPointSum, IsTheSameInAnyOrder) {
  const double terms[] = {1e-9, 3.7, 2e-17, 0.1, 1e4, 1.0 / 3};
  const FixedPointUnit unit = FixedPointUnit::of(1e4);
  FixedPointSum forward, backward;
  for (int k = 0; k < 6; ++k) {
    forward.add(terms[k], unit);
    backward.add(terms[5 - k], unit);
  }
  EXPECT_EQ(forward.value(unit), backward.value(unit));
  EXPECT_NEAR(forward.value(unit), 1e4 + 3.7 + 0.1 + 1.0 / 3, 1e-8);
}

TEST(FixedPointSum, IsLargeIfATermIsNoNumber) {
  FixedPointSum sum;
  sum.add(std::nan(""), FixedPointUnit::of(1));
  EXPECT_GT(sum.value(FixedPointUnit::of(1)), 1);
}

}  // namespace
}  // namespace scree
