// Whole steps of spheres that have settled in an upright can: of 10^5 triangles, and as an analytic
// surface. The figure is the ratio of the times of a step.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "figures.hpp"
#include "scenes/vessel.hpp"
#include "scree/geometry/triangle_mesh.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

constexpr double kSphere = 2.5e-3, kCan = 0.06, kHeight = 0.11;  // radii and height [m]
constexpr int kSpheres = 8000;

/// The same can of triangles, whose faces touch the round one from outside: strips around the side,
/// and rings on the bottom.
TriangleMesh can_of_triangles() {
  constexpr std::uint32_t kAround = 300, kStrips = 134, kRings = 33;
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Corners> triangles;
  const double corner = kCan / std::cos(std::numbers::pi / kAround);
  const auto ring = [&](double radius, double z) {
    for (std::uint32_t k = 0; k < kAround; ++k) {
      const double angle = 2 * std::numbers::pi * k / kAround;
      vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  };
  vertices.push_back({});
  for (std::uint32_t k = 1; k <= kRings; ++k) ring(corner * k / kRings, 0);
  for (std::uint32_t k = 1; k <= kStrips; ++k) ring(corner, kHeight * k / kStrips);
  for (std::uint32_t row = 0; row < kRings + kStrips; ++row)
    for (std::uint32_t k = 0; k < kAround; ++k) {
      // Normals point into the can.
      const std::uint32_t next = (k + 1) % kAround, low = 1 + (row - 1) * kAround,
                          high = 1 + row * kAround;
      if (row > 0) triangles.push_back({low + k, high + next, low + next});
      triangles.push_back({row == 0 ? 0 : low + k, high + k, high + next});
    }
  return {vertices, triangles, Sides::two};
}

/// Spheres in layers over a can, with random velocities.
State poured(const Model& model) {
  State state = initial_state(model);
  RandomStream random{1, 0};
  const double spacing = 2.1 * kSphere;
  const int across = static_cast<int>(2 * kCan / spacing);
  const auto position_of = [&](int k) { return spacing * (k + 0.5 - across / 2.0); };
  for (int n = 0; static_cast<int>(state.bodies.size()) < kSpheres; ++n) {
    const int layer = n / (across * across);
    Body body{.id = {state.next_id}};
    body.position = {position_of(n % across), position_of(n / across % across),
                     spacing * (layer + 0.5)};
    if (std::hypot(body.position.x, body.position.y) > kCan - 1.1 * kSphere) continue;
    ++state.next_id;
    for (int k = 0; k < 3; ++k) body.velocity[k] = random.uniform(-0.5, 0.5);
    body.radius = kSphere * random.uniform(0.9, 1);
    body.mass = 2500 * volume_properties(Sphere{body.radius}).volume;
    state.bodies.push_back(body);
  }
  return state;
}

/// State of the bodies after this many steps.
State after(int steps, Model model, State state) {
  model.solver = ten_sweeps(solver_settings(Accuracy::draft));
  Simulation simulation(std::move(model), std::move(state), 1);
  for (int k = 0; k < steps; ++k) simulation.step();
  return simulation.state();
}

using StageTimes = std::array<double, kStageNames.size()>;

/// The same filling in one of the cans, and the cost of its steps.
struct Run {
  Simulation simulation;
  std::vector<double> seconds;  ///< time of a step, for each batch [s]
  StageTimes stage{};           ///< times of all steps [s]
  int sweeps = 0;               ///< sweeps of all steps

  void batch(int steps) {
    const std::clock_t start = std::clock();  // CPU time: other programs do not count
    for (int k = 0; k < steps; ++k) {
      const Report& report = simulation.step();
      for (std::size_t s = 0; s < stage.size(); ++s) stage[s] += report.stage_seconds[s];
      sweeps += report.sweeps;
    }
    seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / steps);
  }
  double min_seconds() const { return *std::ranges::min_element(seconds); }
};

void compare(const char* name, const std::array<Model, 2>& models,
             const std::array<State, 2>& states, Figures& figures) {
  Run runs[] = {{Simulation(models[0], states[0], 1)}, {Simulation(models[1], states[1], 1)}};
  for (Run& run : runs)
    for (int k = 0; k < 100; ++k) run.simulation.step();
  constexpr int kBatches = 15, kSteps = 10;
  for (int batch = 0; batch < kBatches; ++batch)
    for (Run& run : runs) run.batch(kSteps);
  std::printf("%s, %d spheres, ms a step, round can and facetted one (least of %d batches):\n",
              name, kSpheres, kBatches);
  for (const Run& run : runs) {
    const Report& report = run.simulation.report();
    std::printf("%10.2f at %zu contacts, %.1f sweeps, E_s %.2g, overlap %.2g of a radius\n",
                1e3 * run.min_seconds(), report.contacts, run.sweeps / double{kBatches * kSteps},
                report.residual, report.max_relative_penetration);
  }
  std::printf("a step takes %.3f times as long in the facetted one\n",
              runs[1].min_seconds() / runs[0].min_seconds());
  for (std::size_t s = 0; s < kStageNames.size(); ++s)
    std::printf("%14s %8.2f %8.2f ms\n", kStageNames[s].data(),
                1e3 * runs[0].stage[s] / (kBatches * kSteps),
                1e3 * runs[1].stage[s] / (kBatches * kSteps));
  figures.add(std::string("vessel/") + name + "/round", 1e9 * runs[0].min_seconds() / kSpheres);
  figures.add(std::string("vessel/") + name + "/facetted", 1e9 * runs[1].min_seconds() / kSpheres);
}

void run(Figures& figures) {
  const auto mesh = std::make_shared<const TriangleMesh>(can_of_triangles());
  std::printf("%zu triangles\n", mesh->facets().size());
  Model round = vessel(1);
  round.step.h = 5e-4;
  round.obstacles = {{"can", Hollow{kCan, kCan, 0, kHeight, true, false}, {}, 0, {}}};
  Model facetted = round;
  facetted.meshes.push_back(mesh);
  facetted.obstacles[0].shape = Mesh{mesh.get()};
  // They settle in one can, and then in each: faces are a little off the round surface, so spheres
  // at walls move to other positions.
  const State settled = after(1200, round, poured(round));
  std::array<Model, 2> models{round, facetted};
  const std::array<State, 2> states{after(1000, round, settled), after(1000, facetted, settled)};
  compare("by default", models, states, figures);
  for (Model& model : models) model.solver = ten_sweeps(solver_settings(Accuracy::draft));
  compare("10 sweeps", models, states, figures);
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  scree::Figures figures;
  scree::run(figures);
  figures.write(argc, argv);
}
