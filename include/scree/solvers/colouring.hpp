/// Colours for contacts. Contacts of one colour share no free body, so they may be relaxed in any
/// order or at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/core/radix_sort.hpp"
#include "scree/core/threads.hpp"

namespace scree {

/// Greedy colouring in the order of a hash of the contacts' keys. The colours are a function of the
/// keys alone: they do not depend on storage order, threads, or how space is cut. A pair takes the
/// lowest of the first 64 colours that is free at both bodies. Beyond those (bodies with very many
/// contacts) it takes the first colour that neither body has reached.
class Colouring {
 public:
  struct Edge {
    /// Indices from `free_bodies` on are obstacles and never conflict
    BodyIndex a, b;
    std::uint64_t a_id, b_id;  ///< global ids, the key of the contact
  };

  /// Fills `colour`, one per edge, and returns the number of colours. The first `known` edges
  /// already have colours, which are respected. Memory: 6 bytes an edge and 8 a body. `edge` is
  /// called twice for each index, because only one bucket of edges is stored and sorted at a time.
  std::uint32_t operator()(FunctionRef<Edge(std::size_t)> edge, std::size_t free_bodies,
                           std::span<std::uint32_t> colour, std::size_t known = 0);

 private:
  void fill_buckets(FunctionRef<Edge(std::size_t)> edge, std::size_t edges);
  std::uint32_t choose_colour(const Edge& edge);
  void reserve(BodyIndex body, std::uint32_t colour);

  AlignedVector<std::uint16_t> bucket_;   ///< of each edge: the leading bits of its hash
  std::vector<std::uint32_t> end_;        ///< of each bucket in members_
  AlignedVector<std::uint32_t> members_;  ///< edges, by bucket
  AlignedVector<Edge> bucket_edges_;      ///< of the bucket that is being coloured
  AlignedVector<SortItem> order_, buffer_;
  AlignedVector<std::uint64_t> used_;  ///< per body: bit set of taken colours among the first 64
  /// Per body: first free colour beyond them; empty while no pair has one
  AlignedVector<std::uint32_t> next_;
};

/// Hash of a contact's key.
std::uint64_t contact_hash(std::uint64_t a_id, std::uint64_t b_id);

}  // namespace scree
