// Savings of warm start and momentum on the bed of 32768 spheres. Each step is solved to E_s ≤ 1e-6
// twice: from the impulses of the last step with momentum, and by plain sweeps from r = 0.
//
//     compare_warm [STEP_SIZE=1e-4] [ERROR_REDUCTION=0] [SETTLING_STEPS=1000] [STEPS=10]
//
// The bed's file has positions only, so the bed first settles with 200 sweeps a step. All times are
// measured in this run, on one thread.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

constexpr double kTolerance = 1e-6;
constexpr int kMaxSweeps = 20000;

struct Solve {
  int sweeps;
  double seconds, residual;  ///< residual: E_s
  bool converged() const { return residual <= kTolerance * (1 + 1e-9); }
};

Simulation with_solver(Model model, const State& state, const SolverSettings& settings) {
  model.solver = settings;
  return {std::move(model), State(state), 1};
}

Solve stepped(Simulation& simulation) {
  const Report& report = simulation.step();
  return {report.sweeps, report.stage_seconds[static_cast<std::size_t>(StepStage::solve)],
          report.residual};
}

void print(const Solve& solve) {
  std::printf(" %6d | %8.3f |", solve.sweeps, solve.seconds);
  if (!solve.converged()) std::printf(" (%.1e)", solve.residual);
}

int run(const Model& model, const State& state, int settling, int steps) {
  SolverSettings settings = model.solver;
  settings.tolerance = 1e-4, settings.max_sweeps = 200,
  settings.acceleration = Acceleration::nesterov, settings.warm_start = true;
  Simulation bed = with_solver(model, state, settings);
  for (int k = 0; k < settling; ++k) {
    const Report& report = bed.step();
    if (k % 50 == 49)
      std::fprintf(stderr, "\rsettling: %d of %d steps, %d sweeps in the last", k + 1, settling,
                   report.sweeps);
  }
  if (settling > 0) std::fprintf(stderr, "\n");

  settings.max_sweeps = kMaxSweeps, settings.tolerance = kTolerance;
  SolverSettings plain_settings = settings;
  plain_settings.acceleration = Acceleration::none, plain_settings.warm_start = false;

  std::printf(
      "\n| step | warm, momentum: sweeps | s | | plain, cold: sweeps | s | | ratio of times "
      "|\n|---|---|---|---|---|---|---|---|\n");
  Simulation warm = with_solver(model, bed.state(), settings);
  double logs = 0;
  int compared = 0;
  bool is_lower_bound = false;
  for (int k = 1; k <= steps; ++k) {
    Simulation plain = with_solver(model, warm.state(), plain_settings);
    const Solve from_zero = stepped(plain), from_last = stepped(warm);
    std::printf("| %d |", k);
    print(from_last), std::printf(" |"), print(from_zero);
    if (from_last.converged()) {
      const double faster = from_zero.seconds / from_last.seconds;
      std::printf(" | %s%.1f |\n", from_zero.converged() ? "" : "> ", faster);
      logs += std::log(faster), ++compared,
          is_lower_bound = is_lower_bound || !from_zero.converged();
    } else {
      std::printf(" | |\n");
    }
    std::fflush(stdout);
  }
  if (compared > 0)
    std::printf(
        "\nIn the geometric mean of %d steps the time is 1/%.1f%s.\n", compared,
        std::exp(logs / compared),
        is_lower_bound
            ? " or less: where E_s is in brackets, plain sweeps were stopped before they were there"
            : "");
  return 0;
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  const auto number = [&](int k, double otherwise) {
    return argc > k ? std::atof(argv[k]) : otherwise;
  };
  scree::Scene scene = scree::load_scene(SCREE_BENCH_DATA "/bed.yaml");
  scene.model.step.h = number(1, 1e-4);
  scene.model.step.overlap_correction = scree::OverlapCorrection::velocities;
  scene.model.step.error_reduction = number(2, 0);
  return scree::run(scene.model, scene.state, static_cast<int>(number(3, 1000)),
                    static_cast<int>(number(4, 10)));
}
