// Transfers N rows of numbers and vectors at a time from memory to lanes and back. Included by one
// translation unit per instruction set, as lane_vectors.inl is.
#pragma once

#include "solvers/kernels/lane_vectors.inl"

namespace scree::kernels {
namespace {

using V = Vec3Lanes<N>;

/// Adds to lanes [k, k + N) of a row of sums.
inline void add(double* sum, int k, const L& v) { store<N>(sum + k, load<N>(sum + k) + v); }

/// Loads eight numbers of each row: number k to m[k].
inline void load_eights(const double* const (&row)[N], L* m) {
  for (int part = 0; part < 8; part += N) {
    L rows[N];
    for (int k = 0; k < N; ++k) rows[k] = load<N>(row[k] + part);
    transpose<N>(rows);
    for (int k = 0; k < N; ++k) m[part + k] = rows[k];
  }
}

/// Stores eight numbers of each lane in its own row; none where the pointer is null.
inline void store_rows(const L (&numbers)[8], double* const (&row)[N]) {
  for (int part = 0; part < 8; part += N) {
    L rows[N];
    for (int k = 0; k < N; ++k) rows[k] = numbers[part + k];
    transpose<N>(rows);
    for (int k = 0; k < N; ++k)
      if (row[k]) store<N>(row[k] + part, rows[k]);
  }
}

/// Loads M consecutive vectors.
template <int M>
inline Vec3Lanes<M> load_vectors(const Vec3* vectors) {
  const double* p = &vectors->x;
  if constexpr (M == 1) {
    return {p[0], p[1], p[2]};
  } else {
    const Lanes<M> r = load<M>(p), s = load<M>(p + M), t = load<M>(p + 2 * M);
    if constexpr (M == 4) {
      const Lanes<M> x = __builtin_shufflevector(r, s, 0, 3, 6, 0),
                     y = __builtin_shufflevector(r, s, 1, 4, 7, 0),
                     z = __builtin_shufflevector(r, s, 2, 5, 0, 0);
      return {__builtin_shufflevector(x, t, 0, 1, 2, 5), __builtin_shufflevector(y, t, 0, 1, 2, 6),
              __builtin_shufflevector(z, t, 0, 1, 4, 7)};
    } else {
      const Lanes<M> x = __builtin_shufflevector(r, s, 0, 3, 6, 9, 12, 15, 0, 0),
                     y = __builtin_shufflevector(r, s, 1, 4, 7, 10, 13, 0, 0, 0),
                     z = __builtin_shufflevector(r, s, 2, 5, 8, 11, 14, 0, 0, 0);
      return {__builtin_shufflevector(x, t, 0, 1, 2, 3, 4, 5, 10, 13),
              __builtin_shufflevector(y, t, 0, 1, 2, 3, 4, 8, 11, 14),
              __builtin_shufflevector(z, t, 0, 1, 2, 3, 4, 9, 12, 15)};
    }
  }
}

/// Stores M consecutive vectors.
template <int M>
inline void store_vectors(const Vec3Lanes<M>& v, Vec3* vectors) {
  double* p = &vectors->x;
  if constexpr (M == 1) {
    *vectors = {v.x, v.y, v.z};
  } else if constexpr (M == 4) {
    const Lanes<M> r = __builtin_shufflevector(v.x, v.y, 0, 4, 0, 1),
                   s = __builtin_shufflevector(v.x, v.y, 5, 0, 2, 6),
                   t = __builtin_shufflevector(v.x, v.y, 0, 3, 7, 0);
    store<M>(p, __builtin_shufflevector(r, v.z, 0, 1, 4, 3));
    store<M>(p + M, __builtin_shufflevector(s, v.z, 0, 5, 2, 3));
    store<M>(p + 2 * M, __builtin_shufflevector(t, v.z, 6, 1, 2, 7));
  } else {
    const Lanes<M> r = __builtin_shufflevector(v.x, v.y, 0, 8, 0, 1, 9, 0, 2, 10),
                   s = __builtin_shufflevector(v.x, v.y, 0, 3, 11, 0, 4, 12, 0, 5),
                   t = __builtin_shufflevector(v.x, v.y, 13, 0, 6, 14, 0, 7, 15, 0);
    store<M>(p, __builtin_shufflevector(r, v.z, 0, 1, 8, 3, 4, 9, 6, 7));
    store<M>(p + M, __builtin_shufflevector(s, v.z, 10, 1, 2, 11, 4, 5, 12, 7));
    store<M>(p + 2 * M, __builtin_shufflevector(t, v.z, 0, 13, 2, 3, 14, 5, 6, 15));
  }
}

}  // namespace
}  // namespace scree::kernels
