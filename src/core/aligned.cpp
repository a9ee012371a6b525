/// Aligned allocation by pages and huge pages, and the registry of memory that views keep alive.
#include "scree/core/aligned.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

#include "scree/core/kept_memory.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace scree {
namespace {

#if defined(__linux__)

constexpr std::size_t kHugePageBytes = std::size_t{1} << 21;
/// Minimum size of an allocation by mmap [byte]. Such memory returns to the system as soon as it is
/// freed; growing arrays on the heap would leave holes that nothing fits into.
constexpr std::size_t kMinMappedBytes = std::size_t{1} << 18;

std::size_t in_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// True if an allocation uses huge pages: with four or more, the remainder beyond whole pages is
/// small.
bool is_huge(std::size_t bytes) { return bytes >= 4 * kHugePageBytes; }

char* mapped(std::size_t bytes) {
  void* p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(p);
}

/// Maps whole pages. For huge pages it maps one huge page more, and unmaps what lies before and
/// after the aligned range.
void* map(std::size_t bytes) {
  const std::size_t size = in_pages(bytes);
  if (size < bytes) throw std::bad_alloc();
  if (!is_huge(bytes)) return mapped(size);
  char* const first = mapped(size + kHugePageBytes);
  const std::size_t before =
      (kHugePageBytes - reinterpret_cast<std::uintptr_t>(first) % kHugePageBytes) % kHugePageBytes;
  char* const p = first + before;
  if (before > 0) ::munmap(first, before);
  if (before < kHugePageBytes) ::munmap(p + size, kHugePageBytes - before);
  // Advice only: a kernel may ignore it.
  ::madvise(p, bytes / kHugePageBytes * kHugePageBytes, MADV_HUGEPAGE);
  return p;
}

void* take(std::size_t bytes) {
  return bytes >= kMinMappedBytes ? map(bytes)
                                  : ::operator new (bytes, std::align_val_t{kCacheLine});
}
void release(void* p, std::size_t bytes) noexcept {
  if (bytes >= kMinMappedBytes)
    ::munmap(p, in_pages(bytes));
  else
    ::operator delete (p, std::align_val_t{kCacheLine});
}

#else

void* take(std::size_t bytes) { return ::operator new (bytes, std::align_val_t{kCacheLine}); }
void release(void* p, std::size_t) noexcept { ::operator delete (p, std::align_val_t{kCacheLine}); }

#endif

/// Registry of allocations that a KeptMemory keeps alive.
class KeptBlocks {
 public:
  void keep(const void* block) {
    const std::lock_guard lock(mutex_);
    ++blocks_[block].keepers;
    count_ = blocks_.size();
  }

  void release_keeper(const void* block) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(block);
    if (--found->second.keepers > 0) return;
    if (found->second.freed) release(found->second.freed, found->second.bytes);
    blocks_.erase(found);
    count_ = blocks_.size();
  }

  /// Takes over an allocation that its owner frees; true if someone keeps it, and the last keeper
  /// will release it.
  bool take_over(void* block, std::size_t bytes) noexcept {
    if (count_ == 0) return false;  // fast path without lock
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return false;
    found->second.freed = block;
    found->second.bytes = bytes;
    return true;
  }

 private:
  struct Entry {
    std::size_t keepers = 0;
    void* freed = nullptr;  ///< null until the owner frees it
    std::size_t bytes = 0;
  };
  std::mutex mutex_;
  std::map<const void*, Entry> blocks_;
  std::atomic<std::size_t> count_ = 0;
};

/// Global registry, never destroyed: views may outlive all static objects.
KeptBlocks& kept_blocks() {
  static KeptBlocks& registry = *new KeptBlocks;
  return registry;
}

}  // namespace

void* allocate_aligned(std::size_t bytes) { return take(bytes); }

void deallocate_aligned(void* p, std::size_t bytes) noexcept {
  if (!kept_blocks().take_over(p, bytes)) release(p, bytes);
}

KeptMemory::KeptMemory(const void* block) : block_(block) { kept_blocks().keep(block); }
KeptMemory::~KeptMemory() { kept_blocks().release_keeper(block_); }

}  // namespace scree
