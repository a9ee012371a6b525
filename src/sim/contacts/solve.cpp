/// Solve of a step: from the warm start to velocities that fit the joints.
#include "sim/contacts/solve.hpp"

#include <algorithm>

#include "sim/joints/joints.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
void warm_start(StepContext& context) {
  ContactProblem& problem = context.scratch.problem;
  // If no contact closes, r = 0 is the solution, whatever the last step left.
  if (!problem.anything_closes()) problem.clear_impulses();
  forget_what_joints_hold(context);
  if (context.model.solver.warm_start)
    context.scratch.solver.apply_warm_start(problem, context.pool);
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
