/// Colours for contacts: contacts of one colour share no free body, so they may be relaxed in any order, or at once.
#pragma once

#include <cstdint>
#include <span>

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/core/radix_sort.hpp"

namespace scree {

/// Greedy colouring in the order of a hash of the contacts' keys: the colours are a function of the keys alone, not of the order
/// of storage, the number of threads, or how space is cut. A pair takes the lowest of the first 64 colours that is free at both
/// bodies, and beyond those (bodies with very many contacts) the first that neither has reached.
class Colouring {
 public:
  struct Edge {
    BodyIndex a, b;            ///< indices below `free_bodies` are free bodies; others never conflict
    std::uint64_t a_id, b_id;  ///< global ids that make the key
  };

  /// Fills `colour` (one per edge), returns how many colours there are.
  std::uint32_t operator()(std::span<const Edge> edges, std::size_t free_bodies, std::span<std::uint32_t> colour);

 private:
  AlignedVector<SortItem> order_, buffer_;
  AlignedVector<std::uint64_t> used_;  ///< per body: which of the first 64 colours are taken
  AlignedVector<std::uint32_t> next_;  ///< per body: first colour beyond them that is free
};

/// Hash of a contact's key.
std::uint64_t contact_hash(std::uint64_t a_id, std::uint64_t b_id);

}  // namespace scree
