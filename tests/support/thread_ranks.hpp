/// Ranks that are threads of one process: what needs no MPI is tested without it.
#pragma once

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "scree/core/ranks.hpp"

namespace scree::test {

class ThreadRanks : public Ranks {
 public:
  /// Memory in which ranks leave what they send.
  struct Board {
    explicit Board(int size) : barrier(size), parts(static_cast<std::size_t>(size)) {}
    std::barrier<> barrier;
    std::vector<std::span<std::byte>> parts;
    std::mutex mutex;
    std::condition_variable arrived;
    std::map<std::pair<int, int>, std::vector<std::vector<double>>> mail;  ///< by from and to
    std::size_t messages = 0;
  };

  ThreadRanks(int rank, int size, Board& board) : Ranks(rank, size), board_(board) {
    min_chunks = 0;
  }

  using Ranks::broadcast, Ranks::gather;
  void broadcast(std::span<std::byte> bytes) override {
    share(bytes, [&] { std::ranges::copy(board_.parts[0], bytes.begin()); });
  }
  void gather(std::span<std::byte> all) override {
    const std::size_t part = all.size() / static_cast<std::size_t>(size());
    share(all, [&] {
      for (std::size_t p = 0; p < board_.parts.size(); ++p)
        if (static_cast<int>(p) != rank())
          std::ranges::copy(board_.parts[p].subspan(p * part, part), all.subspan(p * part).begin());
    });
  }
  void gather(std::span<double> all, std::span<const std::size_t> first) override {
    const auto bytes = std::as_writable_bytes(all);
    share(bytes, [&] {
      for (std::size_t p = 0; p < board_.parts.size(); ++p) {
        const std::size_t begin = sizeof(double) * first[p], end = sizeof(double) * first[p + 1];
        if (static_cast<int>(p) != rank())
          std::ranges::copy(board_.parts[p].subspan(begin, end - begin),
                            bytes.subspan(begin).begin());
      }
    });
  }
  void exchange(std::span<const Message> sent, std::span<const Message> received) override {
    std::unique_lock lock(board_.mutex);
    for (const Message& message : sent) {
      board_.mail[{rank(), message.rank}].emplace_back(message.numbers.begin(),
                                                       message.numbers.end());
      ++board_.messages;
    }
    board_.arrived.notify_all();
    for (const Message& message : received) {
      auto& box = board_.mail[{message.rank, rank()}];
      board_.arrived.wait(lock, [&] { return !box.empty(); });
      if (box.front().size() != message.numbers.size()) std::abort();  // the lists differ
      std::ranges::copy(box.front(), message.numbers.begin());
      box.erase(box.begin());
    }
  }

 private:
  /// Calls `read` when all ranks have shown their bytes; none changes them meanwhile.
  template <class Read>
  void share(std::span<std::byte> bytes, const Read& read) {
    board_.parts[static_cast<std::size_t>(rank())] = bytes;
    board_.barrier.arrive_and_wait();
    read();
    board_.barrier.arrive_and_wait();
  }

  Board& board_;
};

/// Calls f(ranks) in each of `size` ranks; returns the number of messages that they exchanged.
template <class F>
std::size_t in_ranks(int size, const F& f) {
  ThreadRanks::Board board(size);
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank)
      threads.emplace_back([&, rank] {
        ThreadRanks ranks(rank, size, board);
        f(ranks);
      });
  }
  return board.messages;
}

}  // namespace scree::test
