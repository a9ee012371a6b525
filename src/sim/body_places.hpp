/// Index of the body with an id.
#pragma once

#include <memory>
#include <optional>

#include "scree/core/radix_sort.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Index of each id, built on first use in O(n), and again after bodies were reordered.
class BodyPlaces {
 public:
  /// Index of the id; empty if there is none. O(log n).
  std::optional<BodyIndex> find(const Bodies& bodies, BodyId id);
  void forget() { by_id_.clear(); }

 private:
  AlignedVector<SortItem> by_id_;  ///< key: id, value: index
};

/// Counts how often bodies were reordered, added or removed. Its destructor counts once more, so
/// that views of a destroyed simulation are stale.
class Generation {
 public:
  Generation() = default;
  Generation(Generation&&) = default;
  Generation& operator=(Generation&&) = delete;
  ~Generation() {
    if (counter_) grow();
  }
  void grow() { ++*counter_; }
  std::shared_ptr<const std::uint64_t> counter() const { return counter_; }

 private:
  std::shared_ptr<std::uint64_t> counter_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace scree
