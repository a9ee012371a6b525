// Included once for each instruction set, with SCREE_LANES set.
#include <limits>

#include "geometry/kernels/farthest.hpp"
#include "scree/math/vec3_lanes.hpp"

namespace scree::kernels {
namespace {

constexpr int N = SCREE_LANES;
using Pack = Lanes<N>;

/// The greatest of values that come a block at a time. First the value, then its place: to carry
/// places along would make each value wait for the one before.
class Highest {
 public:
  static constexpr std::size_t kPacks = 8;
  static constexpr std::size_t kBlock = kPacks * N;

  /// Of values from place `first` on.
  void take(const Pack (&value)[kPacks], std::size_t packs, std::size_t first) {
    Pack most = Pack{} - std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < packs; ++p) most = value[p] > most ? value[p] : most;
    const double top = greatest_lane<N>(most);
    if (!(top > most_)) return;
    most_ = top;
    std::uint64_t is_top = 0;
    for (std::size_t p = 0; p < packs; ++p)
      is_top |= std::uint64_t{lane_bits<N>(value[p] == top)} << p * N;
    place_ = first + static_cast<std::size_t>(__builtin_ctzll(is_top));
  }
  std::uint32_t place() const { return static_cast<std::uint32_t>(place_); }

 private:
  double most_ = -std::numeric_limits<double>::infinity();
  std::size_t place_ = 0;
};

/// Gives `value(k)`, of places from k on, for all places below `count`, block by block.
template <class Value>
std::uint32_t place_of_highest(std::size_t count, const Value& value) {
  Highest highest;
  for (std::size_t first = 0; first < count; first += Highest::kBlock) {
    Pack values[Highest::kPacks];
    std::size_t packs = 0;
    for (; packs < Highest::kPacks && first + packs * N < count; ++packs)
      values[packs] = value(first + packs * N);
    highest.take(values, packs, first);
  }
  return highest.place();
}

std::uint32_t farthest(std::span<const double> columns, const Vec3& direction) {
  const std::size_t count = columns.size() / 3;
  const double *x = columns.data(), *y = x + count, *z = y + count;
  const Vec3 n = direction;
  return place_of_highest(count, [=](std::size_t k) {
    return load<N>(x + k) * n.x + load<N>(y + k) * n.y + load<N>(z + k) * n.z;
  });
}

std::uint32_t heights(std::span<const double> columns, std::span<const double> offsets,
                      const Vec3& direction, double scale, std::span<double> heights) {
  const std::size_t count = columns.size() / 3;
  const double *x = columns.data(), *y = x + count, *z = y + count, *offset = offsets.data();
  const Vec3 n = direction;
  double* out = heights.data();
  return place_of_highest(count, [=](std::size_t k) {
    const Pack height = load<N>(x + k) * n.x + load<N>(y + k) * n.y + load<N>(z + k) * n.z -
                        load<N>(offset + k) * scale;
    store<N>(out + k, height);
    return height;
  });
}

}  // namespace
}  // namespace scree::kernels
