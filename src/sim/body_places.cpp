#include "sim/body_places.hpp"

#include <algorithm>

namespace scree {

std::optional<BodyIndex> BodyPlaces::find(const Bodies& bodies, BodyId id) {
  if (by_id_.size() != bodies.size()) {
    const bool was_empty = by_id_.empty();
    for (std::size_t i = by_id_.size(); i < bodies.size(); ++i)
      by_id_.push_back({bodies.id[i].value, static_cast<std::uint32_t>(i)});
    // New bodies are at the end, and have the highest ids.
    AlignedVector<SortItem> buffer;
    if (was_empty) radix_sort(by_id_, buffer);
  }
  const auto found = std::ranges::lower_bound(by_id_, id.value, {}, &SortItem::key);
  if (found == by_id_.end() || found->key != id.value) return {};
  return found->value;
}

}  // namespace scree
