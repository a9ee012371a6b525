// Vectors, symmetric blocks and masks of N lanes. Included by one translation unit per instruction
// set, which defines SCREE_LANES. Everything here has internal linkage: the linker must never merge
// a function of one instruction set with its namesake of another.
#pragma once

#include <type_traits>

#include "scree/math/vec3_lanes.hpp"

namespace scree::kernels {
namespace {

constexpr int N = SCREE_LANES;
using L = Lanes<N>;
/// One condition per lane.
using Mask = decltype(L{} < L{});

struct Lane3 {
  L x, y, z;
};
inline Lane3 operator+(const Lane3& a, const Lane3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Lane3 operator-(const Lane3& a, const Lane3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Lane3 operator*(const L& s, const Lane3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline L dot(const Lane3& a, const Lane3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Lane3 cross(const Lane3& a, const Lane3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Loads lanes [k, k + N) of eight vectors.
inline Lane3 load3(const double (&v)[3][8], int k) {
  return {load<N>(v[0] + k), load<N>(v[1] + k), load<N>(v[2] + k)};
}
inline void store3(double (&to)[3][8], int k, const Lane3& v) {
  store<N>(to[0] + k, v.x);
  store<N>(to[1] + k, v.y);
  store<N>(to[2] + k, v.z);
}

/// Projects r_t on the disc of radius μ r_n = limit. The result is zero for a tiny limit: squares
/// of such impulses underflow.
inline Lane3 in_disc(const Lane3& r_t, const L& limit) {
  const L length = square_root<N>(dot(r_t, r_t));
  const L scale = length > limit ? limit / length : L{} + 1;
  return (limit > 1e-150 ? scale : L{}) * r_t;
}

/// Symmetric 3×3 matrix in lanes.
struct LaneSym3 {
  L xx, xy, xz, yy, yz, zz;
};
inline Lane3 operator*(const LaneSym3& m, const Lane3& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

inline L absolute(const L& x) { return x < 0 ? -x : x; }
inline double lane(const L& v, int k) {
  double lanes[N];
  store<N>(lanes, v);
  return lanes[k];
}
/// a where the mask holds, else b.
inline L select(const Mask& mask, const L& a, const L& b) { return mask ? a : b; }
inline Lane3 select(const Mask& mask, const Lane3& a, const Lane3& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}
/// True if the mask holds in any lane; see any_lane.
inline bool any(const Mask& mask) { return any_lane<N>(mask); }

}  // namespace
}  // namespace scree::kernels
