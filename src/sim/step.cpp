#include "sim/step.hpp"

#include <chrono>

#include "scree/solvers/factored_problem.hpp"

namespace scree {
namespace {

/// Books the time since the last call to a stage.
class StageClock {
 public:
  explicit StageClock(Report& report) : report_(report) {}
  void end_of(Stage stage) {
    const auto now = std::chrono::steady_clock::now();
    report_.stage_seconds[static_cast<std::size_t>(stage)] = std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  Report& report_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

void step(StepContext& context) {
  context.report = Report{};
  StageClock clock(context.report);

  predict(context);
  clock.end_of(Stage::predict);

  broad_phase(context);
  clock.end_of(Stage::broad_phase);

  narrow_phase(context);
  clock.end_of(Stage::narrow_phase);

  assemble(context);
  clock.end_of(Stage::assemble);

  warm_start(context);
  clock.end_of(Stage::warm_start);

  solve(context);
  clock.end_of(Stage::solve);

  certify(context);
  clock.end_of(Stage::certify);

  advance(context);
  clock.end_of(Stage::advance);

  store(context);
  clock.end_of(Stage::store);
}

void warm_start(StepContext& context) {
  if (context.model.solver.warm_start) context.scratch.solver.apply_warm_start(context.scratch.problem, context.pool);
}

void solve(StepContext& context) {
  const SolverSettings& s = context.model.solver;
  const SolveSettings settings{s.tolerance, s.max_sweeps, s.min_sweeps, s.accelerated};
  Scratch& scratch = context.scratch;
  scratch.solved = s.method == SolverKind::gauss_seidel
                       ? scratch.solver.solve(scratch.problem, settings, context.pool)
                       : solve_together(scratch.problem, s.method, settings, context.pool);
}

}  // namespace scree
