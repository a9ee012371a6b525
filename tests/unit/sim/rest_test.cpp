// A state that is solved reads as solved, also where all that is left is rounding.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// Spheres thrown together in a box without gravity, e = 0: they end at rest, touching. Lengths
/// times `unit`.
World cluster(double unit, double offset, std::uint64_t seed) {
  World world(coulomb(0.4), 1e-3);
  world.model.gravity = {};
  world.model.solver.tolerance = 1e-6;
  world.model.solver.max_sweeps = 200;
  const Vec3 origin = offset * Vec3{1, 0.7, -0.3};
  const double half = 0.021 * unit;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      Vec3 out;
      out[axis] = side;
      world.half_space(origin + half * out, -out);
    }
  RandomStream random{seed, 0};
  const auto jitter = [&] { return random.uniform(-1, 1); };
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner{k & 1 ? 0.01 : -0.01, k & 2 ? 0.01 : -0.01, k & 4 ? 0.01 : -0.01};
    world.sphere(origin + unit * (corner + 3e-4 * Vec3{jitter(), jitter(), jitter()}),
                 unit * 0.0095, unit * Vec3{jitter(), jitter(), jitter()},
                 Vec3{jitter(), jitter(), jitter()});
  }
  return world;
}

TEST(AtRestWithoutGravity, EveryStepIsSolvedAtAnyScale) {
  for (const double unit : {1e-6, 1.0, 1e3})
    for (const double offset : {0.0, 1.0, 1000.0}) {
      Simulation simulation = cluster(unit, offset * unit, 3).simulation();
      for (int k = 0; k < 1000; ++k) {
        const Report& report = simulation.step();
        ASSERT_TRUE(report.converged)
            << "unit " << unit << ", offset " << offset << ", step " << k << ", E_s "
            << report.residual << ", sweeps " << report.sweeps;
        ASSERT_EQ(report["energy_created"].value, 0)
            << "unit " << unit << ", offset " << offset << ", step " << k;
      }
    }
}

TEST(AtRestWithoutGravity, NothingIsSweptForever) {
  Simulation simulation = cluster(1, 0, 4).simulation();
  int sweeps = 0;
  for (int k = 0; k < 2000; ++k) sweeps += simulation.step().sweeps;
  EXPECT_LT(sweeps, 10000);
  EXPECT_LT(simulation.report().residual, 1e-6);
}

}  // namespace
}  // namespace scree
