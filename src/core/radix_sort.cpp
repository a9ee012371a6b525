#include "scree/core/radix_sort.hpp"

#include <array>
#include <utility>

namespace scree {

void radix_sort(AlignedVector<SortItem>& items, AlignedVector<SortItem>& buffer) {
  constexpr int kBits = 11, kPasses = 6;
  constexpr std::uint64_t kMask = (1u << kBits) - 1;
  // Count all histograms in one pass over the keys.
  static thread_local std::array<std::array<std::uint32_t, kMask + 1>, kPasses> counts;
  for (auto& histogram : counts) histogram.fill(0);
  for (const SortItem& item : items)
    for (int pass = 0; pass < kPasses; ++pass) ++counts[pass][(item.key >> (pass * kBits)) & kMask];

  buffer.resize(items.size());
  for (int pass = 0; pass < kPasses; ++pass) {
    auto& histogram = counts[pass];
    const int shift = pass * kBits;
    if (items.empty() || histogram[(items.front().key >> shift) & kMask] == items.size()) continue;
    std::uint32_t begin = 0;
    for (std::uint32_t& count : histogram) begin += std::exchange(count, begin);
    for (const SortItem& item : items) buffer[histogram[(item.key >> shift) & kMask]++] = item;
    items.swap(buffer);
  }
}

}  // namespace scree
