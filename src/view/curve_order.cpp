/// Sorts points by their place on Morton's curve.
#include "view/curve_order.hpp"

#include <algorithm>
#include <utility>

namespace scree::view {
namespace {

constexpr double kCells = 1 << 21;  // along an axis: three times 21 bits fit in a key

/// The lowest 21 bits, each followed by two zeros.
std::uint64_t spread(std::uint64_t bits) {
  std::uint64_t result = 0;
  for (int k = 0; k < 21; ++k) result |= (bits >> k & 1) << 3 * k;
  return result;
}

std::uint64_t cell_of(double value, double low, double size) {
  return size > 0 ? static_cast<std::uint64_t>(std::min((value - low) / size, 1.0) * (kCells - 1))
                  : 0;
}

}  // namespace

std::vector<std::uint32_t> curve_order(std::span<const Vec3> points) {
  if (points.empty()) return {};
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
  keys.reserve(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis)
      key |= spread(cell_of(points[i][axis], low[axis], high[axis] - low[axis])) << axis;
    keys.emplace_back(key, i);
  }
  std::ranges::sort(keys);
  std::vector<std::uint32_t> order;
  order.reserve(points.size());
  for (const auto& key : keys) order.push_back(key.second);
  return order;
}

}  // namespace scree::view
