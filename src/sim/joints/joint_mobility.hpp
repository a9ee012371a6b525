/// What contacts feel of joints: how a push moves a body that others hold.
#pragma once

#include "sim/body_motion.hpp"
#include "sim/joints/joint_scratch.hpp"

namespace scree {

/// Finds Mobilities of bodies of joints that compliant laws may touch, where dashpots are of
/// masses: docs/theory/joints.md
void find_mobilities(StepContext& c);

/// By how much less velocity of A and B along `normal` a push between them at a point makes, than
/// if nothing held them: W over W of the two alone, in (0, 1]. Arms lead from the centres to the
/// point; B is an obstacle, or a free body. 1 where joints hold all: nothing hits there [-].
double effective_mass_factor(const StepContext& c, BodyIndex a, const Vec3& arm_a, BodyIndex b,
                             const Vec3& arm_b, const Vec3& normal);

}  // namespace scree
