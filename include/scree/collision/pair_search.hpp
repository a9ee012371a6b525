/// Broad phase: finds overlapping search spheres, by a hierarchical grid with one level per octave
/// of size.
///
/// In a periodic domain the cells hold bodies at home, and a body near the border also searches
/// from its other images.
///
/// Bodies are sorted by (level, Morton code of the cell), so a cell is a contiguous run of bodies,
/// near its neighbours in memory. A hash table finds cells: space needs no bounds, and empty space
/// costs nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/core/radix_sort.hpp"
#include "scree/core/threads.hpp"
#include "scree/geometry/domain.hpp"

namespace scree {

/// Two bodies that may touch; lists of pairs are grouped by owner.
struct BodyPair {
  BodyIndex owner, other;
};

class PairSearch {
 public:
  using Pair = BodyPair;

  explicit PairSearch(const Domain& domain) : domain_(domain) {}

  /// Order of bodies by cell: entry k is the index of the k-th body. `reach` [m] is the radius of
  /// the search sphere about its position [m], finite and positive.
  std::span<const SortItem> order(std::span<const Vec3> position, std::span<const double> reach);

  /// Finds all pairs whose search spheres overlap, each once. Bodies must be stored in the order
  /// that order() returned. Pairs are grouped by owner, the body of the finer level or the first of
  /// the two. `more(owner, add)` adds pairs with obstacles. `first` gets the start of each owner's
  /// pairs, and the end.
  void find(std::span<const Vec3> position, std::span<const double> reach,
            FunctionRef<void(BodyIndex owner, std::vector<Pair>& pairs)> more,
            AlignedVector<Pair>& pairs, AlignedVector<std::uint32_t>& first, ThreadPool& pool);

 private:
  struct Coordinates {
    std::int32_t x, y, z;
  };
  struct Cell {
    std::uint64_t key;  ///< level, then the interleaved bits of x, y and z
    BodyIndex begin, end;
  };

  Coordinates coordinates(std::uint32_t level, const Vec3& p) const;
  double cell_size(std::uint32_t level) const;
  const Cell* find_cell(std::uint64_t key) const;
  void make_cells(std::size_t bodies);
  /// Search spheres, by body index.
  struct Spheres {
    std::span<const Vec3> position;  ///< [m]
    std::span<const double> reach;   ///< [m]
  };
  /// Image of a body, `shift` periods from home.
  struct Image {
    BodyIndex body;
    Vec3 position, shift;  ///< [m], [-]
  };
  /// True if the spheres overlap and this image is the one that the other body meets.
  bool overlap(const Spheres& spheres, const Image& owner, BodyIndex other) const;
  void pairs_of_cell(const Cell& cell, const Spheres& spheres,
                     FunctionRef<void(BodyIndex, std::vector<Pair>&)> more, std::vector<Pair>& out,
                     std::span<std::uint32_t> count) const;
  void pairs_with_level(std::uint32_t level, const Image& owner, const Spheres& spheres,
                        std::vector<Pair>& out) const;
  /// Adds pairs across the periodic border: with bodies of coarser levels, and with later bodies of
  /// its own level.
  void pairs_of_images(std::uint32_t level, BodyIndex owner, const Spheres& spheres,
                       std::vector<Pair>& out) const;

  Domain domain_;

  Vec3 origin_;
  double finest_ = 1;         ///< cell size of level 0 [m]
  std::uint32_t levels_ = 0;  ///< bit l set: level l has bodies
  AlignedVector<SortItem> items_;
  AlignedVector<Cell> cells_;
  AlignedVector<std::uint32_t> table_;  ///< open addressing: index of a cell + 1, 0 empty
  int table_bits_ = 0;                  ///< log2 of its size
};

}  // namespace scree
