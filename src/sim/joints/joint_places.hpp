/// Where the ends of joints are: which bodies they are of, and where those stand and go.
#pragma once

#include "scree/integrators/integrators.hpp"
#include "sim/body_motion.hpp"
#include "sim/joints/joint_functions.hpp"

namespace scree {

inline bool is_free_body(BodyIndex end) { return !(end & Neighbours::kObstacle); }

/// Where the body of an end stands.
inline Pose pose_of_end(const StepContext& c, BodyIndex end) {
  if (end == JointScratch::kWorldEnd) return {};
  if (!is_free_body(end)) return c.state.obstacles[end & ~Neighbours::kObstacle].pose;
  return {c.state.bodies.position[end], c.state.bodies.orientation[end]};
}

/// How what is no free body moves in this step.
inline Twist twist_of_part(const StepContext& c, BodyIndex end) {
  return end == JointScratch::kWorldEnd ? Twist{}
                                        : c.state.obstacles[end & ~Neighbours::kObstacle].twist;
}

/// Where the body of an end stands after the step, if it is a free one with this motion, and pushed
/// apart from it: as advance() has it.
inline Pose pose_after(const StepContext& c, BodyIndex end, const Motion& motion,
                       const Motion& push = {}) {
  const double h = c.model.step.h;
  if (end == JointScratch::kWorldEnd) return {};
  if (!is_free_body(end)) {
    const std::uint32_t k = end & ~Neighbours::kObstacle;
    const ObstacleState& part = c.state.obstacles[k];
    return c.model.obstacles[k].path ? c.scratch.prescribed[k].after
                                     : advance_pose(part.pose, part.twist, h);
  }
  const Bodies& bodies = c.state.bodies;
  const Vec3& inertia = c.model.prototypes[bodies.prototype[end]].inertia;
  Pose pose{bodies.position[end] + h * (motion.velocity + push.velocity), bodies.orientation[end]};
  Vec3 w = motion.angular_velocity;
  if (!c.scratch.kinds[bodies.prototype[end]].isotropic)
    rotate_freely(pose.orientation, w, inertia, h);
  else if (c.scratch.forces.any)
    pose.orientation = rotate_exactly(pose.orientation, w, h);
  else
    pose.orientation = advance_orientation(pose.orientation, w, h);
  if (push.angular_velocity != Vec3{})
    turn(pose.orientation, w, inertia, h * push.angular_velocity);
  return pose;
}

/// Of a free body, as its record has it; nothing of anything else.
inline Motion motion_of_record(const StepContext& c, BodyIndex end) {
  if (!is_free_body(end)) return {};
  return {c.scratch.problem.bodies[end].velocity, angular_velocity(c, end)};
}
inline Motion motion_before(const StepContext& c, BodyIndex end) {
  if (!is_free_body(end)) return {};
  return {c.state.bodies.velocity[end], c.state.bodies.angular_velocity[end]};
}

/// Rate of a row with such motions of its free bodies [m/s] or [rad/s].
inline double rate_of(const JointFunction& row, const JointFrames& f, const Motion& a,
                      const Motion& b) {
  const Vec3 v_a = a.velocity + cross(a.angular_velocity, f.arm_a + f.d),
             v_b = b.velocity + cross(b.angular_velocity, f.arm_b);
  return dot(row.axis, v_b - v_a) + dot(row.turn, b.angular_velocity - a.angular_velocity);
}

/// What the rows of a joint are with its bodies where they stand.
inline JointFrames frames_now(const StepContext& c, std::size_t joint) {
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  return frames_of(c.scratch.domain, c.model.joints[joint], pose_of_end(c, ends.a),
                   pose_of_end(c, ends.b));
}

/// Finds Scratch::joints.ends: indices of bodies by their ids, which change with the list of
/// neighbours.
void find_joint_ends(StepContext& c);
/// Gives bodies that joints pull hard more inertia: see docs/theory/joints.md
void slow_down(StepContext& c);
/// Of what rows of angles are scaled by [m].
double lever_of(const StepContext& c, const JointScratch::Ends& ends);

/// Rows after the step, with motions of the records and what is pushed.
JointFunctions rows_after(const StepContext& c, std::size_t joint, const Motion& a, const Motion& b,
                          const Motion& push_a = {}, const Motion& push_b = {});

}  // namespace scree
