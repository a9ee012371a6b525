// Whole steps of a bed at rest: 20000 clumps of three spheres at 10 sweeps.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "figures.hpp"
#include "scenes/vessel.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/solid_prototype.hpp"

namespace scree {
namespace {

constexpr int kClumps = 20000;
constexpr double kRadius = 5e-3;  // radius of the spheres [m]

/// Clumps with random rotations over a floor between walls.
Simulation poured_clumps(int threads) {
  const double side = 1.2 * kRadius;
  const PlacedClump placed = clump_of({{Sphere{kRadius}, {{-side / 2, 0, 0}, {}}},
                                       {Sphere{kRadius}, {{side / 2, 0, 0}, {}}},
                                       {Sphere{kRadius}, {{0, 0.866 * side, 0}, {}}}},
                                      {});
  const SolidPrototype solid = solid_prototype(placed);
  const double spacing = 2.05 * solid.radius;
  constexpr int kAcross = 27;
  Model model = vessel(kAcross * spacing);
  model.solver = ten_sweeps(solver_settings(Accuracy::draft));
  model.clumps.push_back(placed.clump);
  model.prototypes = {solid.prototype};
  State state = initial_state(model);
  RandomStream random{1, 0};
  for (int k = 0; k < kClumps; ++k) {
    Body body{.id = {state.next_id++}, .orientation = random_orientation(random)};
    body.position = spacing * Vec3{k % kAcross + 0.5, k / kAcross % kAcross + 0.5,
                                   static_cast<double>(k / kAcross / kAcross) + 0.5};
    body.radius = solid.radius;
    body.mass = 2500 * volume_properties(scaled(solid.prototype.shape, solid.radius)).volume;
    state.bodies.push_back(body);
  }
  return Simulation(std::move(model), std::move(state), threads);
}

void run(Figures& figures) {
  Simulation simulation = poured_clumps(1);
  for (int k = 0; k < 400; ++k) simulation.step();
  constexpr int kSteps = 10;
  std::vector<double> rates;
  std::array<double, kStageNames.size()> stage{};
  for (int batch = 0; batch < 5; ++batch) {
    const std::clock_t start = std::clock();  // CPU time: other programs do not count
    for (int k = 0; k < kSteps; ++k) {
      const Report& report = simulation.step();
      for (std::size_t s = 0; s < stage.size(); ++s) stage[s] += report.stage_seconds[s];
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    rates.push_back(kClumps * kSteps / seconds);
  }
  std::ranges::sort(rates);
  const Report& report = simulation.report();
  std::printf("%d clumps, %zu contacts, E_s %.2g, overlap %.2g of the inner radius\n", kClumps,
              report.contacts, report.residual, report.max_relative_penetration);
  std::printf("%.0f clump-steps/s (%.0f to %.0f)\n", rates[2], rates.front(), rates.back());
  for (std::size_t s = 0; s < stage.size(); ++s)
    std::printf("%14s %8.2f ms\n", kStageNames[s].data(), 1e3 * stage[s] / (5 * kSteps));
  figures.add("clumps/clump_step", 1e9 / rates[2]);
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  scree::Figures figures;
  scree::run(figures);
  figures.write(argc, argv);
}
