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

constexpr std::size_t kHugePage = std::size_t{1} << 21;  // [byte]
/// Pieces of this size and more come from the system and go back to it as soon as they are not
/// needed: arrays that grow would leave holes among others that nothing fits into [byte].
constexpr std::size_t kLarge = std::size_t{1} << 18;

std::size_t in_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// Whether a piece begins with a huge page: from four on, what is not in whole ones is little.
bool is_huge(std::size_t bytes) { return bytes >= 4 * kHugePage; }

char* mapped(std::size_t bytes) {
  void* p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(p);
}

/// Whole pages; if they are to begin with a huge one, what is mapped before it and behind goes
/// back.
void* map(std::size_t bytes) {
  const std::size_t size = in_pages(bytes);
  if (size < bytes) throw std::bad_alloc();
  if (!is_huge(bytes)) return mapped(size);
  char* const first = mapped(size + kHugePage);
  const std::size_t before =
      (kHugePage - reinterpret_cast<std::uintptr_t>(first) % kHugePage) % kHugePage;
  char* const p = first + before;
  if (before > 0) ::munmap(first, before);
  if (before < kHugePage) ::munmap(p + size, kHugePage - before);
  // Advice only: a kernel that does not follow it changes nothing.
  ::madvise(p, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  return p;
}

void* take(std::size_t bytes) {
  return bytes >= kLarge ? map(bytes) : ::operator new (bytes, std::align_val_t{kCacheLine});
}
void release(void* p, std::size_t bytes) noexcept {
  if (bytes >= kLarge)
    ::munmap(p, in_pages(bytes));
  else
    ::operator delete (p, std::align_val_t{kCacheLine});
}

#else

void* take(std::size_t bytes) { return ::operator new (bytes, std::align_val_t{kCacheLine}); }
void release(void* p, std::size_t) noexcept { ::operator delete (p, std::align_val_t{kCacheLine}); }

#endif

/// Pieces that somebody keeps.
class KeptPieces {
 public:
  void keep(const void* piece) {
    const std::lock_guard lock(mutex_);
    ++pieces_[piece].keepers;
    count_ = pieces_.size();
  }

  void let_go(const void* piece) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = pieces_.find(piece);
    if (--found->second.keepers > 0) return;
    if (found->second.given_back) release(found->second.given_back, found->second.bytes);
    pieces_.erase(found);
    count_ = pieces_.size();
  }

  /// True: the owner gave it back, and the last keeper is to release it.
  bool takes(void* piece, std::size_t bytes) noexcept {
    if (count_ == 0) return false;  // no lock where nobody keeps anything
    const std::lock_guard lock(mutex_);
    const auto found = pieces_.find(piece);
    if (found == pieces_.end()) return false;
    found->second.given_back = piece;
    found->second.bytes = bytes;
    return true;
  }

 private:
  struct Piece {
    std::size_t keepers = 0;
    void* given_back = nullptr;  ///< null while the owner has it
    std::size_t bytes = 0;
  };
  std::mutex mutex_;
  std::map<const void*, Piece> pieces_;
  std::atomic<std::size_t> count_ = 0;
};

/// Never destroyed: views may end after all else has.
KeptPieces& kept() {
  static KeptPieces& pieces = *new KeptPieces;
  return pieces;
}

}  // namespace

void* allocate_aligned(std::size_t bytes) { return take(bytes); }

void deallocate_aligned(void* p, std::size_t bytes) noexcept {
  if (!kept().takes(p, bytes)) release(p, bytes);
}

KeptMemory::KeptMemory(const void* piece) : piece_(piece) { kept().keep(piece); }
KeptMemory::~KeptMemory() { kept().let_go(piece_); }

}  // namespace scree
