#include "scree/core/aligned.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace scree {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;  // [byte]

/// From four huge pages on, what rounding to whole ones wastes is small.
std::align_val_t alignment(std::size_t bytes) {
  return std::align_val_t{bytes >= 4 * kHugePage ? kHugePage : kCacheLine};
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  void* p = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
  // Advice only: a kernel that does not follow it changes nothing.
  if (bytes >= 4 * kHugePage) ::madvise(p, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return p;
}

void deallocate_aligned(void* p, std::size_t bytes) noexcept {
  ::operator delete(p, alignment(bytes));
}

}  // namespace scree
