/// Loads of joints on their obstacles.
#include "sim/joints/joint_places.hpp"
#include "sim/joints/joints.hpp"

namespace scree {
namespace {

/// Impulse of a joint, not of a gear, on B at the origin of its frame there, and the angular
/// impulse with it, inertial.
struct Action {
  std::uint32_t joint;
  Vec3 impulse, angular_impulse;  ///< [N s], [N m s]
  double work;                    ///< done by prescribed motions through it [J]
};

bool is_obstacle_end(BodyIndex end) { return !is_free_body(end) && end != JointScratch::kWorldEnd; }
bool hangs_on_obstacle(const JointScratch::Ends& ends) {
  return is_obstacle_end(ends.a) || is_obstacle_end(ends.b);
}

/// Adds the action to the obstacle's load; nothing if that end is the world. The other end is free.
void act_on_obstacle(StepContext& c, const Action& action) {
  const JointScratch& s = c.scratch.joints;
  const JointScratch::Ends& ends = s.ends[action.joint];
  if (!hangs_on_obstacle(ends)) return;
  const BodyIndex end = is_obstacle_end(ends.a) ? ends.a : ends.b;
  const double sign = is_obstacle_end(ends.a) ? -1 : 1;
  const std::uint32_t obstacle = end & ~Neighbours::kObstacle;
  const Vec3 impulse = sign * action.impulse, angular_impulse = sign * action.angular_impulse;
  const Pose at = c.state.obstacles[obstacle].pose;
  const Vec3 pivot = at.position + rotate(at.orientation, c.model.obstacles[obstacle].pivot);
  const Pose of_b = pose_of_end(c, ends.b);
  const Vec3 arm = c.scratch.domain.separation(pivot, of_b.position + s.frames[action.joint].arm_b);
  load_obstacle(c, obstacle, {impulse, angular_impulse + cross(arm, impulse)});
  c.state.obstacle_loads[obstacle].work += action.work;
}

}  // namespace

void load_obstacles_by_joints(StepContext& c) {
  const JointScratch& s = c.scratch.joints;
  for (std::size_t b = 0; b < s.blocks.size(); ++b) {
    const std::uint32_t k = s.blocks[b].joint;
    const JointBlock& block = c.scratch.problem.joints[b];
    if (const Joint& gear = c.model.joints[k]; is_gear(gear.kind)) {
      const JointFunctions& rows = s.functions[k];
      double r = s.row(b, 0).scale * block.impulse[0];
      for (const std::size_t i : {0, 1}) {
        const JointFunction& row = rows.free[i];
        const std::uint32_t joint = gear.geared[i].joint;
        const double rate = rate_of(row, motion_between_ends(c, joint, [&](BodyIndex end) {
                                      return motion_of_wall(c, end);
                                    }));
        act_on_obstacle(c, {joint, r * row.axis, r * row.angular, -r * rate});
        r *= -gear.ratio;
      }
      continue;
    }
    if (!hangs_on_obstacle(s.ends[k])) continue;
    const JointFrames& f = s.frames[k];
    const auto inertial = [&](const Vec3& v) { return v.x * f.x + v.y * f.y + v.z * f.z; };
    Action action{k, {}, {}, 0};
    for (int row = 0; row < block.rows; ++row) {
      const JointScratch::Row& known = s.row(b, static_cast<std::size_t>(row));
      const double r = block.impulse[row];
      action.impulse += r * inertial(known.force);
      action.angular_impulse += r * inertial(known.torque);
      action.work -= r * known.wall;
    }
    act_on_obstacle(c, action);
  }
}

}  // namespace scree
