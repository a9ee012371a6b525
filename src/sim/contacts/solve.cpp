/// Solve of a step: sweeps, and what follows where they do not suffice.
#include "sim/contacts/solve.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "scree/core/exact_sum.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "sim/joints/joints.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Sum over the bodies that have not left, the same for any order of storage.
template <class F>
double sum_over_bodies(const State& state, F&& f) {
  ExactSum sum;
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    if (!state.neighbours.has_left(i)) sum.add(f(i));
  return sum.value();
}

/// True if bodies move relative to their mean velocity by less than 1e-3 of what gravity adds in a
/// step, in the root mean square. Rotations count by the speed of the surface.
bool hardly_moves(const StepContext& context) {
  const Bodies& bodies = context.state.bodies;
  const auto sum = [&](auto&& f) { return sum_over_bodies(context.state, f); };
  const double count = sum([](std::size_t) { return 1; });
  const auto mean = [&](int k) {
    return sum([&](std::size_t i) { return bodies.velocity[i][k]; }) / count;
  };
  const Vec3 drift{mean(0), mean(1), mean(2)};
  const double slow = kHardlyMovingFraction * norm(context.model.gravity) * context.model.step.h;
  return sum([&](std::size_t i) {
           return squared_norm(bodies.velocity[i] - drift) +
                  squared_norm(bodies.radius[i] * bodies.angular_velocity[i]);
         }) <= count * slow * slow;
}

/// Contacts of sets without a body that just fits, see ContactProblem::near_tight.
std::vector<ContactIndex> contacts_away_from_tight(const ContactProblem& problem) {
  std::vector<ContactIndex> contacts = contacts_of(problem);
  std::erase_if(contacts, [&](ContactIndex contact) {
    const ContactRows c = contact_rows(problem, contact);
    return problem.is_near_tight(c.a, c.b);
  });
  return contacts;
}

/// Solves small sets of contacts in which sweeps cycled and missed the tolerance.
SolveResult finish_small_sets(StepContext& context, const SolverSettings& asked,
                              const SolveResult& swept) {
  ContactProblem& problem = context.scratch.problem;
  if (solve_small_sets(problem, asked, context.pool) == 0) return swept;
  SolveResult finished = swept;
  finished.certificate = context.scratch.solver.certify(problem, asked.tolerance, context.pool);
  finished.converged = finished.certificate.residual <= asked.tolerance;
  return finished;
}

/// Solves by the portfolio with the settings `part` what `swept` left: all contacts, or `others`
/// where a body just fits. That body and its set then get the remaining sweeps.
SolveResult finish_by_portfolio(StepContext& context, const SolverSettings& asked,
                                SolverSettings part, std::span<const ContactIndex> others,
                                const SolveResult& swept) {
  ContactProblem& problem = context.scratch.problem;
  GaussSeidel& solver = context.scratch.solver;
  const bool any_tight = !problem.near_tight.empty();
  part.method = SolverKind::automatic;
  SolveResult finished = any_tight ? solve_as_matrix_problem(problem, others, part, context.pool)
                                   : solve_as_matrix_problem(problem, part, context.pool);
  finished.certificate = solver.certify(problem, asked.tolerance, context.pool);
  finished.converged = finished.certificate.residual <= asked.tolerance;
  finished.sweeps += swept.sweeps;
  if (any_tight && !finished.converged && finished.sweeps < asked.max_sweeps) {
    part = asked;
    part.max_sweeps = asked.max_sweeps - finished.sweeps;
    const int before = finished.sweeps;
    finished = solver.solve(problem, part, context.pool);
    finished.sweeps += before;
  }
  finished.convergence_ratio = finished.certificate.error / swept.certificate.error;
  return finished;
}

/// Sweeps far below the tolerance, but not for long: later steps start from the result. The first
/// step of all starts from zero and may use all sweeps.
SolveResult sweep_finely(StepContext& context, const SolverSettings& asked) {
  ContactProblem& problem = context.scratch.problem;
  GaussSeidel& solver = context.scratch.solver;
  SolverSettings part = asked;
  if (!is_first_of_all(context)) part.max_sweeps = std::min(kFineSweeps, asked.max_sweeps);
  SolveResult swept =
      solver.solve(problem, part, context.pool, std::min(kFineResidual, asked.tolerance));
  part.max_sweeps = asked.max_sweeps - swept.sweeps;
  if (swept.converged || part.max_sweeps <= 0) return swept;
  const int before = swept.sweeps;
  swept = solver.solve(problem, part, context.pool);
  swept.sweeps += before;
  return swept;
}

