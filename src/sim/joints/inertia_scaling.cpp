/// Inertia scaling of light bodies under heavy loads: docs/theory/joints.md
#include <algorithm>

#include "sim/joints/joint_places.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kSlowed("bodies_slowed");

/// Middle principal moment of a body [kg m²]. A body pulled along its length rotates about the two
/// larger ones; a body pulled in its plane rotates about one of the smaller ones.
double moment_across(const StepContext& c, BodyIndex i) {
  const Bodies& bodies = c.state.bodies;
  const Vec3& moments = c.model.prototypes[bodies.prototype[i]].inertia;
  const double middle =
      std::max(std::min(moments.x, moments.y), std::min(std::max(moments.x, moments.y), moments.z));
  return bodies.mass[i] * bodies.radius[i] * bodies.radius[i] * middle;
}

}  // namespace

/// A load F at an arm a makes a body oscillate like a pendulum, with stiffness F·a. By Rayleigh's
/// quotient no mechanism oscillates faster under its loads than the fastest of its bodies would
/// about its own centre, ω² = Σ F·a / I. A step amplifies oscillations with (ω h)² > 4 without
/// bound. So light bodies under heavy loads get more rotational inertia; slower oscillations are
/// unchanged. With the middle moment for I, flaps that rotate about their longest axis are scaled
/// too late.
void scale_inertia(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  ContactProblem& problem = c.scratch.problem;
  const Bodies& bodies = c.state.bodies;
  s.stiffness.assign(bodies.size(), 0);
  s.inertia_scaling.assign(bodies.size(), 0);
  const double h = c.model.step.h;
  const auto free_inertia = [&](BodyIndex i) {
    const Scratch::BodyTraits& kind = c.scratch.kinds[bodies.prototype[i]];
    return kind.isotropic ? c.model.prototypes[bodies.prototype[i]].inertia.x : 1;
  };
  const auto add = [&](BodyIndex end, const Vec3& impulse, const Vec3& arm) {
    if (is_free_body(end)) s.stiffness[end] += h * std::max(0.0, dot(impulse, arm));
  };
  for (std::size_t k = 0; k < s.ends.size(); ++k) {
    const JointScratch::Ends& ends = s.ends[k];
    // A gear rotates bodies about axes that their joints hold.
    if (!ends.is_there || is_gear(c.model.joints[k].kind)) continue;
    const JointFrames& frames = s.frames[k];
    const JointState& memory = c.state.joints[k];
    const JointFunctions& rows = s.functions[k];
    Vec3 impulse;
    for (int row = 0; row < rows.held_count; ++row)
      impulse += memory.held[static_cast<std::size_t>(row)] *
                 rows.held[static_cast<std::size_t>(row)].axis;
    add(ends.a, -impulse, frames.arm_a + frames.d);
    add(ends.b, impulse, frames.arm_b);
  }
  c.report[kSlowed].value = 0;
  for (BodyIndex i = 0; i < bodies.size(); ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    BodyRecord& record = problem.bodies[i];
    record.inverse_inertia = record.inverse_mass / free_inertia(i);
    const double inertia_scaling =
        s.stiffness[i] / (kMaxJointPhaseSquared * moment_across(c, i)) - 1;
    if (!(inertia_scaling > 0)) continue;
    ++c.report[kSlowed].value;
    s.inertia_scaling[i] = inertia_scaling;
    record.inverse_inertia /= 1 + inertia_scaling;
  }
}

}  // namespace scree
