#include <gtest/gtest.h>
#include <numbers>

#include "support/worlds.hpp"

namespace scree {
namespace {

using namespace test;

/// A gas of side³ smooth spheres of diameter, mass and temperature 1, of solid fraction 0.1, between elastic walls, without gravity.
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
    world.sphere(spacing * cell + Vec3{0.5, 0.5, 0.5}, 0.5, {random.normal(), random.normal(), random.normal()});
  }
  return world.simulation(2);
}

double temperature(const Simulation& simulation) {
  const State& state = simulation.state();
  double sum = 0;
  for (const Vec3& v : state.bodies.velocity) sum += squared_norm(v);
  return sum / (3 * static_cast<double>(state.bodies.size()));
}

/// d(1/√T)/dt by least squares, from when the lattice is forgotten, some five collisions a sphere, to one relaxation time.
double cooling_rate(int side, std::uint64_t seed) {
  Simulation gas = granular_gas(side, 0.9, 0.005, seed);
  while (gas.state().time < 3) gas.step();
  double n = 0, t = 0, y = 0, tt = 0, ty = 0;
  while (gas.state().time < 18) {
    gas.step();
    const double now = gas.state().time, value = 1 / std::sqrt(temperature(gas));
    n += 1, t += now, y += value, tt += now * now, ty += now * value;
  }
  return (n * ty - t * y) / (n * tt - t * t);
}

TEST(GranularGas, CoolsByHaffsLaw) {
  // T = T0 / (1 + t/τ)², so 1/√T grows by 1/τ a unit of time; τ = 6 / ((1 − e²) ω), ω = 4 d² n χ √(π T0/m) with the contact value χ
  // of Carnahan and Starling [Haff83]. Spheres at a wall are hit from one side only, which is a share of 1/L.
  constexpr double kRate = 1 / 17.8963830652;
  double large = 0, small = 0;
  constexpr int kLarge = 3, kSmall = 16;
  for (int k = 0; k < kLarge; ++k) large += cooling_rate(20, 1 + k) / kRate / kLarge;
  for (int k = 0; k < kSmall; ++k) small += cooling_rate(10, 101 + k) / kRate / kSmall;
  const double endless = 2 * large - small;
  std::printf("cooling rate over Haff's: %.4f in a box of 17 d, %.4f in one of 35 d, %.4f extrapolated\n", small, large,
              endless);
  EXPECT_LT(small, large);
  EXPECT_NEAR(endless, 1, 0.05);
}

TEST(GranularGas, LosesEnergyWithoutDissipationOnlyWhereASphereMeetsTwoInOneStep) {
  // Newton's restitution is for impacts that are apart. A second impact within the step is inelastic, and rarer the shorter the step.
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
  std::printf("share of energy lost in some seven collisions a sphere: %.2g at h, %.2g at h/4\n", coarse, fine);
  EXPECT_GT(fine, 0);
  EXPECT_LT(fine, 0.4 * coarse);
}

}  // namespace
}  // namespace scree
