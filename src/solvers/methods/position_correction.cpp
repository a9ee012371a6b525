/// Position correction by sweeps over coloured contacts, the last one backward. Our own.
#include "scree/solvers/position_correction.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/methods/coloured_chunks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

double PositionCorrection::sweep(const ContactProblem& problem, Sweep kind, double fraction,
                                 ThreadPool& pool) {
  const kernels::Kernels& kernel = kernels::kernels_of(pool.instruction_set());
  const std::size_t chunks = problem.chunks.size();
  const GroupOrder order = kind == Sweep::backward ? GroupOrder::backward : GroupOrder::forward;
  const kernels::PseudoVelocities bodies{kind == Sweep::first ? problem.bodies.data() : nullptr,
                                         fraction,
                                         order == GroupOrder::backward,
                                         linear_.data(),
                                         angular_.data(),
                                         problem.free_bodies};
  const auto last = static_cast<std::uint32_t>(blocks.size());
  largest_.resize(chunks + problem.contact_chunks.size());
  const auto correct_spheres = [&](std::uint32_t c) {
    double lanes[kBlock] = {};
    kernel.correct(problem.blocks.data(), blocks.data(), problem.chunks[c], last, bodies, lanes);
    largest_[c] = largest_of(lanes);
  };
  const auto correct_contacts = [&](std::uint32_t c) {
    double lanes[kBlock] = {};
    kernel.correct_contacts(problem.contact_blocks.data(), contact_blocks.data(),
                            problem.contact_chunks[c], bodies, lanes);
    largest_[chunks + c] = largest_of(lanes);
  };
  const auto skip_rolling = [](std::uint32_t) {};
  for_each_group(problem, order, pool, correct_spheres, correct_contacts, skip_rolling);
  return std::sqrt(largest_of(largest_));
}

void PositionCorrection::average_backward(const ContactProblem& problem, double fraction,
                                          AlignedVector<Vec3>& workspace, ThreadPool& pool) {
  const std::size_t size = workspace.size(), bodies = problem.free_bodies;
  workspace.resize(std::max(size, workspace_vectors(problem)));
  const auto for_each_record = [&](auto&& f) {
    pool.for_each_range(bodies, kCorrectionBodiesPerTask, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(linear_[i].w, workspace[i]);
      if (angular_.empty()) return;
      for (std::size_t i = begin; i < end; ++i) f(angular_[i].w, workspace[bodies + i]);
    });
  };
  for_each_record([](const Vec3& w, Vec3& before) { before = w; });
  sweep(problem, Sweep::backward, fraction, pool);
  for_each_record([](Vec3& w, const Vec3& before) { w = 0.5 * (w + before); });
  workspace.resize(size);
}

void PositionCorrection::solve(const ContactProblem& problem, double fraction,
                               AlignedVector<Vec3>& workspace, ThreadPool& pool) {
  const auto start = [&](AlignedVector<PseudoVelocity>& records, auto inverse) {
    const auto clear = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) records[i] = {{}, problem.bodies[i].*inverse};
    };
    records.resize(problem.bodies.size());
    pool.for_each_range(records.size(), kCorrectionBodiesPerTask, clear);
  };
  start(linear_, &BodyRecord::inverse_mass);
  if (problem.contact_blocks.empty())
    angular_.clear();
  else
    start(angular_, &BodyRecord::inverse_inertia);

  const double first = sweep(problem, Sweep::first, fraction, pool);
  for (int sweeps = 1; sweeps < kMaxCorrectionSweeps - 1; ++sweeps) {
    const double change = sweep(problem, Sweep::forward, fraction, pool);
    if (change <= kSmallCorrectionChange * first) return;
  }
  average_backward(problem, fraction, workspace, pool);
}

std::size_t PositionCorrection::bytes() const {
  return (blocks.capacity() + contact_blocks.capacity()) * sizeof(CorrectionBlock) +
         (linear_.capacity() + angular_.capacity()) * sizeof(PseudoVelocity) +
         largest_.capacity() * sizeof(double);
}

}  // namespace scree
