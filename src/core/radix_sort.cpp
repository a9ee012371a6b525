#include "scree/core/radix_sort.hpp"

#include <array>
#include <utility>

namespace scree {

void radix_sort(AlignedVector<SortItem>& items, AlignedVector<SortItem>& buffer) {
  constexpr int kBits = 11, kPasses = 6;
  constexpr std::uint64_t kMask = (1u << kBits) - 1;
  // Only digits in which keys differ need a pass.
  std::uint64_t differ = 0;
  for (const SortItem& item : items) differ |= item.key ^ items.front().key;
  int shifts[kPasses], passes = 0;
  for (int pass = 0; pass < kPasses; ++pass)
    if ((differ >> (pass * kBits) & kMask) != 0) shifts[passes++] = pass * kBits;
  // Count all histograms in one pass over the keys.
  static thread_local std::array<std::array<std::uint32_t, kMask + 1>, kPasses> counts;
  for (int pass = 0; pass < passes; ++pass) counts[pass].fill(0);
  for (const SortItem& item : items)
    for (int pass = 0; pass < passes; ++pass) ++counts[pass][(item.key >> shifts[pass]) & kMask];

  buffer.resize(items.size());
  for (int pass = 0; pass < passes; ++pass) {
    auto& histogram = counts[pass];
    const int shift = shifts[pass];
    std::uint32_t begin = 0;
    for (std::uint32_t& count : histogram) begin += std::exchange(count, begin);
    for (const SortItem& item : items) buffer[histogram[(item.key >> shift) & kMask]++] = item;
    items.swap(buffer);
  }
}

}  // namespace scree
