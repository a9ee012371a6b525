/// Room in arrays that are kept from step to step.
#pragma once

#include <cstddef>

namespace scree {

/// Room for n without the doubling that push_back would bring: what grows, grows by a 64th.
template <class Vector>
void reserve_tightly(Vector& v, std::size_t n) {
  if (n > v.capacity()) v.reserve(n + n / 64);
}
template <class Vector>
void resize_tightly(Vector& v, std::size_t n) {
  reserve_tightly(v, n);
  v.resize(n);
}
/// The same of what is filled anew in each step: what there is goes before more is asked for, so
/// that never both are there.
template <class Vector>
void resize_anew(Vector& v, std::size_t n) {
  if (n > v.capacity()) Vector().swap(v);
  resize_tightly(v, n);
}
/// Room for n where many short arrays grow: by an eighth, or they would grow all the time.
template <class Vector>
void reserve_for_growth(Vector& v, std::size_t n) {
  if (n > v.capacity()) v.reserve(n + n / 8 + 8);
}

}  // namespace scree
