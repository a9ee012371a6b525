/// Pairs of a subset of bodies with all bodies, where a full search would cost too much.
///
/// The subset is put into a grid of hashed cells, each body into every cell that its search sphere
/// touches. All bodies then look into the cells that their spheres touch. A bit per hash prefix
/// shows most of them that there is nothing to find.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/collision/pair_search.hpp"

namespace scree {

class SubsetPairSearch {
 public:
  /// Radius of a body's search sphere [m]; negative or NaN: nothing is in reach. Called from any
  /// thread.
  using Reach = FunctionRef<double(BodyIndex)>;

  /// Finds every pair of a body in `few` (in increasing order) and another body whose search
  /// spheres about their positions [m] overlap, once; the body in `few` comes first.
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
  double cells_per_metre_ = 1;    ///< [1/m]
  std::vector<Few> few_spheres_;  ///< search spheres of the subset
  /// indices of spheres that touch too many cells, and are in none
  std::vector<std::uint32_t> large_;
  AlignedVector<SortItem> items_;        ///< the others, sorted by the hashes of their cells
  int bits_ = 1;                         ///< length of the hash prefix that is looked up
  std::vector<std::uint32_t> first_;     ///< start of each prefix in items_
  std::vector<std::uint64_t> is_there_;  ///< a bit for each prefix: there are items
};

}  // namespace scree
