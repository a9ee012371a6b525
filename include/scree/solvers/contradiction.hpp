/// Contacts whose laws no velocities can obey together, for example of a body that moving walls
/// press from both sides.
#pragma once

#include <vector>

#include "scree/solvers/factored_problem.hpp"

namespace scree {

/// Contacts near `contact` that provably have no solution together. The proof is a set of impulses
/// in the laws' cones that move no body and take work from every velocity that the laws admit.
/// Empty if no such proof is found. The search takes a bounded number of contacts, nearest first; a
/// contradiction among a few contacts is a contradiction among all.
std::vector<ContactIndex> contradiction_near(const ContactProblem& problem, ContactIndex contact);

}  // namespace scree
