/// Thread pool on an arena of TBB, annotated for ThreadSanitizer.
#include "scree/core/threads.hpp"

#include <algorithm>
#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

// ThreadSanitizer does not see into Debian's libtbb. These annotations state TBB's guarantees:
// everything before a loop happens before its chunks, and the chunks before everything after it.
// Without them ThreadSanitizer would report every result of a chunk, or have to ignore all code
// that runs under TBB. NOLINTBEGIN(bugprone-reserved-identifier): the names are ThreadSanitizer's
#ifdef SCREE_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#else
static inline void __tsan_acquire(void*) {}
static inline void __tsan_release(void*) {}
#endif
// NOLINTEND(bugprone-reserved-identifier)

namespace scree {

struct ThreadPool::Arena {
  tbb::task_arena arena;
};

ThreadPool::ThreadPool(int threads, InstructionSet instructions)
    : threads_(std::max(1, threads)), instruction_set_(instructions) {
  // TBB starts no more threads than there are cores, and would print a warning to standard error.
  if (threads_ > 1)
    arena_ = std::make_unique<Arena>(
        Arena{tbb::task_arena(std::min(threads_, tbb::info::default_concurrency()))});
}
ThreadPool::~ThreadPool() = default;
ThreadPool::ThreadPool(ThreadPool&&) noexcept = default;
ThreadPool& ThreadPool::operator=(ThreadPool&&) noexcept = default;

void ThreadPool::run(FunctionRef<void()> f) {
  if (threads_ == 1) return f();
  __tsan_release(this);
  arena_->arena.execute([&] {
    __tsan_acquire(this);
    f();
    __tsan_release(this);
  });
  __tsan_acquire(this);
}

void ThreadPool::for_each_chunk(std::size_t count, FunctionRef<void(std::size_t)> f) {
  if (threads_ == 1 || count <= 1) {
    for (std::size_t chunk = 0; chunk < count; ++chunk) f(chunk);
    return;
  }
  char begun = 0, done = 0;  // their addresses identify the two ends of the loop
  __tsan_release(&begun);
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count),
        [&](const tbb::blocked_range<std::size_t>& range) {
          __tsan_acquire(&begun);
          for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk) f(chunk);
          __tsan_release(&done);
        },
        tbb::static_partitioner{});
  });
  __tsan_acquire(&done);
}

}  // namespace scree
