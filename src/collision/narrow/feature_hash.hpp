/// Hash that spreads the bits of similar keys.
#pragma once

#include <cstdint>

namespace scree {

constexpr std::uint64_t mixed(std::uint64_t key) {
  key = (key ^ key >> 32) * 0x9e3779b97f4a7c15U;
  return (key ^ key >> 29) * 0xbf58476d1ce4e5b9U;
}

}  // namespace scree
