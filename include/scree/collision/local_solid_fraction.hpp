/// Local solid fraction around each body, in cells eight of the largest radii wide. Coarse and
/// cheap: one pass over the bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

class LocalSolidFraction {
 public:
  /// Sums the bodies' volumes by cell; independent of their order. Positions that are NaN are
  /// ignored.
  LocalSolidFraction(std::span<const Vec3> position, std::span<const double> radius);

  /// Solid fraction around the position of a body [-], > 0.
  double about(const Vec3& position) const;

 private:
  struct Cell {
    std::uint64_t key = kEmpty;
    std::uint64_t volume = 0;  ///< solid fraction in units of 2⁻⁴⁰: integers, so the sum is exact
  };
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  std::uint64_t key_of(const Vec3& position) const;
  std::size_t slot_of(std::uint64_t key) const;

  double cells_per_metre_ = 1;
  int bits_ = 1;
  std::vector<Cell> cells_;  ///< open addressing
};

}  // namespace scree
