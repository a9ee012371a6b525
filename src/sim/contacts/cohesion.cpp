// Adds the impulse of cohesion to the free velocities.
#include "sim/contacts/assemble.hpp"
#include "sim/contacts/closing_speeds.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/methods/coloured_chunks.hpp"

namespace scree {
namespace {

Vec3 normal_of(const SphereContactBlock& block, int lane) {
  return {block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]};
}

/// Adds cohesion group by group, like impulses: velocities do not depend on the storage order.
void add_cohesion(ContactProblem& problem, ThreadPool& pool) {
  const auto pull = [&](const auto& blocks, const auto& cohesion, const Chunk& chunk,
                        auto&& pull_lane) {
    for (std::uint32_t b = chunk.begin; b < chunk.end; ++b)
      for (int k = 0; k < kBlock; ++k)
        if (const double s = cohesion[b].impulse[k]; s > 0) pull_lane(blocks[b], k, s);
  };
  for (std::uint32_t group = 0; group < problem.groups(); ++group) {
    for_each_chunk(problem.first_chunk, group, pool, [&](std::uint32_t c) {
      pull(problem.blocks, problem.cohesion, problem.chunks[c],
           [&](const SphereContactBlock& block, int k, double s) {
             kernels::add_impulse(problem.bodies, problem.free_bodies, block, k,
                                  -s * normal_of(block, k));
           });
    });
    for_each_chunk(problem.first_contact_chunk, group, pool, [&](std::uint32_t c) {
      pull(
          problem.contact_blocks, problem.contact_cohesion, problem.contact_chunks[c],
          [&](const ContactBlock& block, int k, double s) {
            kernels::add_impulse(problem.bodies, problem.free_bodies, block.contact(k), {-s, 0, 0});
          });
    });
  }
}

}  // namespace

void apply_cohesion(StepContext& c) {
  add_cohesion(c.scratch.problem, c.pool);
  find_closing_speeds(c.scratch.problem, c.pool);
}

}  // namespace scree
