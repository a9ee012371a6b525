/// Cache-line aligned arrays: what every per-body and per-contact field is stored in.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace scree {

inline constexpr std::size_t kCacheLine = 64;  ///< [byte]

/// Allocator that aligns to a cache line, which is also the width of the widest SIMD register.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{kCacheLine})); }
  void deallocate(T* p, std::size_t n) noexcept { ::operator delete (p, n * sizeof(T), std::align_val_t{kCacheLine}); }
  bool operator==(const CacheLineAllocator&) const = default;
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace scree
