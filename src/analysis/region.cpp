/// Regions and grids of cells.
#include "scree/analysis/region.hpp"

#include <algorithm>
#include <limits>

#include "scree/core/decimal.hpp"
#include "scree/core/infinity.hpp"

namespace scree {

Region bounding_region(std::span<const Vec3> position) {
  Region box{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (const Vec3& p : position) {
    if (!is_finite(p)) continue;
    for (int k = 0; k < 3; ++k) {
      box.min[k] = std::min(box.min[k], p[k]);
      box.max[k] = std::max(box.max[k], p[k]);
    }
  }
  if (!(box.min.x <= box.max.x)) return {};
  // The upper faces do not belong to a region, but bodies on them should.
  for (int k = 0; k < 3; ++k) box.max[k] = std::nextafter(box.max[k], kInfinity);
  return box;
}

std::array<std::uint32_t, 2> Grid::range(int axis, double low, double high) const {
  const auto last = cells[static_cast<std::size_t>(axis)] - 1;
  const double per_metre = (last + 1.0) / region.extent()[axis];
  const auto at = [&](double x) {
    const double cell = (x - region.min[axis]) * per_metre;
    return cell > 0 ? static_cast<std::uint32_t>(std::min<double>(cell, last)) : 0U;
  };
  return {at(low), at(high)};
}

std::size_t Grid::cell_of(const Vec3& p) const {
  return index({range(0, p.x, p.x)[0], range(1, p.y, p.y)[0], range(2, p.z, p.z)[0]});
}

Vec3 Grid::centre(std::size_t index) const {
  const auto at = place_of(index);
  Vec3 centre;
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    centre[k] = decimal_mean(2 * (cells[axis] - at[axis]) - 1, region.min[k], 2 * at[axis] + 1,
                             region.max[k]);
  }
  return centre;
}

std::array<std::size_t, 3> Grid::place_of(std::size_t index) const {
  return {index / cells[2] / cells[1], index / cells[2] % cells[1], index % cells[2]};
}

Region Grid::cell(std::size_t index) const {
  const auto at = place_of(index);
  Region cell;
  const Vec3 extent = region.extent();
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const auto edge = [&](std::size_t i) {
      return i == cells[axis] ? region.max[k]
                              : region.min[k] + extent[k] * static_cast<double>(i) / cells[axis];
    };
    cell.min[k] = edge(at[axis]);
    cell.max[k] = edge(at[axis] + 1);
  }
  return cell;
}

}  // namespace scree
