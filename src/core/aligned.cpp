#include "scree/core/aligned.hpp"

#include <atomic>
#include <map>
#include <mutex>

#include "scree/core/kept_memory.hpp"

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

void release(void* p, std::size_t bytes) noexcept { ::operator delete(p, alignment(bytes)); }

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

void* allocate_aligned(std::size_t bytes) {
  void* p = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
  // Advice only: a kernel that does not follow it changes nothing.
  if (bytes >= 4 * kHugePage) ::madvise(p, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
#endif
  return p;
}

void deallocate_aligned(void* p, std::size_t bytes) noexcept {
  if (!kept().takes(p, bytes)) release(p, bytes);
}

KeptMemory::KeptMemory(const void* piece) : piece_(piece) { kept().keep(piece); }
KeptMemory::~KeptMemory() { kept().let_go(piece_); }

}  // namespace scree
