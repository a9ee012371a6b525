/// Conversion of a ContactProblem into a matrix problem for any solver, and of its impulses back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/solvers/friction_contact_problem.hpp"
#include "scree/solvers/gauss_seidel.hpp"

namespace scree {

/// Index of a contact: 8 · block + lane. Lanes of sphere blocks come first, then those of contact
/// blocks.
using ContactIndex = std::uint32_t;
/// Indices of all contacts, without empty lanes.
std::vector<ContactIndex> contacts_of(const ContactProblem& problem);
/// Rows of a contact of any kind; W and the law of one from a sphere block are not set.
ContactRows contact_rows(const ContactProblem& problem, ContactIndex contact);
AnyLaw law_of(const ContactProblem& problem, ContactIndex contact);
/// Calls f(contact, body a, body b) for all contacts, without empty lanes.
void for_each_contact(const ContactProblem& problem,
                      FunctionRef<void(ContactIndex, BodyIndex, BodyIndex)> f);
/// Sets the impulse of a contact, in the frame of its present rows, and updates the velocities of
/// its bodies.
void set_impulse(ContactProblem& problem, ContactIndex contact, const ContactRows& rows,
                 const Vec3& impulse);

/// Gives each contact whose law has several solutions the one that the law takes, the impulses of
/// the others being those before.
void take_chosen_solutions(ContactProblem& problem);

/// Matrix problem of all contacts, those of sphere blocks first, with arbitrary tangents, then
/// held joints; without empty lanes. q is the velocity without impulses, but with those of driven
/// joints: their rows have bounds or softness, which no law of a matrix problem has. The impulses
/// of the rows go to `r` [N s].
FactoredProblem factored_problem(const ContactProblem& problem, Vector& r);

/// The same for some contacts and joints, in this order; the impulses of all others stay fixed.
/// `place` has the place of each free body among the columns; empty for that of its index.
FactoredProblem factored_subset(const ContactProblem& problem,
                                std::span<const ContactIndex> contacts,
                                std::span<const JointBlock> joints, Vector& r,
                                std::span<const BodyIndex> place = {});

/// Sets the impulses of these contacts to `r`, in their order and the tangents of factored_subset,
/// and updates the velocities of bodies.
void set_impulses(ContactProblem& problem, std::span<const ContactIndex> contacts, const Vector& r);

/// Solves all contacts by any of the solvers in solve_problem.hpp. The tolerance means the same as
/// for GaussSeidel::solve, and max_sweeps caps the solver's own iterations.
SolveResult solve_as_matrix_problem(ContactProblem& problem, const SolverSettings& settings,
                                    ThreadPool& pool);
/// The same for some contacts, without joints; the impulses of all others stay.
SolveResult solve_as_matrix_problem(ContactProblem& problem, std::span<const ContactIndex> contacts,
                                    const SolverSettings& settings, ThreadPool& pool);

}  // namespace scree
