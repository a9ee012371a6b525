/// Processes that compute one run together. Each of them, a rank, holds the whole state and
/// computes every step; only some loops are shared, see docs/guide/cluster.md.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

namespace scree {

/// The ranks of a run, as one of them sees them. The functions that exchange data are called by all
/// ranks in the same order. This class is a single process, for which they do nothing; MpiRanks
/// derives from it.
class Ranks {
 public:
  /// Numbers to or from another rank.
  struct Message {
    int rank;
    std::span<double> numbers;
  };

  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }
  /// Cores for this rank out of those that its process may use: ranks on one machine share them.
  virtual int share_of_cores(int allowed) const { return allowed; }

  /// Chunks of contacts for each rank from which a solve is shared. Smaller ones are computed by
  /// all ranks, without messages: that costs less.
  std::size_t min_chunks = 24;

  /// Copies the bytes of rank 0 to all others.
  virtual void broadcast(std::span<std::byte> /*bytes*/) {}
  /// `all` has one part for each rank, of equal sizes. Fills in those of the others.
  virtual void gather(std::span<std::byte> /*all*/) {}
  /// The same for parts of any sizes: that of rank p is [first[p], first[p + 1]) of `all`.
  virtual void gather(std::span<double> /*all*/, std::span<const std::size_t> /*first*/) {}
  /// Sends and receives messages, at most one of each kind for a pair of ranks. Both sides know
  /// their lengths.
  virtual void exchange(std::span<const Message> /*sent*/, std::span<const Message> /*received*/) {}
  /// Ends the processes of all ranks at once, for an error that others do not know of; does nothing
  /// in a single process.
  virtual void abort(int /*exit_status*/) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void broadcast(T& value) { broadcast(std::as_writable_bytes(std::span(&value, 1))); }
  void broadcast(std::string& text) {
    std::size_t size = text.size();
    broadcast(size);
    text.resize(size);
    broadcast(std::as_writable_bytes(std::span(text.data(), size)));
  }
  /// One value of each rank: `all` has size() of them, and that of this rank is in its place.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void gather(std::span<T> all) { gather(std::as_writable_bytes(all)); }

 protected:
  Ranks(int rank, int size) : rank_(rank), size_(size) {}

 private:
  int rank_ = 0, size_ = 1;
};

/// A single process.
Ranks& one_rank();

}  // namespace scree
