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

std::uint32_t farthest(std::span<const double> columns, const Vec3& direction) {
  constexpr int N = SCREE_LANES;
  const std::size_t count = columns.size() / 3;
  const double *x = columns.data(), *y = x + count, *z = y + count;
  Lanes<N> most = Lanes<N>{} - std::numeric_limits<double>::infinity(), at{}, index{};
  for (int lane = 0; lane < N; ++lane) set_lane<N>(index, lane, lane);
  for (std::size_t k = 0; k < count; k += N) {
    const Lanes<N> along =
        load<N>(x + k) * direction.x + load<N>(y + k) * direction.y + load<N>(z + k) * direction.z;
    const LaneMask<N> is_more = along > most;
    most = is_more ? along : most;
    at = is_more ? index : at;
    index = index + static_cast<double>(N);
  }
  return static_cast<std::uint32_t>(place_of_greatest<N>(most, at));
}

}  // namespace
}  // namespace scree::kernels
