/// XXH64: a checksum of 64 bits that costs less than writing what it is of, to see whether files
/// are as a run left them. It is no proof against somebody who wants to deceive; manifests have
/// SHA-256 for that.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace scree {

class Checksum {
 public:
  void add(std::string_view bytes);
  /// Of all bytes that were added; more may follow.
  std::uint64_t value() const;

 private:
  void absorb(const char* block);

  std::array<std::uint64_t, 4> lanes_{0x60ea27eeadc0b5d6, 0xc2b2ae3d27d4eb4f, 0,
                                      0x61c8864e7a143579};
  std::array<char, 32> block_{};
  std::size_t filled_ = 0;    ///< bytes waiting in block_
  std::uint64_t length_ = 0;  ///< [byte]
};

std::uint64_t checksum(std::string_view bytes);

/// The checksum of the first bytes of a file that a run goes on with. Throws InputError if the file
/// is missing, shorter, or has another one.
Checksum require_content(const std::filesystem::path& path, std::uint64_t bytes,
                         std::uint64_t checksum);

/// The same of a whole file, which is not empty.
void require_content(const std::filesystem::path& path, std::uint64_t checksum);

}  // namespace scree
