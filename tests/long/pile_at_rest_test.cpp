#include <gtest/gtest.h>
#include <map>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// The same pile with every body stopped. Spheres in contact at points have no rolling resistance:
/// one that leans on two walls only would roll on for ever.
Simulation stopped(const Simulation& simulation) {
  State state = simulation.state();
  for (Vec3& v : state.bodies.velocity) v = {};
  for (Vec3& w : state.bodies.angular_velocity) w = {};
  return Simulation(simulation.model(), std::move(state), 2);
}

TEST(PileOfAThousandSpheres, StaysAtRestForAHundredThousandSteps) {
  World world = random_pile(1000, coulomb(0.4), 5e-4, 5);
  world.model.solver.tolerance = 1e-5;
  Simulation settling = world.simulation(2);
  for (int stop = 0; stop < 12; ++stop) {
    for (int k = 0; k < 500; ++k) settling.step();
    settling = stopped(settling);
  }
  // What a step leaves undone, gravity does: the drift is the tolerance's.
  world.model.solver.tolerance = 1e-8;
  world.model.solver.max_sweeps = 2000;
  Simulation simulation(world.model, settling.state(), 2);
  for (int k = 0; k < 2000; ++k) simulation.step();

  std::map<std::uint64_t, Vec3> settled;
  const Bodies& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) settled[bodies.id[i].value] = bodies.position[i];

  for (int k = 0; k < 100'000; ++k) simulation.step();
  double drift = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    drift = std::max(
        drift, norm(bodies.position[i] - settled[bodies.id[i].value]) / (2 * bodies.radius[i]));
  EXPECT_LT(drift, 1e-6) << "diameters";
}

}  // namespace
}  // namespace scree
