/// Threads for the stages of a step. Results do not depend on the number of threads: chunk bounds
/// are a function of the problem alone, and every sum runs over chunks in order.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "scree/core/instruction_set.hpp"
#include "scree/core/ranks.hpp"

namespace scree {

/// Reference to a callable: two words, no allocation.
template <class Signature>
class FunctionRef;
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>) FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(static_cast<Args&&>(args)...);
        }) {}
  R operator()(Args... args) const { return call_(object_, static_cast<Args&&>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

/// Threads, the instruction set of the kernels that they execute, and the ranks with which they
/// share loops.
class ThreadPool {
 public:
  /// `instructions` must be one of instruction_sets().
  explicit ThreadPool(int threads, InstructionSet instructions = widest_instruction_set());
  ~ThreadPool();
  ThreadPool(ThreadPool&&) noexcept;
  ThreadPool& operator=(ThreadPool&&) noexcept;

  int threads() const { return threads_; }
  InstructionSet instruction_set() const { return instruction_set_; }
  /// A single process, unless share_with() was called.
  Ranks& ranks() const { return *ranks_; }
  /// Shares loops with other ranks from now on, which call the same functions with this pool's.
  void share_with(Ranks& ranks) { ranks_ = &ranks; }

  /// Runs f while the pool's threads stand by, so that parallel loops inside start fast.
  void run(FunctionRef<void()> f);

  /// Calls f(chunk) for every chunk in [0, count), in any order and on any thread; returns when all
  /// are done.
  void for_each_chunk(std::size_t count, FunctionRef<void(std::size_t)> f);

  /// Calls f(begin, end) for the ranges of `size` that make up [0, count).
  template <class F>
  void for_each_range(std::size_t count, std::size_t size, F&& f) {
    for_each_chunk((count + size - 1) / size, [&](std::size_t chunk) {
      const std::size_t begin = chunk * size;
      f(begin, begin + size < count ? begin + size : count);
    });
  }

 private:
  struct Arena;
  int threads_;
  InstructionSet instruction_set_;
  Ranks* ranks_ = &one_rank();
  std::unique_ptr<Arena> arena_;
};

}  // namespace scree
