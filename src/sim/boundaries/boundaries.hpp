/// Bodies that enter and leave.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

void lay_inflow_layers(StepContext& context);
void fill_regions(StepContext& context);
/// True if a body on a straight path between the two positions passes through an outflow.
bool leaves(const Model& model, const Vec3& from, const Vec3& to);
/// Removes bodies that have left, or were removed by hand, from all arrays; `origin` loses the same
/// entries.
void remove_outflow(StepContext& context, AlignedVector<std::uint32_t>& origin);

}  // namespace scree
