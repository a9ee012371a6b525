#include "scree/core/threads.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace scree {

struct ThreadPool::Arena {
  tbb::task_arena arena;
};

ThreadPool::ThreadPool(int threads) : threads_(std::max(1, threads)) {
  if (threads_ > 1) arena_ = std::make_unique<Arena>(Arena{tbb::task_arena(threads_)});
}
ThreadPool::~ThreadPool() = default;
ThreadPool::ThreadPool(ThreadPool&&) noexcept = default;
ThreadPool& ThreadPool::operator=(ThreadPool&&) noexcept = default;

void ThreadPool::run(FunctionRef<void()> f) {
  if (threads_ == 1) return f();
  arena_->arena.execute([&] { f(); });
}

void ThreadPool::for_each_chunk(std::size_t count, FunctionRef<void(std::size_t)> f) {
  if (threads_ == 1 || count <= 1) {
    for (std::size_t chunk = 0; chunk < count; ++chunk) f(chunk);
    return;
  }
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk) f(chunk);
        },
        tbb::static_partitioner{});
  });
}

}  // namespace scree
