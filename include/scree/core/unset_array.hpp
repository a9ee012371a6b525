/// Array of uninitialised items.
#pragma once

#include <cstddef>
#include <type_traits>

namespace scree {

/// Like std::array, without initialising items that would set themselves to zero. Useful where few
/// of many items are used, since clearing would cost more than the use. Reading an item before
/// writing it is undefined.
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
