/// Loops over the groups of contacts and their chunks, by threads: for sweeps of every kind.
/// Our own.
#pragma once

#include <algorithm>
#include <span>

#include "scree/core/threads.hpp"
#include "scree/solvers/contact_problem.hpp"
#include "solvers/kernels/kernels.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Runs f(chunk index) for the chunks of one group, by several threads if there are enough chunks.
template <class F>
void for_each_chunk(std::span<const std::uint32_t> first_chunk, std::uint32_t group,
                    ThreadPool& pool, F&& f) {
  if (first_chunk.empty()) return;
  const std::uint32_t first = first_chunk[group], count = first_chunk[group + 1] - first;
  if (count == 0) return;
  // One piece per thread, equal to within a chunk; small groups wake fewer threads.
  const std::uint32_t pieces = std::clamp((count + kMinChunksPerThread - 1) / kMinChunksPerThread,
                                          1U, static_cast<std::uint32_t>(pool.threads()));
  pool.for_each_chunk(pieces, [&](std::size_t piece) {
    const auto begin = static_cast<std::uint32_t>(piece * count / pieces),
               end = static_cast<std::uint32_t>((piece + 1) * count / pieces);
    for (std::uint32_t c = begin; c < end; ++c) f(first + c);
  });
}

/// Order in which a sweep takes the groups, and the kinds of blocks in a group.
enum class GroupOrder { forward, backward };

struct NothingAfterGroup {
  void operator()(std::uint32_t) const {}
};

/// Visits group after group: runs spheres(chunk) for the chunks of sphere blocks, then
/// contacts(chunk) for those of contact blocks, then rolling(chunk) for those of rolling blocks,
/// then after(group); backward, all in the opposite order. Threads share the chunks of one kind in
/// a group.
template <class Spheres, class Contacts, class Rolling, class After = NothingAfterGroup>
void for_each_group(const ContactProblem& problem, GroupOrder order, ThreadPool& pool,
                    const Spheres& spheres, const Contacts& contacts, const Rolling& rolling,
                    const After& after = {}) {
  const std::uint32_t groups = problem.groups();
  for (std::uint32_t k = 0; k < groups; ++k) {
    const bool backward = order == GroupOrder::backward;
    const std::uint32_t group = backward ? groups - 1 - k : k;
    if (backward) for_each_chunk(problem.first_rolling_chunk, group, pool, rolling);
    if (backward) for_each_chunk(problem.first_contact_chunk, group, pool, contacts);
    for_each_chunk(problem.first_chunk, group, pool, spheres);
    if (!backward) for_each_chunk(problem.first_contact_chunk, group, pool, contacts);
    if (!backward) for_each_chunk(problem.first_rolling_chunk, group, pool, rolling);
    after(group);
  }
}

inline double largest_of(std::span<const double> numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, number);
  return largest;
}

}  // namespace scree
