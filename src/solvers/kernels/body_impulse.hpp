/// What an impulse between two bodies does to their velocities, one constraint at a time.
#pragma once

#include <span>

#include "scree/solvers/contact_problem.hpp"

namespace scree::kernels {

/// Of a contact or a joint: `combined(rows)` is Σ d_k rows_k over its rows, d the impulse [N s].
/// Adds d on B, −d on A, to the free bodies among `bodies`.
template <class Constraint, class Combined>
void add_rows(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const Constraint& constraint,
              const Combined& combined) {
  const Vec3 push = combined(constraint.axis);
  if (constraint.a < free_bodies) {
    BodyRecord& a = bodies[constraint.a];
    a.velocity -= a.inverse_mass * without(push, constraint.locked_a);
    a.spin += a.inverse_inertia * combined(constraint.jw_a);
  }
  if (constraint.b < free_bodies) {
    BodyRecord& b = bodies[constraint.b];
    b.velocity += b.inverse_mass * without(push, constraint.locked_b);
    b.spin += b.inverse_inertia * combined(constraint.jw_b);
  }
}

}  // namespace scree::kernels
