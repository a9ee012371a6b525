/// Impulses and certificates of single contacts, for all that is not written in lanes.
#pragma once

#include <span>

#include "scree/solvers/gauss_seidel.hpp"
#include "solvers/kernels/kernels.hpp"

namespace scree::kernels {

/// Adds the contacts of a run of contact blocks to the sums, writes e² of each lane to `squared`,
/// which has all lanes of contact blocks, and returns the largest. Contacts with e² above `limit`
/// [m²/s²] are counted.
double certify_contacts(const Kernels& kernel, const ContactProblem& problem, const Chunk& run,
                        double limit, double* squared, CertificateSums& sums);

/// Adds impulse d [N s, in the contact's frame] on B, −d on A, to the free bodies among
/// `bodies`.
void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies,
                 const ContactRows& contact, const Vec3& d);
/// Adds `factor` times all impulses of contacts to `bodies`: with rolling friction and cohesion.
void add_impulses(const ContactProblem& problem, double factor, std::span<BodyRecord> bodies);

/// Adds impulse d [N s, inertial frame] of a contact of spheres on B, −d on A, to the free bodies
/// among `bodies`.
void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies,
                 const SphereContactBlock& block, int lane, const Vec3& d);

/// u in the contact's frame with these velocities, without the bias [m/s].
Vec3 relative_velocity(std::span<const BodyRecord> bodies, const ContactRows& contact);
/// u in the contact's frame, bias included [m/s].
inline Vec3 relative_velocity(const ContactProblem& problem, const ContactRows& contact) {
  return relative_velocity(std::span(problem.bodies), contact) + contact.bias;
}

/// Calls f(block index, lane) for each contact of the blocks of a kind; skips empty lanes.
template <class Blocks, class F>
void for_each_lane(const ContactProblem& problem, const Blocks& blocks, F&& f) {
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (int k = 0; k < kBlock; ++k)
      if (holds_contact(blocks[block], static_cast<std::size_t>(k), problem.at_rest())) f(block, k);
}

/// Cohesion of the pair in a lane [N s].
inline double cohesion_of(const AlignedVector<CohesionBlock>& cohesion, std::size_t block,
                          int lane) {
  return cohesion.empty() ? 0 : cohesion[block].impulse[lane];
}

}  // namespace scree::kernels
