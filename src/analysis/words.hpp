/// Numbers in sentences.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace scree {

inline std::string plural(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace scree
