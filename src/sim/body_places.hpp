/// Where the body of an id stands today.
#pragma once

#include <memory>
#include <optional>

#include "scree/core/radix_sort.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Index of each id: made when it is first asked for, O(n), and again once bodies have changed
/// places.
class BodyPlaces {
 public:
  /// Empty if no entry has the id. O(log n).
  std::optional<BodyIndex> find(const Bodies& bodies, BodyId id);
  void forget() { by_id_.clear(); }

 private:
  AlignedVector<SortItem> by_id_;  ///< key: id, value: index
};

/// Counts how often bodies have changed places, come or gone. Who looks at it when this is no more
/// finds that it has grown once again.
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
