/// Two equal spheres meet head-on without restitution: they leave together, and momentum is kept to
/// rounding.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include "scree/sim/simulation.hpp"

int main() {
  using namespace scree;
  const double radius = 0.01;                                                          // [m]
  const double mass = 2500 * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;  // [kg]

  Model model;
  model.materials = {{.name = "glass", .density = 2500}};
  model.laws = LawTable(1, {.kind = LawKind::coulomb, .friction = 0.5});
  model.step.h = 1e-3;
  model.solver.tolerance = 1e-10;

  State state = initial_state(model);
  state.bodies.push_back(
      {.id = {0}, .position = {0, 0, 0}, .velocity = {1, 0, 0}, .radius = radius, .mass = mass});
  state.bodies.push_back({.id = {1},
                          .position = {0.025, 0, 0},
                          .velocity = {-0.5, 0, 0},
                          .radius = radius,
                          .mass = mass});
  state.next_id = 2;

  Simulation simulation(std::move(model), std::move(state), 1);
  for (int k = 0; k < 20; ++k) simulation.step();

  const Bodies& bodies = simulation.state().bodies;
  const Vec3 momentum = mass * bodies.velocity[0] + mass * bodies.velocity[1];
  const double parting = norm(bodies.velocity[0] - bodies.velocity[1]);
  const double lost = simulation.report().dissipated_energy;
  // of the relative motion, reduced mass m/2 [J]
  const double lost_in_theory = 0.5 * (mass / 2) * 1.5 * 1.5;
  std::printf(
      "momentum %.12g kg m/s, relative speed %.3g m/s, dissipated %.12g J (theory %.12g J)\n",
      momentum.x, parting, lost, lost_in_theory);

  const bool good = simulation.report().bodies == 2 &&
                    std::abs(momentum.x - 0.5 * mass) < 1e-12 * mass && parting < 1e-6 &&
                    norm(bodies.position[0] - bodies.position[1]) > 2 * radius * (1 - 1e-6);
  return good && std::abs(lost - lost_in_theory) < 1e-6 * lost_in_theory ? 0 : 1;
}