/// Sweeps, then the portfolio with the remaining iterations if that pays: for few contacts that a
/// fifth of all sweeps does not solve. Stacks, large mass ratios and infeasible sets converge
/// slowly. "Few" is at most a third of max_sweeps, so the portfolio costs about as much as the
/// sweeps before.
///
/// Residuals make stacks creep. So where bodies hardly move, and there are not too many contacts,
/// the solve goes far below the tolerance, and the next steps start from a good solution.
SolveResult sweep_then_finish(StepContext& context, const SolverSettings& asked) {
  ContactProblem& problem = context.scratch.problem;
  GaussSeidel& solver = context.scratch.solver;
  const std::size_t third = static_cast<std::size_t>(asked.max_sweeps) / kSweepsPerPortfolioContact;
  // The portfolio supports neither rolling rows nor drives. It would preload bodies that just fit,
  // so it takes the contacts of all others.
  const bool any_tight = !problem.near_tight.empty();
  const std::vector<ContactIndex> others =
      any_tight ? contacts_away_from_tight(problem) : std::vector<ContactIndex>{};
  const std::size_t contacts = any_tight ? others.size() : problem.contacts;
  const bool few = contacts <= std::clamp(third, kMinPortfolioContacts, kMaxPortfolioContacts) &&
                   problem.rolling.empty() && !problem.has_drives() &&
                   (!any_tight || (problem.joints.empty() && contacts > 0));
  const bool still =
      !problem.is_empty() && problem.contacts <= kMaxFineContacts && hardly_moves(context);

  SolverSettings part = asked;
  if (few) part.max_sweeps = sweeps_before_portfolio(asked.max_sweeps);
  const SolveResult swept =
      still ? sweep_finely(context, part) : solver.solve(problem, part, context.pool);

  const bool enough =
      swept.converged && !(few && still && swept.certificate.residual > kCreepResidual);
  if (enough || problem.contacts == 0) return swept;
  part.max_sweeps = asked.max_sweeps - swept.sweeps;
  // Phases of impacts need up to four solves; each may use the iterations that the others left.
  if (part.max_sweeps <= 0)
    return context.scratch.phases.any ? swept : finish_small_sets(context, asked, swept);
  if (few && still) part.tolerance = std::min(kFineResidual, asked.tolerance);
  return finish_by_portfolio(context, asked, part, others, swept);
}

}  // namespace

void warm_start(StepContext& context) {
  ContactProblem& problem = context.scratch.problem;
  // If no contact closes, r = 0 is the solution, whatever the last step left.
  if (!problem.anything_closes()) problem.clear_impulses();
  forget_what_joints_hold(context);
  if (context.model.solver.warm_start)
    context.scratch.solver.apply_warm_start(problem, context.pool);
}

SolveResult solve_contacts(StepContext& context) {
  const SolverSettings& settings = context.model.solver;
  const SolveResult solved =
      settings.method == SolverKind::gauss_seidel
          ? sweep_then_finish(context, settings)
          : solve_as_matrix_problem(context.scratch.problem, settings, context.pool);
  context.report.sweeps += solved.sweeps;
  return solved;
}

/// Subtracts impulses from the velocities, and starts the solve from zero.
void begin_from_nothing(StepContext& context) {
  ContactProblem& problem = context.scratch.problem;
  const auto turn_round = [](auto& blocks) {
    for (auto& block : blocks)
      for (auto& row : block.impulse)
        for (double& r : row) r = -r;
  };
  turn_round(problem.blocks);
  turn_round(problem.contact_blocks);
  turn_round(problem.rolling);
  for (JointBlock& joint : problem.joints)
    for (double& r : joint.impulse) r = -r;
  context.scratch.solver.apply_warm_start(problem, context.pool);
  problem.clear_impulses();
}

void solve(StepContext& context) {
  const ContactProblem& problem = context.scratch.problem;
  context.scratch.solved = solve_contacts(context);
  // A warm start can keep jointed bodies from converging when they hit something: then the solve is
  // repeated from zero.
  const bool strikes =
      problem.contacts > 0 && !problem.joints.empty() && !context.scratch.phases.any;
  if (strikes && !context.scratch.solved.converged) {
    begin_from_nothing(context);
    context.scratch.solved = solve_contacts(context);
  }
  // The curvature of joints follows from the final velocities of the step. Joints alone keep their
  // energy if it converges; with contacts a step is of first order anyway.
  const int max_updates =
      problem.contacts == 0 ? kMaxCurvatureUpdates : kMaxCurvatureUpdatesWithContacts;
  for (int k = 0; k < max_updates && apply_nonlinear_correction(context); ++k)
    context.scratch.solved = solve_contacts(context);
}

}  // namespace scree
