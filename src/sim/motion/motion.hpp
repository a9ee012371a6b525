/// Motion of bodies in a step, and their energies.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Evaluates the prescribed motions and the fields first: if one fails, sets the report's fault and
/// changes nothing. Then inflows lay layers, fillings add bodies, obstacles get their twists, and
/// bodies their free velocities v + h (g + F/m) and margins.
void predict(StepContext& context);
/// Moves bodies with the new velocities and pseudo-velocities; sums energies.
void advance(StepContext& context);
/// Measures energies and counts of the present state, for the report before the first step.
void measure(StepContext& context);
/// True in the first leapfrog step, when velocities are those at its start, not half a step
/// earlier.
bool begins_at_whole_step(const StepContext& context);
/// True in the first step of all: no other run came before it.
bool is_first_of_all(const StepContext& context);
/// Inscribed radius of a body, see Prototype [m].
double inscribed_radius(const StepContext& context, std::size_t body);
/// Sets the free velocities of all present bodies.
void set_free_velocities(StepContext& context);
/// Finds bodies and obstacles with compliant contacts that rotated too far in the step before:
/// contacts mistake such a rotation for another; before the solve.
void look_for_excessive_rotations(StepContext& context);
/// Fraction of a step's gravity and forces that velocities get. It is half in the first step of a
/// run with compliant laws: velocities change from t = 0 to t + h/2.
double half_step_factor(const StepContext& context);

}  // namespace scree
