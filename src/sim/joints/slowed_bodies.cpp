/// Light bodies under heavy loads: docs/theory/joints.md
#include <algorithm>

#include "sim/joints/joint_places.hpp"

namespace scree {

/// What is pulled at its end swings about its centre, or about its other end, as a pendulum does:
/// with stiffness F·a, F the force there and a the arm. Where that is so stiff that a step covers a
/// good part of a swing, the step would make it swing ever wider. So light bodies under heavy loads
/// turn with more inertia, as they would by an implicit step; what swings slowly is as it was.
void slow_down(StepContext& c) {
  constexpr double kFollowed = 0.05, kSlower = 4;  // of (ω h)²
  JointScratch& s = c.scratch.joints;
  ContactProblem& problem = c.scratch.problem;
  const Bodies& bodies = c.state.bodies;
  s.stiffness.assign(bodies.size(), 0);
  const double h = c.model.step.h;
  const auto free_inertia = [&](BodyIndex i) {
    const Scratch::Kind& kind = c.scratch.kinds[bodies.prototype[i]];
    return kind.isotropic ? c.model.prototypes[bodies.prototype[i]].inertia.x : 1;
  };
  const auto add = [&](BodyIndex end, const Vec3& percussion, const Vec3& arm) {
    if (!is_free_body(end)) return;
    const double pull = dot(percussion, arm);
    if (!(pull > 0)) return;
    const Vec3 moments = c.model.prototypes[bodies.prototype[end]].inertia;
    const double across = std::max({moments.x, moments.y, moments.z});
    const double whole = across * bodies.radius[end] * bodies.radius[end] + squared_norm(arm);
    const double swing = h * pull / (bodies.mass[end] * whole);
    s.stiffness[end] += kSlower * std::max(0.0, swing - kFollowed) * whole * bodies.mass[end];
  };
  for (std::size_t k = 0; k < s.ends.size(); ++k) {
    const JointScratch::Ends& ends = s.ends[k];
    // What a gear does turns bodies about axes that their joints hold.
    if (!ends.is_there || is_gear(c.model.joints[k].kind)) continue;
    const JointFrames& frames = s.frames[k];
    const JointState& memory = c.state.joints[k];
    const JointFunctions& rows = s.functions[k];
    Vec3 percussion;
    for (int row = 0; row < rows.held_count; ++row)
      percussion += memory.held[static_cast<std::size_t>(row)] *
                    rows.held[static_cast<std::size_t>(row)].axis;
    add(ends.a, -percussion, frames.arm_a + frames.d);
    add(ends.b, percussion, frames.arm_b);
  }
  c.report.bodies_slowed = 0;
  for (BodyIndex i = 0; i < bodies.size(); ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    BodyRecord& record = problem.bodies[i];
    record.inverse_inertia = record.inverse_mass / free_inertia(i);
    if (s.stiffness[i] == 0) continue;
    ++c.report.bodies_slowed;
    const Vec3 moments = c.model.prototypes[bodies.prototype[i]].inertia;
    const double across = bodies.mass[i] * bodies.radius[i] * bodies.radius[i] *
                          std::max({moments.x, moments.y, moments.z});
    record.inverse_inertia /= 1 + s.stiffness[i] / across;
  }
}

}  // namespace scree
