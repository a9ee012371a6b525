/// XXH64: a checksum of 64 bits that detects changed files of a run; it costs less than writing
/// them. It does not detect deliberate forgery; manifests have SHA-256 for that.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace scree {

class Checksum {
 public:
  void add(std::string_view bytes);
  /// Checksum of all bytes added so far; more may follow.
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

/// Checksum of the first bytes of a file that a resumed run continues. Throws InputError if the
/// file is missing, shorter, or has another checksum.
Checksum require_content(const std::filesystem::path& path, std::uint64_t bytes,
                         std::uint64_t checksum);

/// The same for a whole file, which must not be empty.
void require_content(const std::filesystem::path& path, std::uint64_t checksum);

}  // namespace scree
