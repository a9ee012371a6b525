/// Room for a fixed number of items, none of which is set.
#pragma once

#include <cstddef>
#include <type_traits>

namespace scree {

/// As std::array, but for items that set themselves to zero: where few of many places are used, the
/// zeros would cost more than the use. To read a place before it is written is undefined.
template <class T, std::size_t N>
class UnsetArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  T* data() { return reinterpret_cast<T*>(bytes_); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_); }
  T& operator[](std::size_t k) { return data()[k]; }
  const T& operator[](std::size_t k) const { return data()[k]; }

 private:
  alignas(T) std::byte bytes_[N * sizeof(T)];
};

}  // namespace scree
