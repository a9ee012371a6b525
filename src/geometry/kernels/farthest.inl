// Included once for each instruction set, with SCREE_LANES defined.
#include <limits>

#include "geometry/kernels/farthest.hpp"
#include "scree/math/vec3_lanes.hpp"

namespace scree::kernels {
namespace {

constexpr int N = SCREE_LANES;
using Pack = Lanes<N>;

/// Maximum of values that come in blocks. Finds the value first, then its index: tracking indices
/// would make each value wait for the one before.
class Highest {
 public:
  static constexpr std::size_t kPacks = 8;
  static constexpr std::size_t kBlock = kPacks * N;

  /// Takes a block of values that begins at index `first`.
  void take(const Pack (&value)[kPacks], std::size_t packs, std::size_t first) {
    Pack largest = Pack{} - std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < packs; ++p) largest = value[p] > largest ? value[p] : largest;
    const double top = greatest_lane<N>(largest);
    if (!(top > largest_)) return;
    largest_ = top;
    std::uint64_t is_top = 0;
    for (std::size_t p = 0; p < packs; ++p)
      is_top |= std::uint64_t{lane_bits<N>(value[p] == top)} << p * N;
    index_ = first + static_cast<std::size_t>(__builtin_ctzll(is_top));
  }
  std::uint32_t index() const { return static_cast<std::uint32_t>(index_); }

 private:
  double largest_ = -std::numeric_limits<double>::infinity();
  std::size_t index_ = 0;
};

/// Index of the maximum of `value(k)`, which computes the pack from index k on, over all indices
/// below `count`.
template <class Value>
std::uint32_t index_of_highest(std::size_t count, const Value& value) {
  Highest highest;
  for (std::size_t first = 0; first < count; first += Highest::kBlock) {
    Pack values[Highest::kPacks];
    std::size_t packs = 0;
    for (; packs < Highest::kPacks && first + packs * N < count; ++packs)
      values[packs] = value(first + packs * N);
    highest.take(values, packs, first);
  }
  return highest.index();
}

std::uint32_t farthest(std::span<const double> columns, const Vec3& direction) {
  const std::size_t count = columns.size() / 3;
  const double *x = columns.data(), *y = x + count, *z = y + count;
  const Vec3 n = direction;
  return index_of_highest(count, [=](std::size_t k) {
    return load<N>(x + k) * n.x + load<N>(y + k) * n.y + load<N>(z + k) * n.z;
  });
}

std::uint32_t heights(std::span<const double> columns, std::span<const double> offsets,
                      const Vec3& direction, double scale, std::span<double> heights) {
  const std::size_t count = columns.size() / 3;
  const double *x = columns.data(), *y = x + count, *z = y + count, *offset = offsets.data();
  const Vec3 n = direction;
  double* out = heights.data();
  return index_of_highest(count, [=](std::size_t k) {
    const Pack height = load<N>(x + k) * n.x + load<N>(y + k) * n.y + load<N>(z + k) * n.z -
                        load<N>(offset + k) * scale;
    store<N>(out + k, height);
    return height;
  });
}

}  // namespace
}  // namespace scree::kernels
