/// Velocities, impulses and residuals of one joint.
#include "solvers/kernels/joint_blocks.hpp"

#include <algorithm>
namespace scree::kernels {
namespace {

JointVector impulse_of(const JointBlock& joint) {
  JointVector r{};
  std::copy_n(joint.impulse, joint.rows, r.begin());
  return r;
}

}  // namespace

JointVector hard_velocity(std::span<const BodyRecord> bodies, const JointBlock& joint) {
  const BodyRecord &a = bodies[joint.a], &b = bodies[joint.b];
  const Vec3 v = b.velocity - a.velocity;
  JointVector u{};
  double along = 0;
  for (int k = 0; k < joint.rows; ++k) {
    if (k < joint.directions())
      along = dot(joint.axis[k], v) + dot(joint.jw_a[k], a.spin) + dot(joint.jw_b[k], b.spin);
    u[k] = along + joint.bias[k];
  }
  if (const JointBlock::Second& second = joint.second; second.is_there()) {
    const BodyRecord &c = bodies[second.c], &d = bodies[second.d];
    u[0] += dot(second.axis, d.velocity - c.velocity) + dot(second.jw_c, c.spin) +
            dot(second.jw_d, d.spin);
  }
  return u;
}

JointVector relative_velocity(std::span<const BodyRecord> bodies, const JointBlock& joint) {
  JointVector u = hard_velocity(bodies, joint);
  for (int k = 0; k < joint.rows; ++k) u[k] += joint.softness[k] * joint.impulse[k];
  return u;
}

void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const JointBlock& joint,
                 const JointVector& d) {
  JointVector along{};
  for (int k = 0; k < joint.rows; ++k) along[joint.direction_of(k)] += d[k];
  joint.for_each_side([&](const JointBlock::Side& side) {
    if (side.body >= free_bodies) return;
    Vec3 linear, angular;
    for (int k = 0; k < joint.directions(); ++k) {
      linear += along[k] * side.axis[k];
      angular += along[k] * side.jw[k];
    }
    BodyRecord& body = bodies[side.body];
    body.velocity += side.sign * body.inverse_mass * without(linear, side.locked);
    body.spin += body.inverse_inertia * angular;
  });
}

void apply(const JointBlock& joint, std::span<BodyRecord> bodies, std::uint32_t free_bodies) {
  add_impulse(bodies, free_bodies, joint, impulse_of(joint));
}

JointVector residuals(const JointBlock& joint, std::span<const BodyRecord> bodies,
                      const JointVector& u) {
  return residuals_with(joint, impulse_of(joint), bodies, u);
}

JointVector residuals_with(const JointBlock& joint, const JointVector& impulse,
                           std::span<const BodyRecord> bodies, const JointVector& u) {
  if (joint.kind == JointBlock::Kind::held) return u;
  const double hard = joint.delassus(0, bodies);
  JointVector e{};
  for (int k = 0; k < joint.rows; ++k) {
    const double W = hard + joint.softness[k], r = impulse[k];
    // A row along which its bodies are locked has no effect.
    if (W > 0)
      e[k] = W * (r - std::clamp(r - u[k] / W, joint.min_impulse[k], joint.max_impulse[k]));
  }
  return e;
}

}  // namespace scree::kernels
