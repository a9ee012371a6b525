/// The speeds that contacts must undo, by which residuals are measured: see ContactProblem::Undone.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// closing_speed() of the contact in a lane, with the present velocities and its bias [m/s].
double closing_speed_of(const ContactProblem& problem, const SphereContactBlock& block, int lane);
double closing_speed_of(const ContactProblem& problem, const ContactBlock& block, int lane);

/// Finds ContactProblem::closing of all contacts from the present velocities.
void find_closing_speeds(ContactProblem& problem, ThreadPool& pool);
/// Sums ContactProblem::undone and rounding over contacts and joints, in any order of storage.
void add_up_closing(StepContext& c);

/// Finds the speeds that contacts must undo once joints and drives have acted: a drive then presses
/// its body onto others, and a body that joints hold does not fall. The problem keeps its
/// velocities and impulses.
void let_joints_act_first(StepContext& c);

}  // namespace scree
