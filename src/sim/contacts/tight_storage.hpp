/// Reserves capacity of arrays that persist from step to step.
#pragma once

#include <cstddef>

namespace scree {

/// Reserves n without the doubling of push_back: capacity grows by a 64th.
template <class Vector>
void reserve_tightly(Vector& v, std::size_t n) {
  if (n > v.capacity()) v.reserve(n + n / 64);
}
template <class Vector>
void resize_tightly(Vector& v, std::size_t n) {
  reserve_tightly(v, n);
  v.resize(n);
}
/// The same for arrays that each step refills: frees the old storage first, so that both never
/// exist together.
template <class Vector>
void resize_anew(Vector& v, std::size_t n) {
  if (n > v.capacity()) Vector().swap(v);
  resize_tightly(v, n);
}
/// Reserves n where many short arrays grow: by an eighth, to avoid frequent growth.
template <class Vector>
void reserve_for_growth(Vector& v, std::size_t n) {
  if (n > v.capacity()) v.reserve(n + n / 8 + 8);
}

}  // namespace scree
