/// Pairs of a few bodies with all, where a search for every pair would cost too much.
///
/// The few are put into a grid of hashed cells, each into every cell that its sphere of reach
/// touches; all bodies then pass by and look into the cells that theirs touches. A bit a cell tells
/// most of them that there is nothing to look at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/collision/pair_search.hpp"

namespace scree {

class SubsetPairSearch {
 public:
  /// A body's sphere of reach [m]; of a negative one, and of one that is no number, nothing is in
  /// reach. Asked for by any thread.
  using Reach = FunctionRef<double(BodyIndex)>;

  /// Every pair of one of the `few`, in rising order, and another body whose spheres of reach about
  /// their positions [m] overlap, once: one of the few first.
  std::vector<BodyPair> operator()(std::span<const BodyIndex> few, std::span<const Vec3> position,
                                   Reach reach, ThreadPool& pool);

  struct Box {
    std::int64_t low[3], high[3];  ///< cells, both included
  };

 private:
  Box cells_of(const Vec3& position, double reach) const;
  void make_cells(std::span<const BodyIndex> few, std::span<const Vec3> position, Reach reach);
  void add_pairs_of(BodyIndex body, std::span<const BodyIndex> few, std::span<const Vec3> position,
                    double reach, std::vector<BodyPair>& pairs) const;
  std::size_t bit_of(std::uint64_t key) const { return key >> (64 - bits_); }

  struct Few {
    Vec3 position;
    double reach;
    Box box;
    BodyIndex body;
  };
  double cells_per_metre_ = 1;           ///< [1/m]
  std::vector<Few> spheres_;             ///< of the few
  std::vector<std::uint32_t> large_;     ///< of them, those that touch too many cells: in none
  AlignedVector<SortItem> items_;        ///< the others, by the hashes of their cells
  int bits_ = 1;                         ///< of the leading part of a hash that is looked up
  std::vector<std::uint32_t> first_;     ///< of each leading part in items_
  std::vector<std::uint64_t> is_there_;  ///< a bit for each leading part
};

}  // namespace scree
