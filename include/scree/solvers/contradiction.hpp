/// Contacts that no velocities can obey together, as where moving walls squeeze a body.
#pragma once

#include <vector>

#include "scree/solvers/factored_problem.hpp"

namespace scree {

/// Of the contacts around one, those of a proof that they have no solution: impulses in the
/// laws' cones that move no body and take work from every velocity that the laws admit. Empty if
/// there is no such proof. Looks at as many contacts as a proof can be sought among, nearest first;
/// what contradicts itself among a few contradicts itself among all.
std::vector<ContactIndex> contradiction_near(const ContactProblem& problem, ContactIndex contact);

}  // namespace scree
