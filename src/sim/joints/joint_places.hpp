/// Ends of joints: their bodies, and the poses and motions of these.
#pragma once

#include "scree/sim/integrators.hpp"
#include "sim/joints/joint_functions.hpp"
#include "sim/motion/body_motion.hpp"

namespace scree {

inline bool is_free_body(BodyIndex end) { return !(end & Neighbours::kObstacle); }

/// Pose of the body of an end.
inline Pose pose_of_end(const StepContext& c, BodyIndex end) {
  if (end == JointScratch::kWorldEnd) return {};
  if (!is_free_body(end)) return c.state.obstacles[end & ~Neighbours::kObstacle].pose;
  return {c.state.bodies.position[end], c.state.bodies.orientation[end]};
}

/// Twist in this step of an end that is no free body.
inline Twist twist_of_obstacle(const StepContext& c, BodyIndex end) {
  return end == JointScratch::kWorldEnd ? Twist{}
                                        : c.state.obstacles[end & ~Neighbours::kObstacle].twist;
}

/// Pose after the step of an end that is no free body: as in advance().
inline Pose pose_of_wall_after(const StepContext& c, BodyIndex end) {
  if (end == JointScratch::kWorldEnd) return {};
  const std::uint32_t k = end & ~Neighbours::kObstacle;
  const ObstacleState& obstacle = c.state.obstacles[k];
  return c.model.obstacles[k].path ? c.scratch.prescribed[k].after
                                   : advance_pose(obstacle.pose, obstacle.twist, c.model.step.h);
}

/// Path of a free body in the step with this motion: as in advance().
inline JointScratch::Path path_of(const StepContext& c, BodyIndex body, const Motion& motion) {
  const double h = c.model.step.h;
  const Bodies& bodies = c.state.bodies;
  const Prototype& prototype = c.model.prototypes[bodies.prototype[body]];
  JointScratch::Path path{
      motion, {bodies.position[body], bodies.orientation[body]}, motion.angular_velocity};
  Quaternion& orientation = path.pose.orientation;
  if (rotates_freely(c, body))
    rotate_freely(orientation, path.angular_velocity, prototype.inertia, h,
                  c.scratch.kinds[bodies.prototype[body]].locked.turns);
  else if (c.scratch.forces.any)
    orientation = rotate_exactly(orientation, path.angular_velocity, h);
  else
    orientation = advance_orientation(orientation, path.angular_velocity, h);
  path.pose.position += h * motion.velocity;
  return path;
}

/// Pose at the end of a path with this pseudo-velocity: as in advance().
inline Pose pose_after(const StepContext& c, BodyIndex body, const JointScratch::Path& path,
                       const Motion& pseudo_velocity) {
  const double h = c.model.step.h;
  const Bodies& bodies = c.state.bodies;
  Pose pose{bodies.position[body] + h * (path.motion.velocity + pseudo_velocity.velocity),
            path.pose.orientation};
  if (pseudo_velocity.angular_velocity != Vec3{}) {
    Vec3 w = path.angular_velocity;
    turn(pose.orientation, w, c.model.prototypes[bodies.prototype[body]].inertia,
         h * pseudo_velocity.angular_velocity,
         c.scratch.kinds[bodies.prototype[body]].locked.turns);
  }
  return pose;
}

/// Motion of a free body by its record; zero for anything else.
inline Motion motion_of_record(const StepContext& c, BodyIndex end) {
  if (!is_free_body(end)) return {};
  return {c.scratch.problem.bodies[end].velocity, angular_velocity(c, end)};
}
inline Motion motion_before(const StepContext& c, BodyIndex end) {
  if (!is_free_body(end)) return {};
  return {c.state.bodies.velocity[end], c.state.bodies.angular_velocity[end]};
}

/// Motion of B relative to A, at the origin of the frame in B.
inline Motion motion_between(const JointFrames& f, const Motion& a, const Motion& b) {
  const Vec3 v_a = a.velocity + cross(a.angular_velocity, f.arm_a + f.d),
             v_b = b.velocity + cross(b.angular_velocity, f.arm_b);
  return {v_b - v_a, b.angular_velocity - a.angular_velocity};
}
/// Rate of a row with such a motion of B relative to A [m/s] or [rad/s].
inline double rate_of(const JointFunction& row, const Motion& between) {
  return dot(row.axis, between.velocity) + dot(row.angular, between.angular_velocity);
}

/// Frames of a joint, not of a gear, with the poses pose_of(end) of its ends.
template <class PoseOf>
JointFrames frames_where(const StepContext& c, std::size_t joint, PoseOf&& pose_of) {
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  return frames_of(c.scratch.domain, c.model.joints[joint], c.state.joints[joint], pose_of(ends.a),
                   pose_of(ends.b));
}
/// Frames of a joint in the present poses.
inline JointFrames frames_now(const StepContext& c, std::size_t joint) {
  return frames_where(c, joint, [&](BodyIndex end) { return pose_of_end(c, end); });
}

/// Rows and coordinates of a joint with these poses; for a gear by functions_of_gear().
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

/// Relative motion of the ends of a joint, not of a gear, at the start of the step.
template <class MotionOf>
Motion motion_between_ends(const StepContext& c, std::size_t joint, MotionOf&& motion_of) {
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  return motion_between(c.scratch.joints.frames[joint], motion_of(ends.a), motion_of(ends.b));
}
/// Rate of the row of a gear.
template <class MotionOf>
double rate_of_gear(const StepContext& c, std::size_t gear, const JointFunctions& rows,
                    MotionOf&& motion_of) {
  const Joint& of = c.model.joints[gear];
  const auto rate = [&](std::size_t k) {
    return rate_of(rows.free[k], motion_between_ends(c, of.geared[k].joint, motion_of));
  };
  return rate(0) - of.ratio * rate(1);
}

/// Finds the paths and the poses of some bodies of joints in the step with such motions.
template <class MotionOf>
void find_poses_after(StepContext& c, std::span<const BodyIndex> bodies, MotionOf&& motion_of) {
  JointScratch& s = c.scratch.joints;
  for (const BodyIndex body : bodies) {
    s.paths[body] = path_of(c, body, motion_of(body));
    s.poses[body] = s.paths[body].pose;
  }
}
/// Rows and coordinates of a joint in these poses.
inline JointFunctions functions_after(const StepContext& c, std::size_t joint) {
  return functions_where(c, joint, [&](BodyIndex end) {
    return is_free_body(end) ? c.scratch.joints.poses[end] : pose_of_wall_after(c, end);
  });
}

/// Calls f(block, rows and coordinates of its joint in these poses) for some blocks of the problem.
template <class F>
void for_each_block_after(const StepContext& c, std::span<const std::uint32_t> blocks, F&& f) {
  const auto joint_of = [&](std::size_t k) { return c.scratch.joints.blocks[blocks[k]].joint; };
  for (std::size_t k = 0; k < blocks.size();) {
    const std::uint32_t joint = joint_of(k);
    const JointFunctions after = functions_after(c, joint);
    for (; k < blocks.size() && joint_of(k) == joint; ++k) f(blocks[k], after);
  }
}

/// Motion of an end that is no free body; zero for a free one.
inline Motion motion_of_wall(const StepContext& c, BodyIndex end) {
  if (is_free_body(end)) return {};
  const Twist twist = twist_of_obstacle(c, end);
  return {twist.linear, twist.angular};
}

/// Data of the islands of the problem.
inline std::span<const JointScratch::IslandLook> looks_at_islands(const StepContext& c) {
  return std::span(c.scratch.joints.looks).first(c.scratch.solver.joints().islands());
}
/// Finds Scratch::joints.ends: indices of bodies by their ids, which change with the neighbour
/// list.
void find_joint_ends(StepContext& c);
/// Finds these, and all other data of JointScratch at the start of the step.
void look_at_joints(StepContext& c);
/// Increases the rotational inertia of light bodies that joints load heavily: see
/// docs/theory/joints.md
void scale_inertia(StepContext& c);
/// Adds the misses of a block to JointScratch::missed, for these functions of its joint after the
/// step: of each constraint row, and of its limit. Returns the largest miss [m].
double note_missed(StepContext& c, std::size_t block, const JointFunctions& after);
/// Adds the force of a driven row to the efforts of its joint. The limit of the angle of a ball
/// acts along its rotation vector.
inline void add_effort(const JointScratch::Block& of, const JointScratch::Row& row, double force,
                       std::array<double, kMaxCoordinates>& efforts) {
  if (!of.is_angle_of_ball())
    efforts[static_cast<std::size_t>(of.coordinate)] += force * row.scale;
  else
    for (int k = 0; k < kMaxCoordinates; ++k)
      efforts[static_cast<std::size_t>(k)] += force * row.torque[k];
}
/// Scale of rows of angles [m].
double lever_of(const StepContext& c, const JointScratch::Ends& ends);
/// Largest miss of a joint with these functions: constraint rows, and coordinates beyond their
/// limits [m].
double error_of(const StepContext& c, std::size_t joint, const JointFunctions& rows);

}  // namespace scree
