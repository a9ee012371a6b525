#include <gtest/gtest.h>
#include <numbers>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// A gas of side³ smooth spheres of diameter, mass and temperature 1, of solid fraction 0.1,
/// between elastic walls, without gravity.
Simulation granular_gas(int side, double restitution, double h, std::uint64_t seed) {
  World world({LawKind::frictionless, 0, 0}, h);
  Model& model = world.model;
  model.gravity = {};
  model.materials = {{"gas", 6 / std::numbers::pi}, {"wall", 0}};
  model.laws = LawTable(2, {LawKind::frictionless, 0, restitution});
  model.laws.assign(0, 1, {LawKind::frictionless, 0, 1});
  model.step.restitution_threshold = 1e-9;
  // Centres keep half a diameter from the walls: the fraction is that of the room they have.
  const double spacing = std::cbrt(std::numbers::pi / 6 / 0.1), width = side * spacing + 1;
  for (int k = 0; k < 3; ++k) {
    Vec3 normal, far;
    normal[k] = 1, far[k] = width;
    world.half_space({}, normal).half_space(far, -normal);
  }
  for (Obstacle& wall : model.obstacles) wall.material = 1;
  RandomStream random{seed, 0};
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3 cell{i / side / side + 0.5, i / side % side + 0.5, i % side + 0.5};
    world.sphere(spacing * cell + Vec3{0.5, 0.5, 0.5}, 0.5,
                 {random.normal(), random.normal(), random.normal()});
  }
  return world.simulation(2);
}

double temperature(const Simulation& simulation) {
  const State& state = simulation.state();
  double sum = 0;
  for (const Vec3& v : state.bodies.velocity) sum += squared_norm(v);
  return sum / (3 * static_cast<double>(state.bodies.size()));
}

TEST(GranularGas, LosesEnergyWithoutDissipationOnlyWhereASphereMeetsTwoInOneStep) {
  // Newton's restitution is for impacts that are apart. A second impact within the step is
  // inelastic, and rarer the shorter the step.
  const auto loss = [](double h) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Simulation gas = granular_gas(12, 1, h, seed);
      const double before = temperature(gas);
      while (gas.state().time < 4) gas.step();
      sum += (before - temperature(gas)) / before / 4;
    }
    return sum;
  };
  const double coarse = loss(0.02), fine = loss(0.005);
  std::printf("share of energy lost in some seven collisions a sphere: %.2g at h, %.2g at h/4\n",
              coarse, fine);
  EXPECT_GT(fine, 0);
  EXPECT_LT(fine, 0.4 * coarse);
}

}  // namespace
}  // namespace scree
