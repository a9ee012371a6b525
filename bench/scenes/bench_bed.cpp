// Whole steps of a settled bed of 32768 spheres (d 0.47 mm, μ 0.4, h 10 µs, 10 sweeps): rates,
// stages, threads, memory, and growth of the cost from 10³ to 10⁶ spheres. Both figures of a ratio
// are measured alternately in this run.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "figures.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/solvers/gauss_seidel.hpp"

namespace scree {
namespace {

/// Width of the bed [m].
constexpr double kWidth = 0.015792;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Cost of some steps.
struct Timing {
  double seconds_per_step = 0;
  double solve_seconds = 0;                        ///< per step
  double relaxations = 0;                          ///< per step: contacts times sweeps
  std::array<double, kStageNames.size()> stage{};  ///< [s] per step
};

Timing time_steps(Simulation& simulation, int steps) {
  Timing t;
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < steps; ++k) {
    const Report& report = simulation.step();
    t.relaxations += static_cast<double>(report.contacts) * report.sweeps / steps;
    for (std::size_t s = 0; s < t.stage.size(); ++s) t.stage[s] += report.stage_seconds[s] / steps;
  }
  t.seconds_per_step =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps;
  t.solve_seconds = t.stage[static_cast<std::size_t>(StepStage::solve)];
  return t;
}

/// The bed with walls around it, cut to a fraction of its floor or repeated side by side: about
/// `wanted` spheres.
Simulation bed(const Scene& scene, double wanted, int threads,
               InstructionSet instructions = widest_instruction_set()) {
  const double tiles = wanted / static_cast<double>(scene.state.bodies.size());
  const int across = std::max(1, static_cast<int>(std::round(std::sqrt(tiles))));
  const int along = std::max(1, static_cast<int>(std::round(tiles / across)));
  const double width = tiles < 1 ? kWidth * std::sqrt(tiles) : kWidth;

  Model model = scene.model;
  model.obstacles[2].pose.position.x = width * across;
  model.obstacles[4].pose.position.y = width * along;
  State state = initial_state(model);
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < along; ++j)
      for (std::size_t k = 0; k < scene.state.bodies.size(); ++k) {
        Body body = scene.state.bodies[k];
        if (std::max(body.position.x, body.position.y) + body.radius > width * (1 + 1e-6)) continue;
        body.id = {state.next_id++};
        body.position += kWidth * Vec3{static_cast<double>(i), static_cast<double>(j), 0};
        state.bodies.push_back(body);
      }
  return Simulation(std::move(model), std::move(state), threads, instructions);
}

void print_rates(const Scene& scene, Figures& figures) {
  std::printf("\n%-10s %8s %22s %18s\n", "kernels", "threads", "relaxations/s [1e6]",
              "body-steps/s [1e6]");
  for (const InstructionSet set : instruction_sets()) {
    Simulation simulation = bed(scene, 32768, 1, set);
    time_steps(simulation, 5);
    std::vector<double> relaxations, body_steps;
    for (int batch = 0; batch < 5; ++batch) {
      const Timing t = time_steps(simulation, 10);
      relaxations.push_back(1e-6 * t.relaxations / t.solve_seconds);
      body_steps.push_back(1e-6 * 32768 / t.seconds_per_step);
    }
    std::printf("%-10s %8d %22.1f %18.3f\n", name(set).data(), 1, median(relaxations),
                median(body_steps));
    const std::string kernels = "bed/" + std::string(name(set));
    figures.add(kernels + "/relaxation", 1e3 / median(relaxations));
    figures.add(kernels + "/body_step", 1e3 / median(body_steps));
  }
}

