#include "scree/collision/local_solid_fraction.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace scree {
namespace {

constexpr double kCellRadii = 8;
constexpr double kVolumeUnit = 0x1p40;

}  // namespace

LocalSolidFraction::LocalSolidFraction(std::span<const Vec3> position,
                                       std::span<const double> radius) {
  double largest = 0;
  for (const double r : radius) largest = std::max(largest, r);
  cells_per_metre_ = std::min(1 / (kCellRadii * largest), 1e300);
  bits_ = static_cast<int>(std::bit_width(2 * position.size() + 1));
  cells_.resize(std::size_t{1} << bits_);
  constexpr double kSphere = 4 * std::numbers::pi / 3;
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (!is_finite(position[i])) continue;
    const std::uint64_t key = key_of(position[i]);
    Cell& cell = cells_[slot_of(key)];
    cell.key = key;
    const double size = cells_per_metre_ * radius[i];
    cell.volume += 1 + static_cast<std::uint64_t>(kVolumeUnit * kSphere * size * size * size);
  }
}

double LocalSolidFraction::about(const Vec3& position) const {
  return static_cast<double>(cells_[slot_of(key_of(position))].volume) / kVolumeUnit;
}

/// Key of the cell at a position. Cells 2²¹ apart share a key; they only seem more crowded.
std::uint64_t LocalSolidFraction::key_of(const Vec3& position) const {
  constexpr double kMaxCell = 1e15;
  constexpr std::uint64_t kBits = (1 << 21) - 1;
  std::uint64_t key = 0;
  for (int k = 0; k < 3; ++k) {
    const double cell = std::floor(std::clamp(cells_per_metre_ * position[k], -kMaxCell, kMaxCell));
    key = key << 21 | (static_cast<std::uint64_t>(static_cast<std::int64_t>(cell)) & kBits);
  }
  return key;
}

std::size_t LocalSolidFraction::slot_of(std::uint64_t key) const {
  std::size_t slot = (key * 0x9e3779b97f4a7c15ULL) >> (64 - bits_);
  while (cells_[slot].key != key && cells_[slot].key != kEmpty)
    slot = (slot + 1) & (cells_.size() - 1);
  return slot;
}

}  // namespace scree
