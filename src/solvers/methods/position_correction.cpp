#include "scree/solvers/position_correction.hpp"

#include <cmath>

#include "solvers/methods/coloured_chunks.hpp"

namespace scree {

double PositionCorrection::sweep(const ContactProblem& problem, bool first, double part,
                                 ThreadPool& pool) {
  const kernels::Kernels& kernel = kernels::active();
  const std::size_t chunks = problem.chunks.size();
  const kernels::Pushed bodies{first ? problem.bodies.data() : nullptr, part, linear_.data(),
                               turning_.data(), problem.free_bodies};
  const auto last = static_cast<std::uint32_t>(blocks.size());
  largest_.resize(chunks + problem.full_chunks.size());
  for (std::uint32_t group = 0; group < problem.groups(); ++group) {
    for_each_chunk(problem.first_chunk, group, pool, [&](std::uint32_t c) {
      double lanes[kBlock] = {};
      kernel.push(problem.blocks.data(), blocks.data(), problem.chunks[c], last, bodies, lanes);
      largest_[c] = largest_of(lanes);
    });
    for_each_chunk(problem.first_full_chunk, group, pool, [&](std::uint32_t c) {
      double lanes[kBlock] = {};
      kernel.push_full(problem.full.data(), full.data(), problem.full_chunks[c], bodies, lanes);
      largest_[chunks + c] = largest_of(lanes);
    });
  }
  return std::sqrt(largest_of(largest_));
}

void PositionCorrection::solve(const ContactProblem& problem, double part, ThreadPool& pool) {
  constexpr double kLittle = 0.1;
  constexpr std::size_t kBodiesPerTask = 2048;
  const auto start = [&](AlignedVector<PushRecord>& records, auto inverse) {
    records.resize(problem.bodies.size());
    pool.for_each_range(records.size(), kBodiesPerTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) records[i] = {{}, problem.bodies[i].*inverse};
    });
  };
  start(linear_, &BodyRecord::inverse_mass);
  if (problem.full.empty())
    turning_.clear();
  else
    start(turning_, &BodyRecord::inverse_inertia);

  const double first = sweep(problem, true, part, pool);
  for (int sweeps = 1; sweeps < kMostSweeps; ++sweeps)
    if (sweep(problem, false, part, pool) <= kLittle * first) break;
}

std::size_t PositionCorrection::bytes() const {
  return (blocks.capacity() + full.capacity()) * sizeof(CorrectionBlock) +
         (linear_.capacity() + turning_.capacity()) * sizeof(PushRecord) +
         largest_.capacity() * sizeof(double);
}

}  // namespace scree
