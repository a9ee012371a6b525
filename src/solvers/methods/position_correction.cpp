#include "scree/solvers/position_correction.hpp"

#include <cmath>

#include "solvers/methods/coloured_chunks.hpp"

namespace scree {
namespace {

constexpr std::size_t kBodiesPerTask = 2048;

}  // namespace

double PositionCorrection::sweep(const ContactProblem& problem, Sweep which, double part,
                                 ThreadPool& pool) {
  const kernels::Kernels& kernel = kernels::kernels_of(pool.instruction_set());
  const std::size_t chunks = problem.chunks.size();
  const bool backward = which == Sweep::backward;
  const kernels::Pushed bodies{which == Sweep::first ? problem.bodies.data() : nullptr,
                               part,
                               backward,
                               linear_.data(),
                               turning_.data(),
                               problem.free_bodies};
  const auto last = static_cast<std::uint32_t>(blocks.size());
  largest_.resize(chunks + problem.full_chunks.size());
  const auto spheres = [&](std::uint32_t group) {
    for_each_chunk(problem.first_chunk, group, pool, [&](std::uint32_t c) {
      double lanes[kBlock] = {};
      kernel.push(problem.blocks.data(), blocks.data(), problem.chunks[c], last, bodies, lanes);
      largest_[c] = largest_of(lanes);
    });
  };
  const auto others = [&](std::uint32_t group) {
    for_each_chunk(problem.first_full_chunk, group, pool, [&](std::uint32_t c) {
      double lanes[kBlock] = {};
      kernel.push_full(problem.full.data(), full.data(), problem.full_chunks[c], bodies, lanes);
      largest_[chunks + c] = largest_of(lanes);
    });
  };
  const std::uint32_t groups = problem.groups();
  for (std::uint32_t k = 0; k < groups; ++k) {
    if (backward) others(groups - 1 - k);
    spheres(backward ? groups - 1 - k : k);
    if (!backward) others(k);
  }
  return std::sqrt(largest_of(largest_));
}

void PositionCorrection::average_backward(const ContactProblem& problem, double part,
                                          ThreadPool& pool) {
  linear_before_ = linear_;
  turning_before_ = turning_;
  sweep(problem, Sweep::backward, part, pool);
  const auto average = [&](AlignedVector<PushRecord>& w, const AlignedVector<PushRecord>& before) {
    pool.for_each_range(w.size(), kBodiesPerTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) w[i].w = 0.5 * (w[i].w + before[i].w);
    });
  };
  average(linear_, linear_before_);
  average(turning_, turning_before_);
}

void PositionCorrection::solve(const ContactProblem& problem, double part, ThreadPool& pool) {
  constexpr double kLittle = 0.1;
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

  const double first = sweep(problem, Sweep::first, part, pool);
  for (int sweeps = 1; sweeps < kMostSweeps - 1; ++sweeps)
    if (sweep(problem, Sweep::forward, part, pool) <= kLittle * first) return;
  average_backward(problem, part, pool);
}

std::size_t PositionCorrection::bytes() const {
  return (blocks.capacity() + full.capacity()) * sizeof(CorrectionBlock) +
         (linear_.capacity() + turning_.capacity() + linear_before_.capacity() +
          turning_before_.capacity()) *
             sizeof(PushRecord) +
         largest_.capacity() * sizeof(double);
}

}  // namespace scree
