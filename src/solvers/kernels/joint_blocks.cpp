#include "solvers/kernels/joint_blocks.hpp"

#include <algorithm>

#include "solvers/kernels/body_percussion.hpp"

namespace scree::kernels {
namespace {

JointVector percussion_of(const JointBlock& joint) {
  return Eigen::Map<const JointVector>(joint.percussion, joint.rows);
}

}  // namespace

JointVector relative_velocity(std::span<const BodyRecord> bodies, const JointBlock& joint) {
  const BodyRecord &a = bodies[joint.a], &b = bodies[joint.b];
  const Vec3 v = b.velocity - a.velocity;
  JointVector u(joint.rows);
  for (int k = 0; k < joint.rows; ++k)
    u[k] = dot(joint.axis[k], v) + dot(joint.turn_a[k], a.spin) + dot(joint.turn_b[k], b.spin) +
           joint.bias[k] + joint.softness[k] * joint.percussion[k];
  return u;
}

void add_percussion(std::span<BodyRecord> bodies, std::uint32_t free_bodies,
                    const JointBlock& joint, const JointVector& d) {
  add_rows(bodies, free_bodies, joint, [&](const Vec3(&rows)[JointBlock::kMostRows]) {
    Vec3 sum;
    for (int k = 0; k < d.size(); ++k) sum += d[k] * rows[k];
    return sum;
  });
}

void apply(const JointBlock& joint, std::span<BodyRecord> bodies, std::uint32_t free_bodies) {
  add_percussion(bodies, free_bodies, joint, percussion_of(joint));
}

double certify(const JointBlock& joint, std::span<const BodyRecord> bodies) {
  JointVector u = relative_velocity(bodies, joint);
  if (joint.kind == JointBlock::Kind::driven)
    for (int k = 0; k < joint.rows; ++k) {
      const double W = joint.delassus(k, bodies) + joint.softness[k], r = joint.percussion[k];
      u[k] = W * (r - std::clamp(r - u[k] / W, joint.least[k], joint.most[k]));
    }
  return u.squaredNorm();
}

}  // namespace scree::kernels
