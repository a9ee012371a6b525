/// Periodic cell and its strain: docs/theory/periodic_cell.md
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Counts pairs in a cell that touch in the step by other images than their nearest ones.
void count_passed_images(StepContext& context);
/// Velocity of B's image nearest to A relative to B, where the cell flows; else zero [m/s].
inline Vec3 flow_between(const StepContext& c, BodyIndex a, BodyIndex b) {
  const Domain& domain = c.scratch.domain;
  if (!domain.flows()) return {};
  const Bodies& bodies = c.state.bodies;
  return domain.gradient() * domain.separation(bodies.position[a], bodies.position[b]);
}
/// Computes the stress of a strained cell and its work; after the solve.
void load_cell(StepContext& context);
/// True if the cell is long enough for its bodies after the step; if not, sets the fault in the
/// report.
bool cell_holds_bodies(StepContext& context);
/// Advances the cell by a step and sets its next flow; after bodies have moved.
void advance_cell(StepContext& context);

}  // namespace scree
