#include <gtest/gtest.h>

#include <map>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

TEST(PileOfAThousandSpheres, StaysAtRestForAHundredThousandSteps) {
  World world = random_pile(1000, coulomb(0.4), 5e-4, 5);
  world.model.solver.tolerance = 1e-6;
  world.model.solver.max_sweeps = 500;
  Simulation simulation = world.simulation(2);
  run_until(simulation, 3);  // fall and settle
  std::map<std::uint64_t, Vec3> settled;
  const Bodies& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) settled[bodies.id[i].value] = bodies.position[i];

  for (int k = 0; k < 100'000; ++k) simulation.step();
  double drift = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    drift = std::max(drift, norm(bodies.position[i] - settled[bodies.id[i].value]) / (2 * bodies.radius[i]));
  EXPECT_LT(drift, 1e-6) << "diameters";
}

}  // namespace
}  // namespace scree
