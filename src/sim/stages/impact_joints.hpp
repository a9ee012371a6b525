/// Joints in phases of impacts. They pass on what contacts give, at once: rows that hold, motors
/// without a bound and limits do; springs, dampers, friction and motors with a bound give no
/// impulse in no time.
#pragma once

#include "sim/step.hpp"

namespace scree {

/// Rows of all joints for compression, with velocities before the impact in the problem: what holds
/// keeps its rate, and limits let their sides be unless others press them.
void ask_joints_for_compression(StepContext& c);
/// Puts impulses of compression aside, and rows back as the step asks for them.
void end_compression_of_joints(StepContext& c);
/// Takes up the velocities before the problem's impulses.
void look_at_free_joints(StepContext& c);

/// Takes up rows as the step was solved with them.
void take_solved_joints(StepContext& c);
/// Rows for expansion, with velocities after the solve in the problem; limits hold as in the step.
void ask_joints_for_expansion(StepContext& c);
/// Takes the impulses of joints as a part of expansion, and leaves none.
void take_expansion_of_joints(StepContext& c);
/// Rows as the step asked for them, with the impulses of all phases.
void end_expansion_of_joints(StepContext& c);

/// After expansion.
ImpactPhases::JointWorks works_of_joint(const StepContext& c, std::size_t joint);

}  // namespace scree
