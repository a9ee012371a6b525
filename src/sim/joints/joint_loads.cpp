/// What joints do to the parts that they hang on.
#include "sim/joints/joint_places.hpp"

namespace scree {

void load_parts_by_joints(StepContext& c) {
  const JointScratch& s = c.scratch.joints;
  for (std::size_t b = 0; b < s.blocks.size(); ++b) {
    const std::uint32_t k = s.blocks[b].joint;
    const JointScratch::Ends& ends = s.ends[k];
    const auto is_part = [](BodyIndex end) {
      return !is_free_body(end) && end != JointScratch::kWorldEnd;
    };
    if (!is_part(ends.a) && !is_part(ends.b)) continue;
    // Of the two ends one is free.
    const BodyIndex end = is_part(ends.a) ? ends.a : ends.b;
    const double sign = is_part(ends.a) ? -1 : 1;
    const std::uint32_t part = end & ~Neighbours::kObstacle;
    const JointFrames f = frames_now(c, k);
    const auto inertial = [&](const Vec3& v) { return v.x * f.x + v.y * f.y + v.z * f.z; };

    Vec3 impulse, turning;
    double work = 0;
    for (int row = 0; row < c.scratch.problem.joints[b].rows; ++row) {
      const JointScratch::Row& known = s.rows[b][static_cast<std::size_t>(row)];
      const double r = c.scratch.problem.joints[b].percussion[row];
      impulse += sign * r * inertial(known.force);
      turning += sign * r * inertial(known.torque);
      work -= r * known.wall;
    }
    const Pose at = c.state.obstacles[part].pose;
    const Vec3 pivot = at.position + rotate(at.orientation, c.model.obstacles[part].pivot);
    const Pose of_b = pose_of_end(c, ends.b);
    const Vec3 arm = c.scratch.domain.separation(pivot, of_b.position + f.arm_b);
    PartLoad& load = c.state.part_loads[part];
    load.impulse += impulse;
    load.angular_impulse += turning + cross(arm, impulse);
    load.work += work;
  }
}

}  // namespace scree
