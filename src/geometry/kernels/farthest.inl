// Included once for each instruction set, with SCREE_LANES set.
#include <limits>

#include "geometry/kernels/farthest.hpp"
#include "scree/math/vec3_lanes.hpp"

namespace scree::kernels {
namespace {

template <int N>
LaneMask<N> comes_first(const Lanes<N>& value, const Lanes<N>& place, const Lanes<N>& than,
                        const Lanes<N>& its_place) {
  return (value > than) | ((value == than) & (place < its_place));
}
/// Of equal ones the first place.
template <int N>
double place_of_greatest(const Lanes<N>& value, const Lanes<N>& place) {
  if constexpr (N == 1) {
    return place;
  } else if constexpr (N == 2) {
    const Lanes<2> other{value[1], value[0]}, its_place{place[1], place[0]};
    return (comes_first<2>(other, its_place, value, place) ? its_place : place)[0];
  } else {
    Lanes<N / 2> values[2], places[2];
    __builtin_memcpy(values, &value, sizeof value);
    __builtin_memcpy(places, &place, sizeof place);
    const auto second = comes_first<N / 2>(values[1], places[1], values[0], places[0]);
    return place_of_greatest<N / 2>(second ? values[1] : values[0], second ? places[1] : places[0]);
  }
}

/// The greatest of values that come N at a time.
template <int N>
class Highest {
 public:
  Highest() {
    for (int lane = 0; lane < N; ++lane) set_lane<N>(index_, lane, lane);
  }
  void take(const Lanes<N>& value) {
    const LaneMask<N> is_more = value > most_;
    most_ = is_more ? value : most_;
    at_ = is_more ? index_ : at_;
    index_ = index_ + static_cast<double>(N);
  }
  std::uint32_t place() const {
    return static_cast<std::uint32_t>(place_of_greatest<N>(most_, at_));
  }

 private:
  Lanes<N> most_ = Lanes<N>{} - std::numeric_limits<double>::infinity(), at_{}, index_{};
};

std::uint32_t farthest(std::span<const double> columns, const Vec3& direction) {
  constexpr int N = SCREE_LANES;
  const std::size_t count = columns.size() / 3;
  const double *x = columns.data(), *y = x + count, *z = y + count;
  Highest<N> highest;
  for (std::size_t k = 0; k < count; k += N)
    highest.take(load<N>(x + k) * direction.x + load<N>(y + k) * direction.y +
                 load<N>(z + k) * direction.z);
  return highest.place();
}

std::uint32_t heights(std::span<const double> columns, std::span<const double> offsets,
                      const Vec3& direction, double scale, std::span<double> heights) {
  constexpr int N = SCREE_LANES;
  const std::size_t count = columns.size() / 3;
  const double *x = columns.data(), *y = x + count, *z = y + count;
  Highest<N> highest;
  for (std::size_t k = 0; k < count; k += N) {
    const Lanes<N> height = load<N>(x + k) * direction.x + load<N>(y + k) * direction.y +
                            load<N>(z + k) * direction.z - load<N>(offsets.data() + k) * scale;
    __builtin_memcpy(heights.data() + k, &height, sizeof height);
    highest.take(height);
  }
  return highest.place();
}

}  // namespace
}  // namespace scree::kernels
