/// Prefetches memory for stages with scattered access. Always inline: GCC treats a function that
/// only prefetches as one without effects, and drops the call.
#pragma once

#include "sim/step_context.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

class LookAhead {
 public:
  explicit LookAhead(const StepContext& c) : c_(c), s_(c.scratch) {}

  /// Prefetches for the assembly of pairs with contact blocks, some pairs after `index` in
  /// Scratch::order: they are sorted by groups, and scattered in memory.
  [[gnu::always_inline]] inline void from_assembled(std::size_t index) const {
    if (const Scratch::FullPair* pair = at(index + kAssembledPairsAhead)) __builtin_prefetch(pair);
    if (const Scratch::FullPair* pair = at(index + kAssembledContactsAhead)) {
      __builtin_prefetch(&list().pairs[pair->pair]);
      first_place(*pair);
      points(*pair, index + kAssembledContactsAhead);
    }
    if (const Scratch::FullPair* pair = at(index + kAssembledBodiesAhead)) {
      const auto [owner, other] = list().pairs[pair->pair];
      body(owner);
      if (!(other & Neighbours::kObstacle)) body(other);
      memory(*pair);
    }
  }

  /// Prefetches for the memories of such pairs after the step.
  [[gnu::always_inline]] inline void from_kept(std::size_t index) const {
    if (const Scratch::FullPair* pair = at(index + kStoredPairsAhead)) __builtin_prefetch(pair);
    if (const Scratch::FullPair* pair = at(index + kStoredContactsAhead)) {
      first_place(*pair);
      points(*pair, index + kStoredContactsAhead);
    }
    if (const Scratch::FullPair* pair = at(index + kStoredMemoriesAhead)) memory(*pair);
  }

  /// Prefetches a body for a look at its pairs.
  [[gnu::always_inline]] inline void body(BodyIndex i) const {
    const Bodies& bodies = c_.state.bodies;
    __builtin_prefetch(&bodies.id[i]);
    __builtin_prefetch(&bodies.position[i]);
    __builtin_prefetch(&bodies.orientation[i]);
    __builtin_prefetch(&bodies.radius[i]);
    __builtin_prefetch(&bodies.prototype[i]);
    __builtin_prefetch(&bodies.material[i]);
    __builtin_prefetch(&s_.problem.bodies[i]);
  }

 private:
  const Neighbours& list() const { return c_.state.neighbours; }
  const Scratch::FullPair* at(std::size_t index) const {
    return index < s_.order.size() ? &s_.full_pair(s_.order[index]) : nullptr;
  }
  [[gnu::always_inline]] inline void first_place(const Scratch::FullPair& pair) const {
    if (!list().first_place.empty()) __builtin_prefetch(&list().first_place[pair.pair]);
  }
  [[gnu::always_inline]] inline void points(const Scratch::FullPair& pair,
                                            std::size_t index) const {
    const FullPoints& found = s_.points_with(s_.order[index]);
    for (std::uint32_t k = 0; k < pair.count; ++k) __builtin_prefetch(&found[pair.first + k]);
  }
  [[gnu::always_inline]] inline void memory(const Scratch::FullPair& pair) const {
    const std::size_t first = list().places(pair.pair).begin;
    if (!list().feature.empty()) __builtin_prefetch(list().feature.data() + first);
    for (std::uint32_t k = 0; k < pair.count; k += 2)
      __builtin_prefetch(list().impulse.data() + first + k);
  }

  const StepContext& c_;
  const Scratch& s_;
};

}  // namespace scree
