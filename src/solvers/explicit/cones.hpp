/// What solvers that know cones alone need of laws: projections, and De Saxcé's shift.
#pragma once

#include "solvers/explicit/system.hpp"

namespace scree {

/// Whether the answer of every law is a projection on its cone: Coulomb, cone complementarity, no friction, joints.
bool projections_suit(const Blocks& system);

/// r projected on the cone of each block; joints are free.
void project_on_cones(const Blocks& system, Vector& r);

/// s = μ|u_t| in the normal rows of Coulomb's contacts, 0 elsewhere: K* ∋ u + s n ⊥ r ∈ K is Coulomb's law [DeSaxceFeng98].
Vector de_saxce_shift(const Blocks& system, const Vector& u);

}  // namespace scree
