// Adds the impulse of cohesion to the free velocities.
#include <span>

#include "sim/contacts/assemble.hpp"
#include "sim/contacts/closing_speeds.hpp"
#include "sim/contacts/contact_sums.hpp"
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

void accumulate_closing_of_spheres(const Scratch& s, std::size_t b, Scratch::ContactSums& sum) {
  const ContactProblem& problem = s.problem;
  const SphereContactBlock& block = problem.blocks[b];
  for (int k = 0; k < kBlock; ++k) {
    if (!holds_contact(block, static_cast<std::size_t>(k), problem.at_rest())) continue;
    accumulate_closing(sum, closing_speed_of(problem, block, k),
                       s.rounding[kBlock * b + static_cast<std::size_t>(k)]);
  }
}

void accumulate_closing_of_full(const Scratch& s, std::size_t b, Scratch::ContactSums& sum) {
  const ContactProblem& problem = s.problem;
  const ContactBlock& block = problem.contact_blocks[b];
  for (int k = 0; k < kBlock; ++k) {
    if (!holds_contact(block, static_cast<std::size_t>(k), problem.at_rest())) continue;
    accumulate_closing(sum, closing_speed_of(problem, block, k),
                       s.full_rounding[kBlock * b + static_cast<std::size_t>(k)]);
  }
}

}  // namespace

void apply_cohesion(StepContext& c) {
  Scratch& s = c.scratch;
  add_cohesion(s.problem, c.pool);
  const auto part = [](std::size_t count, std::size_t chunk) {
    return count * chunk / kPairChunks;
  };
  const std::size_t spheres = s.problem.blocks.size(), full = s.problem.contact_blocks.size();
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    Scratch::ContactSums& sum = s.contact_sums[chunk];
    for (std::size_t b = part(spheres, chunk); b < part(spheres, chunk + 1); ++b)
      accumulate_closing_of_spheres(s, b, sum);
    for (std::size_t b = part(full, chunk); b < part(full, chunk + 1); ++b)
      accumulate_closing_of_full(s, b, sum);
  });
}

}  // namespace scree
