/// How densely space is filled about each body: the solid fraction of a cell eight of the largest
/// radii wide. Coarse, and cheap: one pass over the bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

class LocalSolidFraction {
 public:
  /// Does not depend on the order of bodies. Positions that are no numbers count nowhere.
  LocalSolidFraction(std::span<const Vec3> position, std::span<const double> radius);

  /// Solid fraction about a place where a body stands [-], > 0.
  double about(const Vec3& position) const;

 private:
  struct Cell {
    std::uint64_t key = kEmpty;
    std::uint64_t volume = 0;  ///< of a cell's volume, in 2⁻⁴⁰: whole numbers, whose sum is exact
  };
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  std::uint64_t key_of(const Vec3& position) const;
  std::size_t place_of(std::uint64_t key) const;

  double cells_per_metre_ = 1;
  int bits_ = 1;
  std::vector<Cell> cells_;  ///< open addressing
};

}  // namespace scree
