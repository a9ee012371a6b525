/// Joints in a step: docs/theory/joints.md
#pragma once

#include "scree/core/exact_sum.hpp"
#include "sim/step_context.hpp"

namespace scree {

/// Starts contacts without impulses where joints leave no motion along their normals.
void forget_what_joints_hold(StepContext& context);
/// Evaluates the targets of motors in this step; false, with the fault in the report, if one fails.
bool evaluate_motors(StepContext& context);
/// Finds the bodies of joints and scales the inertia of those under heavy loads, before assembly.
void prepare_joints(StepContext& context);
/// Assembles the rows of joints and of their drives.
void assemble_joints(StepContext& context);
/// Adapts the rows of joints to the paths of the bodies with the present velocities; false if they
/// fit already.
bool apply_nonlinear_correction(StepContext& context);
/// True if joints pass limits that the problem left out; these have rows for the rest of the step.
bool resolve_missed_limits(StepContext& context);
/// Adds the pseudo-velocities that close joints to those that separate bodies.
void correct_joints(StepContext& context);
/// Work that joints brought from outside in this step, by motors and by prescribed motions, and
/// energy that springs store [J].
struct JointWork {
  double from_outside = 0, stored = 0;
};
JointWork accumulate_joints(StepContext& context);
/// Finds the work of joints. Bodies with scaled inertia did not get `slowed` of it [J].
void find_joint_work(StepContext& context, double slowed);
/// Adds the loads of joints on obstacles to State::obstacle_loads.
void load_obstacles_by_joints(StepContext& context);
/// Stores impulses and coordinates of joints in the state, their errors in the report.
void keep_joints(StepContext& context);
/// Measures joints in the present state, for the report before the first step.
void measure_joints(StepContext& context);

}  // namespace scree
