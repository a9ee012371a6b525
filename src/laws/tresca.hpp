/// Friction for a known normal impulse: Tresca's disc instead of Coulomb's cone. Our own: the
/// solver, and the search for an impulse that does not pull.
#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// Impulse (r_n, r_t) with given r_n and |r_t| ≤ limit that dissipates most, with u = W r + q.
/// Friction opposes the slip after it, as Coulomb's does.
Vec3 tresca_friction(const SymMat3& W, const Vec3& q, double r_n, double limit);

/// The same with u_n ≥ 0, so that friction does not pull the bodies together. Sets `held_back` if
/// this constraint is active. An admissible impulse must exist.
Vec3 tresca_impulse(const SymMat3& W, const Vec3& q, double r_n, double limit, bool& held_back);

}  // namespace scree
