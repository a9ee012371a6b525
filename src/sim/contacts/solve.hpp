/// Solve of the contacts and joints of a step.
#pragma once

#include "scree/solvers/gauss_seidel.hpp"
#include "sim/step_context.hpp"

namespace scree {

/// Adds the impulses of the problem to the velocities.
void warm_start(StepContext& context);
/// Solves the problem to its tolerance.
void solve(StepContext& context);
/// True if impulses close pairs that free motion does not, or push joints past limits, that the
/// problem left out. The step is then solved again with them.
bool resolve_missed_contacts(StepContext& context);
/// Runs the solver of the settings on the present problem.
SolveResult solve_contacts(StepContext& context);

}  // namespace scree
