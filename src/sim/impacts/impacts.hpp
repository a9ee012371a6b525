/// Impacts by phases: docs/theory/impacts.md
#pragma once

#include "scree/solvers/gauss_seidel.hpp"
#include "sim/step_context.hpp"

namespace scree {

/// Finds the compression impulses of impacts: see ImpactLaw.
void compress(StepContext& context);
/// Adds the expansion impulses that follow from those of compression.
void expand(StepContext& context);
/// Solves friction for the given normal impulses of the problem, against the slip with all of them,
/// in a disc for each contact. Updates velocities.
SolveResult solve_friction(StepContext& context);
/// Fills ImpactPhases::bodies with the records before forces and impulses.
void set_velocities_before(StepContext& context);
/// Sums the work of both phases, and limits the expansion for ImpactLaw::energetic.
void bound_expansion(StepContext& context);
/// Counts impacts that were stopped without the restitution of their law.
void count_missed_restitution(StepContext& context);
/// Finds the energy that rebounds of Newton's law create in sets of contacts; after the solve.
void find_energy_of_rebounds(StepContext& context);

}  // namespace scree
