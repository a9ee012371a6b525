/// Friction where the normal impulse is known: Tresca's disc instead of Coulomb's cone.
/// Our own: the solver, and the search for an impulse that pulls nothing.
#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// The impulse (r_n, r_t) with r_n given and |r_t| ≤ limit that dissipates most, u = W r + q:
/// friction opposes the slip after it, as Coulomb's does.
Vec3 tresca_friction(const SymMat3& W, const Vec3& q, double r_n, double limit);

/// The same without pulling bodies together: u_n ≥ 0. `held_back` says whether that had to be seen
/// to. There must be an admissible one.
Vec3 tresca_impulse(const SymMat3& W, const Vec3& q, double r_n, double limit, bool& held_back);

}  // namespace scree
