/// Contacts of bodies as a problem for any solver, and its answer put back.
#pragma once

#include <span>

#include "scree/solvers/friction_contact_problem.hpp"
#include "scree/solvers/gauss_seidel.hpp"
#include "scree/solvers/solver_kind.hpp"

namespace scree {

/// Where a contact is: 8 · block + lane of a diagonal block, or, counted on from the last of those, the place of a general one.
using ContactIndex = std::uint32_t;

/// Bodies of a contact.
std::pair<BodyIndex, BodyIndex> bodies_of(const ContactProblem& problem, ContactIndex contact);

/// All contacts, those of diagonal blocks first; places without a contact are left out.
std::vector<ContactIndex> contacts_of(const ContactProblem& problem);

/// Some contacts in the order that is given; contacts of diagonal blocks get any tangents. q is what the velocities would be without the
/// percussions of these contacts, which are gathered in `r` [N s]; all others keep theirs.
FactoredProblem factored_problem(const ContactProblem& problem, std::span<const ContactIndex> contacts, Vector& r);

/// Gives these contacts the percussions of `r`, in the tangents of factored_problem, and their bodies the velocities that follow.
void set_percussions(ContactProblem& problem, std::span<const ContactIndex> contacts, const Vector& r);

/// Solves all contacts by any of the solvers in solve_problem.hpp. As GaussSeidel::solve: the tolerance means the same, and max_sweeps is
/// a cap on what the solver counts.
SolveResult solve_together(ContactProblem& problem, SolverKind solver, const SolveSettings& settings, ThreadPool& pool);

}  // namespace scree
