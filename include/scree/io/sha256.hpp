/// SHA-256 (FIPS 180-4), for the input and output files in manifests.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace scree {

class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Digest in lower-case hexadecimal digits; the last call.
  std::string finish();

 private:
  void absorb(const unsigned char* block);

  std::array<std::uint32_t, 8> hash_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t filled_ = 0;    ///< bytes waiting in block_
  std::uint64_t length_ = 0;  ///< [byte]
};

std::string sha256(std::string_view bytes);
/// Digest of the first `bytes` of a file, or of all. Throws OutputError if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path,
                           std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max());
/// True if the file exists and has this checksum. Throws OutputError if it cannot be read.
bool is_as_written(const std::filesystem::path& path, std::string_view checksum);

}  // namespace scree
