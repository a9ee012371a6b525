#include "sim/step.hpp"

#include <algorithm>
#include <chrono>

#include "scree/solvers/factored_problem.hpp"

namespace scree {
namespace {

/// Adds the time since the last call to a stage's.
class StageClock {
 public:
  explicit StageClock(Report& report) : report_(report) {}
  void end_of(Stage stage) {
    const auto now = std::chrono::steady_clock::now();
    report_.stage_seconds[static_cast<std::size_t>(stage)] +=
        std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  Report& report_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Sweeps. Few contacts that a fifth of all sweeps do not solve are a stack or have mass ratios
/// that sweeps crawl over, or have no solution: the portfolio gets what is left of the iterations.
/// Few are a third of the sweeps allowed, so that it costs not much more than those made.
SolveResult sweep_then_finish(Scratch& scratch, const SolveSettings& settings, ThreadPool& pool) {
  constexpr int kFew = 64, kNoLongerFew = 256;
  const bool few = scratch.problem.contacts <=
                   static_cast<unsigned>(std::clamp(settings.max_sweeps / 3, kFew, kNoLongerFew));
  SolveSettings part = settings;
  if (few)
    part.max_sweeps = std::max(settings.min_sweeps, sweeps_before_portfolio(settings.max_sweeps));
  SolveResult swept = scratch.solver.solve(scratch.problem, part, pool);
  part.max_sweeps = settings.max_sweeps - swept.sweeps;
  if (swept.converged || part.max_sweeps <= 0) return swept;
  SolveResult finished = solve_together(scratch.problem, SolverKind::automatic, part, pool);
  finished.sweeps += swept.sweeps;
  finished.last_half = finished.certificate.error / swept.certificate.error;
  return finished;
}

}  // namespace

void step(StepContext& context) {
  context.report = Report{};
  context.scratch.rounds = 0;
  StageClock clock(context.report);

  predict(context);
  if (context.report.motion_fault) return;
  clock.end_of(Stage::predict);

  for (bool again = true; again;) {
    broad_phase(context);
    clock.end_of(Stage::broad_phase);

    narrow_phase(context);
    clock.end_of(Stage::narrow_phase);

    assemble(context);
    clock.end_of(Stage::assemble);

    warm_start(context);
    clock.end_of(Stage::warm_start);

    solve(context);
    again = take_up(context);
    clock.end_of(Stage::solve);
  }

  certify(context);
  clock.end_of(Stage::certify);

  correct(context);
  clock.end_of(Stage::correct);

  advance(context);
  clock.end_of(Stage::advance);

  store(context);
  clock.end_of(Stage::store);
}

void warm_start(StepContext& context) {
  ContactProblem& problem = context.scratch.problem;
  // Where nothing closes, r = 0 is the answer, whatever the last step left.
  if (!problem.anything_closes()) problem.clear_percussions();
  if (context.model.solver.warm_start)
    context.scratch.solver.apply_warm_start(problem, context.pool);
}

void solve(StepContext& context) {
  const SolverSettings& s = context.model.solver;
  const SolveSettings settings{s.tolerance, s.max_sweeps, s.min_sweeps, s.accelerated};
  Scratch& scratch = context.scratch;
  scratch.solved = s.method == SolverKind::gauss_seidel
                       ? sweep_then_finish(scratch, settings, context.pool)
                       : solve_together(scratch.problem, s.method, settings, context.pool);
  context.report.sweeps += scratch.solved.sweeps;
}

}  // namespace scree
