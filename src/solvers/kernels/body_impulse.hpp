/// Change of two bodies' velocities by an impulse between them, one constraint at a time.
#pragma once

#include <span>

#include "scree/solvers/contact_problem.hpp"

namespace scree::kernels {

/// Adds the impulse d [N s] of a contact or joint on B, −d on A, to the free bodies among `bodies`;
/// `combined(rows)` is Σ d_k rows_k over its rows.
template <class Constraint, class Combined>
void add_rows(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const Constraint& constraint,
              const Combined& combined) {
  const Vec3 linear = combined(constraint.axis);
  if (constraint.a < free_bodies) {
    BodyRecord& a = bodies[constraint.a];
    a.velocity -= a.inverse_mass * without(linear, constraint.locked_a);
    a.spin += a.inverse_inertia * combined(constraint.jw_a);
  }
  if (constraint.b < free_bodies) {
    BodyRecord& b = bodies[constraint.b];
    b.velocity += b.inverse_mass * without(linear, constraint.locked_b);
    b.spin += b.inverse_inertia * combined(constraint.jw_b);
  }
}

}  // namespace scree::kernels
