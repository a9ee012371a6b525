/// Stable sort of 64-bit keys with a 32-bit payload. No comparisons; no allocation after the first
/// calls.
#pragma once

#include <cstdint>

#include "scree/core/aligned.hpp"

namespace scree {

struct SortItem {
  std::uint64_t key;
  std::uint32_t value;
};

/// Sorts `items` by key; equal keys keep their order. `buffer` is workspace. A digit that is equal
/// in all keys costs only one counting pass.
void radix_sort(AlignedVector<SortItem>& items, AlignedVector<SortItem>& buffer);

}  // namespace scree
