/// Contacts of bodies as a problem for any solver, and its answer put back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/solvers/friction_contact_problem.hpp"
#include "scree/solvers/gauss_seidel.hpp"

namespace scree {

/// Where a contact is: 8 · block + lane of a diagonal block, or, counted on from the last of those,
/// the same of a full one.
using ContactIndex = std::uint32_t;
/// Places without a contact left out.
std::vector<ContactIndex> contacts_of(const ContactProblem& problem);
/// A contact of any kind by its rows; W and the law of one from a diagonal block are left open.
FullContact full_contact(const ContactProblem& problem, ContactIndex contact);
AnyLaw law_of(const ContactProblem& problem, ContactIndex contact);

/// All contacts, those of diagonal blocks first, with any tangents, then joints; places without a
/// contact are left out. q is what the velocities would be without impulses, which are gathered
/// in `r` [N s].
FactoredProblem factored_problem(const ContactProblem& problem, Vector& r);

/// The same of some contacts and joints, in this order; all others keep their impulses.
FactoredProblem factored_part(const ContactProblem& problem, std::span<const ContactIndex> contacts,
                              std::span<const JointBlock> joints, Vector& r);

/// Gives these contacts the impulses of `r`, in their order and the tangents of factored_part,
/// and bodies the velocities that follow.
void set_impulses(ContactProblem& problem, std::span<const ContactIndex> contacts, const Vector& r);
/// Gives the contacts the impulses of `r`, in the order and the tangents of factored_problem,
/// and bodies the velocities that follow.
void set_impulses(ContactProblem& problem, const Vector& r);

/// Solves sets of up to 64 contacts, a third of max_sweeps at most and none where that is below
/// 100, one by one, by the portfolio, where some contact of theirs is worse than its part of the
/// tolerance: what sweeps that go round in circles do not reach. Sets are those that contacts
/// connect by free bodies; with joints or rolling friction they are let be. Returns how many
/// were solved so, whatever that brought.
std::size_t solve_small_sets(ContactProblem& problem, const SolverSettings& settings,
                             ThreadPool& pool);

/// Solves all contacts by any of the solvers in solve_problem.hpp. As GaussSeidel::solve: the
/// tolerance means the same, and max_sweeps is a cap on what the solver counts.
SolveResult solve_as_matrix_problem(ContactProblem& problem, const SolverSettings& settings,
                                    ThreadPool& pool);

}  // namespace scree
