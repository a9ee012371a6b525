/// Effect of joints on contacts: the motion of a jointed body under a push.
#pragma once

#include "sim/joints/joint_scratch.hpp"
#include "sim/motion/body_motion.hpp"

namespace scree {

/// Finds mobilities of bodies of joints that compliant laws may touch, for dashpots that depend on
/// masses: docs/theory/joints.md
void find_mobilities(StepContext& c);

/// Effective-mass factor: the compliance of A and B along `normal` at a point in their joints,
/// divided by their compliance without joints, in (0, 1]. Arms lead from the centres to the point;
/// B is an obstacle, or a free body. 1 where joints prevent all motion: nothing hits there [-].
double effective_mass_factor(const StepContext& c, BodyIndex a, const Vec3& arm_a, BodyIndex b,
                             const Vec3& arm_b, const Vec3& normal);

}  // namespace scree
