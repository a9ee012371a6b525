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
inline Twist twist_of_obstacle(const StepContext& c, BodyIndex end) {
  return end == JointScratch::kWorldEnd ? Twist{}
                                        : c.state.obstacles[end & ~Neighbours::kObstacle].twist;
}

/// Where the body of an end stands after the step, if it is a free one with this motion, and pushed
/// apart from it: as advance() has it.
inline Pose pose_after(const StepContext& c, BodyIndex end, const Motion& motion,
                       const Motion& pseudo_velocity = {}) {
  const double h = c.model.step.h;
  if (end == JointScratch::kWorldEnd) return {};
  if (!is_free_body(end)) {
    const std::uint32_t k = end & ~Neighbours::kObstacle;
    const ObstacleState& obstacle = c.state.obstacles[k];
    return c.model.obstacles[k].path ? c.scratch.prescribed[k].after
                                     : advance_pose(obstacle.pose, obstacle.twist, h);
  }
  const Bodies& bodies = c.state.bodies;
  const Vec3& inertia = c.model.prototypes[bodies.prototype[end]].inertia;
  const AxisSet locked = c.scratch.kinds[bodies.prototype[end]].locked.turns;
  Pose pose{bodies.position[end] + h * (motion.velocity + pseudo_velocity.velocity),
            bodies.orientation[end]};
  Vec3 w = motion.angular_velocity;
  if (!c.scratch.kinds[bodies.prototype[end]].isotropic)
    rotate_freely(pose.orientation, w, inertia, h, locked);
  else if (c.scratch.forces.any)
    pose.orientation = rotate_exactly(pose.orientation, w, h);
  else
    pose.orientation = advance_orientation(pose.orientation, w, h);
  if (pseudo_velocity.angular_velocity != Vec3{})
    turn(pose.orientation, w, inertia, h * pseudo_velocity.angular_velocity, locked);
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

/// Of B against A, at the origin of the frame in B, with such motions of theirs.
inline Motion motion_between(const JointFrames& f, const Motion& a, const Motion& b) {
  const Vec3 v_a = a.velocity + cross(a.angular_velocity, f.arm_a + f.d),
             v_b = b.velocity + cross(b.angular_velocity, f.arm_b);
  return {v_b - v_a, b.angular_velocity - a.angular_velocity};
}
/// Rate of a row with such a motion of B against A [m/s] or [rad/s].
inline double rate_of(const JointFunction& row, const Motion& between) {
  return dot(row.axis, between.velocity) + dot(row.turn, between.angular_velocity);
}

/// Frames of a joint, no gear, with the bodies of its ends where pose_of(end) says.
template <class PoseOf>
JointFrames frames_where(const StepContext& c, std::size_t joint, PoseOf&& pose_of) {
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  return frames_of(c.scratch.domain, c.model.joints[joint], pose_of(ends.a), pose_of(ends.b));
}
/// The same as bodies stand.
inline JointFrames frames_now(const StepContext& c, std::size_t joint) {
  return frames_where(c, joint, [&](BodyIndex end) { return pose_of_end(c, end); });
}

/// Rows and coordinates of a joint likewise; of a gear as functions_of_gear() has them.
template <class PoseOf>
JointFunctions functions_where(const StepContext& c, std::size_t joint, PoseOf&& pose_of) {
  const auto functions = [&](std::size_t k) {
    return functions_of(c.model.joints[k], frames_where(c, k, pose_of),
                        c.state.joints[k].coordinate);
  };
  const Joint& of = c.model.joints[joint];
  if (!is_gear(of.kind)) return functions(joint);
  const auto coordinate = [&](const GearEnd& end) {
    return functions(end.joint).free[static_cast<std::size_t>(end.coordinate)];
  };
  return functions_of_gear(of, coordinate(of.geared[0]), coordinate(of.geared[1]));
}
inline JointFunctions functions_now(const StepContext& c, std::size_t joint) {
  return functions_where(c, joint, [&](BodyIndex end) { return pose_of_end(c, end); });
}

/// Of the ends of a joint, no gear, as the step begins, with such motions of theirs.
template <class MotionOf>
Motion motion_between_ends(const StepContext& c, std::size_t joint, MotionOf&& motion_of) {
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  return motion_between(c.scratch.joints.frames[joint], motion_of(ends.a), motion_of(ends.b));
}
/// Rate of the row of a gear so.
template <class MotionOf>
double rate_of_gear(const StepContext& c, std::size_t gear, const JointFunctions& rows,
                    MotionOf&& motion_of) {
  const Joint& of = c.model.joints[gear];
  const auto rate = [&](std::size_t k) {
    return rate_of(rows.free[k], motion_between_ends(c, of.geared[k].joint, motion_of));
  };
  return rate(0) - of.ratio * rate(1);
}

/// Where some bodies of joints stand after the step with such motions and pushes of theirs.
template <class MotionOf, class PseudoVelocityOf>
void find_poses_after(StepContext& c, std::span<const BodyIndex> bodies, MotionOf&& motion_of,
                      PseudoVelocityOf&& pseudo_velocity_of) {
  JointScratch& s = c.scratch.joints;
  for (const BodyIndex body : bodies) {
    s.motions[body] = motion_of(body);
    s.poses[body] = pose_after(c, body, s.motions[body], pseudo_velocity_of(body));
  }
}
/// Rows and coordinates of a joint there.
inline JointFunctions functions_after(const StepContext& c, std::size_t joint) {
  return functions_where(c, joint, [&](BodyIndex end) {
    return is_free_body(end) ? c.scratch.joints.poses[end] : pose_after(c, end, {});
  });
}

/// f(block, rows and coordinates of its joint there) for each of some blocks of the problem.
template <class F>
void for_each_block_after(const StepContext& c, std::span<const std::uint32_t> blocks, F&& f) {
  const auto joint_of = [&](std::size_t k) { return c.scratch.joints.blocks[blocks[k]].joint; };
  for (std::size_t k = 0; k < blocks.size();) {
    const std::uint32_t joint = joint_of(k);
    const JointFunctions after = functions_after(c, joint);
    for (; k < blocks.size() && joint_of(k) == joint; ++k) f(blocks[k], after);
  }
}

/// Motion of an end that is no free body, as if it were one; nothing of a free one.
inline Motion motion_of_wall(const StepContext& c, BodyIndex end) {
  if (is_free_body(end)) return {};
  const Twist twist = twist_of_obstacle(c, end);
  return {twist.linear, twist.angular};
}

/// Of the islands of the problem.
inline std::span<const JointScratch::IslandLook> looks_at_islands(const StepContext& c) {
  return std::span(c.scratch.joints.looks).first(c.scratch.solver.joints().islands());
}
/// Finds Scratch::joints.ends: indices of bodies by their ids, which change with the list of
/// neighbours.
void find_joint_ends(StepContext& c);
/// These, and what else of JointScratch is of the start of the step.
void look_at_joints(StepContext& c);
/// Gives bodies that joints pull hard more inertia: see docs/theory/joints.md
void scale_inertia(StepContext& c);
/// To JointScratch::missed, of a block whose joint has these functions after the step: each of its
/// rows that is held, and that of its limit. Returns the largest that it misses by [m].
double note_missed(StepContext& c, std::size_t block, const JointFunctions& after);
/// Of what rows of angles are scaled by [m].
double lever_of(const StepContext& c, const JointScratch::Ends& ends);
/// By how far a joint misses most, where its functions are these: rows that are held, and
/// coordinates beyond their limits [m].
double error_of(const StepContext& c, std::size_t joint, const JointFunctions& rows);

}  // namespace scree
