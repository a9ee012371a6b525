/// Lanes of doubles, the type over which the single text of a kernel is written. Lanes<1> is the
/// scalar oracle; Lanes<4> and Lanes<8> are registers of AVX2 and AVX-512. Every operation rounds
/// alike in all of them, so results agree bit for bit.
#pragma once

#include <cmath>
#include <cstdint>

namespace scree {

template <int N>
struct LanesOf {
  typedef double type __attribute__((vector_size(N * sizeof(double))));
};
template <>
struct LanesOf<1> {
  using type = double;
};
template <int N>
using Lanes = typename LanesOf<N>::type;

template <int N>
inline Lanes<N> load(const double* p) {
  Lanes<N> v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
template <int N>
inline void store(double* p, const Lanes<N>& v) {
  __builtin_memcpy(p, &v, sizeof v);
}

template <int N>
inline Lanes<N> square_root(const Lanes<N>& v) {
  if constexpr (N == 1) {
    return std::sqrt(v);
  } else {
    Lanes<N> result;
    for (int k = 0; k < N; ++k) result[k] = __builtin_sqrt(v[k]);
    return result;
  }
}
/// Positive part: x > 0 ? x : 0.
template <int N>
inline Lanes<N> positive_part(const Lanes<N>& x) {
  return x > 0 ? x : Lanes<N>{};
}

/// Transposes in place.
template <int N>
inline void transpose(Lanes<N> (&m)[N]);

template <>
inline void transpose<1>(Lanes<1> (&)[1]) {}

template <>
inline void transpose<4>(Lanes<4> (&m)[4]) {
  const auto a = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6),
             b = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
  const auto c = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6),
             d = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
  m[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5),
  m[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  m[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7),
  m[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

template <>
inline void transpose<8>(Lanes<8> (&m)[8]) {
  Lanes<8> a[8], b[8];
  for (int k = 0; k < 8; k += 2) {  // pairs of rows
    a[k] = __builtin_shufflevector(m[k], m[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[k + 1] = __builtin_shufflevector(m[k], m[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int k = 0; k < 8; k += 4)  // fours
    for (int j = 0; j < 2; ++j) {
      b[k + j] = __builtin_shufflevector(a[k + j], a[k + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[k + j + 2] = __builtin_shufflevector(a[k + j], a[k + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int j = 0; j < 4; ++j) {  // halves
    m[j] = __builtin_shufflevector(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    m[j + 4] = __builtin_shufflevector(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

/// Transposes two groups of four rows in place: row k is in lanes [0, 4) of m[k], row k + 4 in
/// lanes [4, 8). Its own inverse.
template <int N>
inline void transpose_fours(Lanes<N> (&m)[4]) {
  Lanes<N> a[4];
  for (int k = 0; k < 4; k += 2) {
    a[k] = __builtin_shufflevector(m[k], m[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[k + 1] = __builtin_shufflevector(m[k], m[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int j = 0; j < 2; ++j) {
    m[j] = __builtin_shufflevector(a[j], a[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    m[j + 2] = __builtin_shufflevector(a[j], a[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  }
}

/// Loads N rows of four numbers as columns: row k goes to lane k of m[0] to m[3].
template <int N>
inline void load_fours(const double* const (&row)[N], Lanes<N> (&m)[4]) {
  if constexpr (N == 1) {
    for (int j = 0; j < 4; ++j) m[j] = row[0][j];
  } else if constexpr (N == 4) {
    for (int k = 0; k < 4; ++k) m[k] = load<4>(row[k]);
    transpose<4>(m);
  } else {
    for (int k = 0; k < 4; ++k)
      m[k] = __builtin_shufflevector(load<4>(row[k]), load<4>(row[k + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
    transpose_fours<N>(m);
  }
}

/// Stores columns back to rows; skips null rows.
template <int N>
inline void store_fours(double* const (&row)[N], Lanes<N> (&m)[4]) {
  if constexpr (N == 1) {
    if (row[0])
      for (int j = 0; j < 4; ++j) row[0][j] = m[j];
  } else if constexpr (N == 4) {
    transpose<4>(m);
    for (int k = 0; k < 4; ++k)
      if (row[k]) store<4>(row[k], m[k]);
  } else {
    transpose_fours<N>(m);
    for (int k = 0; k < 4; ++k) {
      if (row[k]) store<4>(row[k], __builtin_shufflevector(m[k], m[k], 0, 1, 2, 3));
      if (row[k + 4]) store<4>(row[k + 4], __builtin_shufflevector(m[k], m[k], 4, 5, 6, 7));
    }
  }
}

}  // namespace scree
