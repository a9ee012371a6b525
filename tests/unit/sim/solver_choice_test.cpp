/// Every solver can be chosen for the steps of a simulation.
#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <vector>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

constexpr int kSteps = 60;

std::vector<SolverKind> solvers_for(LawKind law) {
  std::vector<SolverKind> solvers;
  std::ranges::copy_if(kSolverKinds, std::back_inserter(solvers), [law](SolverKind solver) {
    return solver != SolverKind::lemke && suits(solver, law);
  });
  return solvers;
}

/// Balls that fall on each other in a corner; every other one with three different moments of
/// inertia, if so asked.
World falling_balls(const PairLaw& law, bool loaded) {
  World world(law, 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1}).half_space({-0.012, 0, 0}, {1, 0, 0.2});
  if (loaded) world.model.prototypes.push_back({Sphere{1}, {0.2, 0.4, 0.5}});
  RandomStream random{11, 0};
  for (int k = 0; k < 12; ++k) {
    const Vec3 spin{random.uniform(-9, 9), 0, 0};
    const Vec3 velocity{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), -0.5};
    Body& body = world.sphere({0.0205 * (k % 2), 0.0205 * (k / 2 % 2), 0.0101 + 0.0207 * (k / 4)},
                              0.01, velocity, spin);
    if (loaded) body.prototype = static_cast<PrototypeId>(k % 2);
  }
  world.model.solver.tolerance = 1e-9;
  world.model.solver.max_sweeps = 100000;
  return world;
}

std::vector<Vec3> velocities_after(World world, SolverKind solver, int threads = 1) {
  world.model.solver.method = solver;
  Simulation simulation = world.simulation(threads);
  for (int k = 0; k < kSteps; ++k) {
    const Report& report = simulation.step();
    EXPECT_TRUE(report.converged) << name(solver) << " step " << k << " residual "
                                  << report.residual;
    EXPECT_EQ(report["energy_created"].value, 0) << name(solver) << " step " << k;
  }
  const auto& velocity = simulation.state().bodies.velocity;
  return {velocity.begin(), velocity.end()};
}

double farthest(const std::vector<Vec3>& one, const std::vector<Vec3>& other) {
  double max_value = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    max_value = std::max(max_value, norm(one[i] - other[i]));
  return max_value;
}

TEST(SolverChoice, MovesSpheresAlikeByEverySolver) {
  const World world = falling_balls(coulomb(0.3), false);
  const auto swept = velocities_after(world, SolverKind::gauss_seidel);
  for (const SolverKind solver : solvers_for(LawKind::coulomb))
    EXPECT_LT(farthest(velocities_after(world, solver), swept), 1e-6) << name(solver);
}

TEST(SolverChoice, MovesLoadedBallsAlikeByEverySolverThatKnowsTheLaw) {
  for (const LawKind law : {LawKind::frictionless, LawKind::coulomb, LawKind::max_dissipation,
                            LawKind::cone_complementarity}) {
    const World world = falling_balls({law, 0.3}, true);
    const auto swept = velocities_after(world, SolverKind::gauss_seidel);
    for (const SolverKind solver : solvers_for(law))
      EXPECT_LT(farthest(velocities_after(world, solver), swept), 1e-6)
          << name(law) << " by " << name(solver);
  }
}

TEST(SolverChoice, GivesTheSameBitsOnAnyNumberOfThreads) {
  const World world = falling_balls(coulomb(0.3), true);
  const auto alone = velocities_after(world, SolverKind::automatic);
  for (const int threads : {2, 4})
    EXPECT_EQ(velocities_after(world, SolverKind::automatic, threads), alone) << threads;
}

TEST(SolverChoice, LetsGoWhereNothingCloses) {
  World world(coulomb(0.5), 1e-3);
  world.model.solver.method = SolverKind::automatic;
  bool sinking = false;
  world.obstacle(Box{{1, 1, 0.01}}, {{0, 0, -0.01}, {}}, [&sinking](double) {
    return Twist{{0, 0, sinking ? -1.0 : 0.0}, {}};
  });
  world.sphere({0, 0, 0.01}, 0.01);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 5; ++k) simulation.step();
  EXPECT_NEAR(simulation.state().bodies.velocity[0].z, 0, 1e-12);
  sinking = true;
  EXPECT_TRUE(simulation.step().converged);
  EXPECT_NEAR(simulation.state().bodies.velocity[0].z, -kGravity * 1e-3, 1e-12);
}

/// Stacks of four boxes, apart from each other, the heaviest on top, that fall flat on a floor.
World stacks(int count) {
  World world(coulomb(0.5), 1e-3);
  world.half_space({}, {0, 0, 1});
  for (int stack = 0; stack < count; ++stack)
    for (int k = 0; k < 4; ++k) {
      Body& body = world.box({0.2 * stack, 0.004 * k, 0.025 + 0.05 * k}, {0.1, 0.1, 0.05});
      body.velocity = {0.3, 0, -1};
      body.mass *= k + 1;
    }
  world.model.solver.tolerance = 1e-8;
  world.model.solver.max_sweeps = 100;
  return world;
}

TEST(AStepThatSweepsDoNotSolve, IsSolvedSetBySetWhereTheseAreSmall) {
  // 480 contacts are too many for the portfolio at once, and 100 sweeps too few for any of them.
  const World world = stacks(30);
  Simulation one = world.simulation(1), two = world.simulation(2);
  for (int k = 0; k < 5; ++k) {
    const Report& report = one.step();
    two.step();
    EXPECT_EQ(report.contacts, 480u);
    EXPECT_TRUE(report.converged) << k << " " << report.residual;
  }
  EXPECT_EQ(state_hash(one.state()), state_hash(two.state()));
}

}  // namespace
}  // namespace scree
