#pragma once

#include "scree/solvers/contact_problem.hpp"
#include "scree/solvers/friction_contact_problem.hpp"

namespace scree {

/// The same problem with W explicit, W = Hᵀ M⁻¹ H: contacts between spheres first, in the order of their blocks, with any tangents, then the
/// general ones in theirs. q is what the velocities would be without the percussions that `problem` holds, which are gathered in `r`
/// [N s].
FrictionContactProblem explicit_problem(const ContactProblem& problem, Vector& r);

}  // namespace scree
