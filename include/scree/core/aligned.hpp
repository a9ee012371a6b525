/// Arrays aligned to cache lines, for every per-body and per-contact field.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace scree {

inline constexpr std::size_t kCacheLine = 64;  ///< [byte]

/// Memory aligned to a cache line. On Linux, allocations of 256 kB and more get pages of their own.
/// Such pages return to the system at once and leave no holes. From 8 MB on they are huge pages
/// where the kernel grants them: gathers over many small pages are limited by address translation.
/// Throws std::bad_alloc.
void* allocate_aligned(std::size_t bytes);
void deallocate_aligned(void* p, std::size_t bytes) noexcept;

/// Allocator that aligns to a cache line, the width of the widest SIMD register.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) { return static_cast<T*>(allocate_aligned(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) noexcept { deallocate_aligned(p, n * sizeof(T)); }
  bool operator==(const CacheLineAllocator&) const = default;
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace scree
