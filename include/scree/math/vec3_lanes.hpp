/// Vectors of ℝ³ in lanes, for kernels written over Lanes<N> (lanes.hpp). Only templates over N
/// stand here, so translation units for different instruction sets never share a function.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdint>

#include "scree/math/lanes.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

template <int N>
struct Vec3Lanes {
  Lanes<N> x{}, y{}, z{};
};

/// Result of a comparison, lane by lane.
template <int N>
using LaneMask = decltype(Lanes<N>{} < Lanes<N>{});

template <int N>
inline Vec3Lanes<N> operator+(const Vec3Lanes<N>& a, const Vec3Lanes<N>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <int N>
inline Vec3Lanes<N> operator-(const Vec3Lanes<N>& a, const Vec3Lanes<N>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <int N>
inline Vec3Lanes<N> operator-(const Vec3Lanes<N>& a) {
  return {-a.x, -a.y, -a.z};
}
/// Scales each lane of a vector by its own factor.
template <int N>
inline Vec3Lanes<N> scaled(const Vec3Lanes<N>& a, const Lanes<N>& s) {
  return {s * a.x, s * a.y, s * a.z};
}
template <int N>
inline Lanes<N> dot(const Vec3Lanes<N>& a, const Vec3Lanes<N>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <int N>
inline Vec3Lanes<N> cross(const Vec3Lanes<N>& a, const Vec3Lanes<N>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <int N>
inline Lanes<N> norm(const Vec3Lanes<N>& a) {
  return square_root<N>(dot<N>(a, a));
}
/// Component of a orthogonal to the unit vector n.
template <int N>
inline Vec3Lanes<N> tangential(const Vec3Lanes<N>& a, const Vec3Lanes<N>& n) {
  return a - scaled<N>(n, dot<N>(a, n));
}
/// Selects a where the mask is true, else b.
template <int N>
inline Vec3Lanes<N> select(const LaneMask<N>& mask, const Vec3Lanes<N>& a, const Vec3Lanes<N>& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}

template <int N>
inline double lane_of(const Lanes<N>& v, int k) {
  if constexpr (N == 1)
    return v;
  else
    return v[k];
}
template <int N>
inline void set_lane(Lanes<N>& v, int k, double value) {
  if constexpr (N == 1)
    v = value;
  else
    v[k] = value;
}
template <int N>
inline Vec3 lane_of(const Vec3Lanes<N>& v, int k) {
  return {lane_of<N>(v.x, k), lane_of<N>(v.y, k), lane_of<N>(v.z, k)};
}
template <int N>
inline void set_lane(Vec3Lanes<N>& v, int k, const Vec3& value) {
  set_lane<N>(v.x, k, value.x);
  set_lane<N>(v.y, k, value.y);
  set_lane<N>(v.z, k, value.z);
}

/// Bit mask: bit k is set if the mask is true in lane k.
template <int N>
inline std::uint32_t lane_bits(const LaneMask<N>& mask) {
  if constexpr (N == 1) {
    return mask ? 1 : 0;
  } else {
#if defined(__AVX512DQ__)
    if constexpr (N == 8) return _mm512_movepi64_mask(__m512i(mask));
#endif
#if defined(__AVX2__)
    if constexpr (N == 4) return static_cast<std::uint32_t>(_mm256_movemask_pd(__m256d(mask)));
#endif
    std::uint32_t bits = 0;
    for (int k = 0; k < N; ++k) bits |= static_cast<std::uint32_t>(mask[k]) & 1U << k;
    return bits;
  }
}
/// Maximum of all lanes, none of which may be NaN.
template <int N>
inline double greatest_lane(const Lanes<N>& v) {
  if constexpr (N == 1) {
    return v;
  } else if constexpr (N == 2) {
    return v[1] > v[0] ? v[1] : v[0];
  } else {
    Lanes<N / 2> half[2];
    __builtin_memcpy(half, &v, sizeof v);
    return greatest_lane<N / 2>(half[1] > half[0] ? half[1] : half[0]);
  }
}

/// True if the mask is true in any lane. It may decide what is computed, never the value of a
/// result.
template <int N>
inline bool any_lane(const LaneMask<N>& mask) {
  if constexpr (N == 1) {
    return mask;
  } else {
#if defined(__AVX512DQ__)
    if constexpr (N == 8) return _mm512_movepi64_mask(__m512i(mask)) != 0;
#endif
#if defined(__AVX2__)
    if constexpr (N == 4) return _mm256_movemask_pd(__m256d(mask)) != 0;
#endif
    std::int64_t bits = 0;
    for (int k = 0; k < N; ++k) bits |= mask[k];
    return bits != 0;
  }
}

}  // namespace scree
