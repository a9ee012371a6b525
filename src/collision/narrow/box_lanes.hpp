/// Vertices and edges of a box two at a time, without branches: which of them come out is as good
/// as random, and a processor that guesses wrong loses more than the arithmetic costs. Two lanes
/// are what every machine of 64 bits has.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "collision/narrow/rounded_box.hpp"
#include "scree/math/vec3_lanes.hpp"

namespace scree {

using Two = Lanes<2>;
using TwoVectors = Vec3Lanes<2>;
using TwoMask = LaneMask<2>;

inline Two both(double x) { return Two{x, x}; }
inline TwoVectors both(const Vec3& v) { return {both(v.x), both(v.y), both(v.z)}; }
inline TwoVectors both(const Vec3& a, const Vec3& b) {
  return {Two{a.x, b.x}, Two{a.y, b.y}, Two{a.z, b.z}};
}
/// Bit k is that of lane k.
inline std::uint32_t bits(const TwoMask& mask) {
  return static_cast<std::uint32_t>((mask[0] & 1) | (mask[1] & 2));
}
inline Two absolute(const Two& x) { return x < 0 ? -x : x; }
inline TwoVectors combination(const TwoVectors& weight, const std::array<Vec3, 3>& v) {
  return scaled<2>(both(v[0]), weight.x) + scaled<2>(both(v[1]), weight.y) +
         scaled<2>(both(v[2]), weight.z);
}
inline TwoVectors components(const TwoVectors& v, const std::array<Vec3, 3>& axes) {
  return {dot<2>(both(axes[0]), v), dot<2>(both(axes[1]), v), dot<2>(both(axes[2]), v)};
}

/// Vertices 2c and 2c + 1.
inline TwoVectors two_vertices(const Vec3& half_extent, int c) {
  return {Two{-half_extent.x, half_extent.x}, both(c & 1 ? half_extent.y : -half_extent.y),
          both(c & 2 ? half_extent.z : -half_extent.z)};
}
/// Calls of_two(c) for c from 0 to 3, which says of vertices 2c and 2c + 1 whether they belong to a
/// set by a mask.
template <class OfTwo>
VertexSet vertices_where(OfTwo of_two) {
  VertexSet set = 0;
  for (int c = 0; c < 4; ++c) set |= bits(of_two(c)) << 2 * c;
  return set;
}
/// Calls visit(v, height), by rising v, for those vertices v of a set that over_two(v, w, height)
/// says by its mask lie over something; it is asked for two at a time.
template <class OverTwo, class Visit>
void for_each_over(VertexSet set, OverTwo over_two, Visit visit) {
  for (; set != 0; set &= set - 1) {
    const int v = std::countr_zero(set);
    set &= set - 1;
    const int w = set != 0 ? std::countr_zero(set) : v;
    Two height{};
    const std::uint32_t over = bits(over_two(v, w, height));
    if (over & 1) visit(v, height[0]);
    if (w != v && (over & 2) != 0) visit(w, height[1]);
  }
}

}  // namespace scree
