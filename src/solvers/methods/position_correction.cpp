#include "scree/solvers/position_correction.hpp"

#include <cmath>

#include "solvers/methods/coloured_chunks.hpp"

namespace scree {

double PositionCorrection::sweep(const ContactProblem& problem, ThreadPool& pool) {
  const kernels::Kernels& kernel = kernels::active();
  const std::size_t chunks = problem.chunks.size();
  largest_.resize(chunks + problem.full_chunks.size());
  for (std::uint32_t group = 0; group < problem.groups(); ++group) {
    for_each_chunk(problem.first_chunk, group, pool, [&](std::uint32_t c) {
      const Chunk& chunk = problem.chunks[c];
      double lanes[kBlock] = {};
      kernel.push(problem.blocks.data(), blocks.data(), chunk, bodies_.data(), problem.free_bodies,
                  lanes);
      largest_[c] = largest_of(lanes);
    });
    for_each_chunk(problem.first_full_chunk, group, pool, [&](std::uint32_t c) {
      const Chunk& chunk = problem.full_chunks[c];
      double lanes[kBlock] = {};
      kernel.push_full(problem.full.data(), full.data(), chunk, bodies_.data(), problem.free_bodies,
                       lanes);
      largest_[chunks + c] = largest_of(lanes);
    });
  }
  return std::sqrt(largest_of(largest_));
}

void PositionCorrection::solve(const ContactProblem& problem, double part, ThreadPool& pool) {
  constexpr double kLittle = 0.1;
  constexpr std::size_t kBodiesPerTask = 2048, kBlocksPerTask = 64;
  const kernels::Kernels& kernel = kernels::active();
  bodies_.resize(problem.bodies.size());
  pool.for_each_range(bodies_.size(), kBodiesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      bodies_[i] = {{}, {}, problem.bodies[i].inverse_mass, problem.bodies[i].inverse_inertia};
  });
  const auto aim = [&](auto aim_block, const auto& of_problem, auto& of_correction) {
    pool.for_each_range(of_problem.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k)
        aim_block(of_problem[k], problem.bodies.data(), part, of_correction[k]);
    });
  };
  aim(kernel.aim_push, problem.blocks, blocks);
  aim(kernel.aim_push_full, problem.full, full);

  const double first = sweep(problem, pool);
  for (int sweeps = 1; sweeps < kMostSweeps; ++sweeps)
    if (sweep(problem, pool) <= kLittle * first) break;
}

std::size_t PositionCorrection::bytes() const {
  return (blocks.capacity() + full.capacity()) * sizeof(CorrectionBlock) +
         bodies_.capacity() * sizeof(BodyRecord) + largest_.capacity() * sizeof(double);
}

}  // namespace scree
