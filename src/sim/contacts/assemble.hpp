/// From contact points to rows of the problem.
#pragma once

#include "scree/collision/separating_plane.hpp"
#include "sim/contacts/contact_terms.hpp"
#include "sim/step_context.hpp"

namespace scree {

/// Fills the problem: frames, gap terms, restitution, impulses of the last step.
void assemble(StepContext& context);
/// Finds contacts that may press a body between obstacles at rest: ContactProblem::tight.
void find_tight_contacts(StepContext& context);
TermSettings term_settings(const Model& model);
/// Plane between a sphere and an obstacle, with the velocity of the obstacle's surface; while the
/// record of the sphere has its free velocity.
SeparatingPlane plane_of_obstacle(const StepContext& context, BodyIndex sphere,
                                  std::uint32_t obstacle);
/// Allocates contact blocks for the pairs that narrow_phase found.
void place_stacks(StepContext& context);
/// Fills the contact blocks; adds to the second half of Scratch::contact_sums.
void assemble_full(StepContext& context);
/// Labels bodies with the blocks of space of SolverSettings::blocks.
void cut_into_blocks(StepContext& context);
/// Adds cohesion to the free velocities, and sums the q that follow.
void apply_cohesion(StepContext& context);
/// Calls f(index in problem.contact_blocks) for the points of a pair whose first is in `slot`.
template <class F>
void for_each_full_place(const Scratch& s, std::uint32_t slot, F&& f) {
  std::uint32_t index = slot & ~Scratch::kFull;
  for (std::uint32_t left = s.problem.contact_blocks[index / kBlock].stack; left > 0;
       --left, index += kBlock)
    if (holds_contact(s.problem.contact_blocks[index / kBlock], index % kBlock,
                      s.problem.at_rest()))
      f(index);
}

}  // namespace scree
