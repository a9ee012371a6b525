/// Stable sort of 64-bit keys with a 32-bit payload, without comparisons and without allocation
/// once warm.
#pragma once

#include <cstdint>

#include "scree/core/aligned.hpp"

namespace scree {

struct SortItem {
  std::uint64_t key;
  std::uint32_t value;
};

/// Sorts `items` by key; equal keys keep their order. `buffer` is scratch. Digits that are equal in
/// all keys cost one pass of counting only.
void radix_sort(AlignedVector<SortItem>& items, AlignedVector<SortItem>& buffer);

}  // namespace scree
