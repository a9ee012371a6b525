/// Broad phase: which spheres of reach overlap. Hierarchical grid, one level per octave of size.
///
/// Where space repeats, the cells hold bodies at home, and near the border a body looks from its
/// other images, too.
///
/// Bodies are sorted by (level, Morton code of the cell), so a cell is a run of bodies, near in
/// memory to its neighbours. Cells are found through a hash table: space needs no bounds, and empty
/// space costs nothing.
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

/// Two bodies that may touch; the list of pairs is grouped by owner.
struct BodyPair {
  BodyIndex owner, other;
};

class PairSearch {
 public:
  using Pair = BodyPair;

  explicit PairSearch(const Domain& domain) : domain_(domain) {}

  /// The order of bodies by cell: entry k is the index of the body that comes k-th. `reach` [m] is
  /// a sphere's radius about its position [m], finite and positive.
  std::span<const SortItem> order(std::span<const Vec3> position, std::span<const double> reach);

  /// All pairs whose spheres of reach overlap, each once, for bodies that stand in the order that
  /// order() asked for; grouped by owner, which is of the finer level or comes first. Extra pairs
  /// of a body come from `more(owner, add)`, for obstacles. `first` gets the start of each owner's
  /// pairs, and the end.
  void find(std::span<const Vec3> position, std::span<const double> reach,
            FunctionRef<void(BodyIndex owner, std::vector<Pair>& pairs)> more,
            AlignedVector<Pair>& pairs, AlignedVector<std::uint32_t>& first, ThreadPool& pool);

 private:
  struct Coordinates {
    std::int32_t x, y, z;
  };
  struct Cell {
    std::uint64_t key;  ///< level, then the bits of x, y and z in turn
    BodyIndex begin, end;
  };

  Coordinates coordinates(std::uint32_t level, const Vec3& p) const;
  double cell_size(std::uint32_t level) const;
  const Cell* find_cell(std::uint64_t key) const;
  void make_cells(std::size_t bodies);
  /// Of bodies, by index.
  struct Spheres {
    std::span<const Vec3> position;  ///< [m]
    std::span<const double> reach;   ///< [m]
  };
  /// An image of a body, `shift` periods from home.
  struct Image {
    BodyIndex body;
    Vec3 place, shift;  ///< [m], [-]
  };
  /// Whether the spheres overlap, and the image is the one that the other meets.
  bool overlap(const Spheres& spheres, const Image& owner, BodyIndex other) const;
  void pairs_of_cell(const Cell& cell, const Spheres& spheres,
                     FunctionRef<void(BodyIndex, std::vector<Pair>&)> more, std::vector<Pair>& out,
                     std::span<std::uint32_t> count) const;
  void pairs_with_level(std::uint32_t level, const Image& owner, const Spheres& spheres,
                        std::vector<Pair>& out) const;
  /// Across the border: with bodies of coarser levels, and those of its own that come later.
  void pairs_of_images(std::uint32_t level, BodyIndex owner, const Spheres& spheres,
                       std::vector<Pair>& out) const;

  Domain domain_;

  Vec3 origin_;
  double finest_ = 1;         ///< cell size of level 0 [m]
  std::uint32_t levels_ = 0;  ///< bit l set: level l has bodies
  AlignedVector<SortItem> items_;
  AlignedVector<Cell> cells_;
  AlignedVector<std::uint32_t> table_;  ///< open addressing: index of a cell + 1, 0 empty
  int table_bits_ = 0;                  ///< of its size
};

}  // namespace scree