/// Speed-up of two threads over one, in alternate runs.
void print_threads(const Scene& scene, Figures& figures) {
  std::printf("\n%10s %12s %18s %22s %10s\n", "spheres", "2 threads", "least to most",
              "body-steps/s [1e6]", "same bits");
  for (const double wanted : {32768.0, 5e5, 1e6}) {
    Simulation one = bed(scene, wanted, 1), two = bed(scene, wanted, 2);
    const auto bodies = static_cast<double>(one.state().bodies.size());
    const int steps = std::max(3, static_cast<int>(3e5 / bodies));
    time_steps(one, 5), time_steps(two, 5);
    std::vector<double> ratios, costs;
    for (int batch = 0; batch < 9; ++batch) {
      const Timing a = time_steps(one, steps), b = time_steps(two, steps);
      ratios.push_back(a.seconds_per_step / b.seconds_per_step);
      costs.push_back(1e9 * b.seconds_per_step / bodies);
    }
    figures.add("bed/two_threads/" + std::to_string(static_cast<int>(wanted)), median(costs));
    std::printf("%10.0f %11.2fx %9.2f to %5.2f %22.3f %10s\n", bodies, median(ratios),
                *std::ranges::min_element(ratios), *std::ranges::max_element(ratios),
                1e3 / median(costs),
                state_hash(one.state()) == state_hash(two.state()) ? "yes" : "NO");
  }
}

void print_stages(const Scene& scene, Figures& figures) {
  Simulation one = bed(scene, 32768, 1);
  time_steps(one, 5);
  std::array<std::vector<double>, kStageNames.size()> stages;
  for (int batch = 0; batch < 9; ++batch) {
    const Timing t = time_steps(one, 10);
    for (std::size_t s = 0; s < stages.size(); ++s) stages[s].push_back(t.stage[s]);
  }
  std::printf("\nOne thread, ns per body and step (median of 9):\n");
  for (std::size_t s = 0; s < kStageNames.size(); ++s) {
    const std::string stage(kStageNames[s]);
    const double cost = 1e9 * median(stages[s]) / 32768;
    std::printf("  %-14s %8.1f\n", stage.c_str(), cost);
    figures.add("bed/stage/" + stage, cost);
  }

  const double bodies = 32768, contacts = static_cast<double>(one.report().contacts);
  std::printf(
      "\nMemory: %.0f bytes per sphere with its contacts, at %.2f contacts in the set per sphere\n"
      "        (a contact counted at both of its spheres: coordination %.2f)\n",
      static_cast<double>(one.memory_bytes()) / bodies, contacts / bodies, 2 * contacts / bodies);
}

void print_growth(const Scene& scene, Figures& figures) {
  std::printf("\n%10s %16s %18s %16s\n", "spheres", "ns/body-step", "ns/relaxation",
              "bytes/sphere");
  double min_cost = 1e9, max_cost = 0;
  for (const double wanted : {1e3, 1e4, 1e5, 1e6}) {
    Simulation simulation = bed(scene, wanted, 1);
    const auto bodies = static_cast<double>(simulation.state().bodies.size());
    const int steps = std::max(3, static_cast<int>(3e5 / bodies));
    time_steps(simulation, 3);
    std::vector<double> cost, relaxation;
    for (int batch = 0; batch < 5; ++batch) {
      const Timing t = time_steps(simulation, steps);
      cost.push_back(1e9 * t.seconds_per_step / bodies);
      relaxation.push_back(1e9 * t.solve_seconds / t.relaxations);
    }
    min_cost = std::min(min_cost, median(cost)), max_cost = std::max(max_cost, median(cost));
    figures.add("bed/body_step/" + std::to_string(static_cast<int>(wanted)), median(cost));
    std::printf("%10.0f %16.0f %18.2f %16.0f\n", bodies, median(cost), median(relaxation),
                static_cast<double>(simulation.memory_bytes()) / bodies);
  }
  std::printf("largest cost over least: %.2f\n", max_cost / min_cost);
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  using namespace scree;
  std::printf("%s\n", machine().c_str());
  const Scene scene = load_scene(SCREE_BENCH_DATA "/bed.yaml");
  Figures figures;
  print_rates(scene, figures);
  print_threads(scene, figures);
  print_stages(scene, figures);
  print_growth(scene, figures);
  figures.write(argc, argv);
}
