/// Joints in phases of impacts. Constraint rows, motors without a bound and limits transmit
/// impulses of contacts at once. Springs, dampers, friction and bounded motors give no impulse in
/// zero time.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Sets the rows of all joints for compression, with velocities before the impact in the problem:
/// constraint rows keep their rates, and limits stay free unless others press them.
void set_joint_rows_for_compression(StepContext& c);
/// Stores impulses of compression, and restores the rows of the step.
void end_compression_of_joints(StepContext& c);
/// Records the velocities before the solve's impulses.
void record_free_joint_rates(StepContext& c);

/// Records the rows after the solve of the step.
void record_solved_joints(StepContext& c);
/// Sets rows for expansion, with velocities after the solve in the problem; limits act as in the
/// step.
void set_joint_rows_for_expansion(StepContext& c);
/// Moves the impulses of joints to those of expansion, and clears them.
void move_joint_impulses_to_expansion(StepContext& c);
/// Restores the rows of the step, with the impulses of all phases.
void end_expansion_of_joints(StepContext& c);

/// Works of a joint, after expansion.
ImpactPhases::JointWorks works_of_joint(const StepContext& c, std::size_t joint);

}  // namespace scree
