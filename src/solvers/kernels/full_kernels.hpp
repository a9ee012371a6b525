/// Contacts with a full 3×3 block, what is not written in lanes: one contact at a time.
#pragma once

#include <span>

#include "scree/solvers/gauss_seidel.hpp"

namespace scree::kernels {

/// Adds the contacts of a run of full blocks to the sums and returns the largest e²; `limit` on e²
/// of one contact [m²/s²], to count those that are over it.
double certify_full(const ContactProblem& problem, const Chunk& run, double limit,
                    CertificateSums& sums);

/// Adds percussion d [N s, in the contact's frame] on B, −d on A, to the free bodies among
/// `bodies`.
void add_percussion(std::span<BodyRecord> bodies, std::uint32_t free_bodies,
                    const FullContact& contact, const Vec3& d);
/// Adds `factor` times the percussions of all contacts to `bodies`.
void add_percussions(const ContactProblem& problem, double factor, std::span<BodyRecord> bodies);

/// u in the contact's frame with these velocities, without the bias [m/s].
Vec3 relative_velocity(std::span<const BodyRecord> bodies, const FullContact& contact);
/// u in the contact's frame, bias included [m/s].
inline Vec3 relative_velocity(const ContactProblem& problem, const FullContact& contact) {
  return relative_velocity(std::span(problem.bodies), contact) + contact.bias;
}

/// Calls f(contact) for each full contact of the problem, places without one left out.
template <class F>
void for_each_full_contact(const ContactProblem& problem, F&& f) {
  for (const FullBlock& block : problem.full)
    for (int k = 0; k < kBlock; ++k)
      if (holds_contact(block, k, problem.at_rest())) f(block.contact(k));
}

}  // namespace scree::kernels
