/// XXH64 checksums [XXH64] of bytes and files.
#include "scree/io/checksum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <vector>

#include "scree/io/files.hpp"

namespace scree {
namespace {

// The primes of XXH64 [XXH64].
constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87, kPrime2 = 0xc2b2ae3d27d4eb4f,
                        kPrime3 = 0x165667b19e3779f9, kPrime4 = 0x85ebca77c2b2ae63,
                        kPrime5 = 0x27d4eb2f165667c5;

template <class Word>
Word word_at(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  Word word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

/// Adds the bytes that do not fill a block.
std::uint64_t with_rest(std::uint64_t hash, std::string_view rest) {
  for (; rest.size() >= 8; rest.remove_prefix(8))
    hash = std::rotl(hash ^ mixed(0, word_at<std::uint64_t>(rest.data())), 27) * kPrime1 + kPrime4;
  if (rest.size() >= 4) {
    hash = std::rotl(hash ^ word_at<std::uint32_t>(rest.data()) * kPrime1, 23) * kPrime2 + kPrime3;
    rest.remove_prefix(4);
  }
  for (const char byte : rest)
    hash = std::rotl(hash ^ static_cast<unsigned char>(byte) * kPrime5, 11) * kPrime1;
  return hash;
}

/// Checksum of the first bytes of a file, or of all if it is shorter.
Checksum checksum_of(const std::filesystem::path& path, std::uint64_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 20);
  Checksum sum;
  while (bytes > 0) {
    file.read(block.data(),
              static_cast<std::streamsize>(std::min<std::uint64_t>(bytes, block.size())));
    if (file.gcount() == 0) break;
    sum.add({block.data(), static_cast<std::size_t>(file.gcount())});
    bytes -= static_cast<std::uint64_t>(file.gcount());
  }
  return sum;
}

InputError changed(const std::filesystem::path& path) {
  return InputError(
      fmt::format("cannot resume: {} was cut short or changed since the run wrote it; restore it, "
                  "or start again with --force",
                  path.string()));
}

}  // namespace

void Checksum::absorb(const char* block) {
  for (std::size_t k = 0; k < lanes_.size(); ++k)
    lanes_[k] = mixed(lanes_[k], word_at<std::uint64_t>(block + 8 * k));
}

void Checksum::add(std::string_view bytes) {
  length_ += bytes.size();
  if (filled_ > 0) {
    const std::size_t taken = std::min(bytes.size(), block_.size() - filled_);
    std::copy_n(bytes.data(), taken, block_.data() + filled_);
    bytes.remove_prefix(taken);
    filled_ += taken;
    if (filled_ < block_.size()) return;
    absorb(block_.data());
  }
  for (; bytes.size() >= block_.size(); bytes.remove_prefix(block_.size())) absorb(bytes.data());
  std::copy_n(bytes.data(), bytes.size(), block_.data());
  filled_ = bytes.size();
}

std::uint64_t Checksum::value() const {
  std::uint64_t hash = lanes_[2] + kPrime5;
  if (length_ >= block_.size()) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
           std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = (hash ^ mixed(0, lane)) * kPrime1 + kPrime4;
  }
  hash = with_rest(hash + length_, {block_.data(), filled_});
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

std::uint64_t checksum(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

Checksum require_content(const std::filesystem::path& path, std::uint64_t bytes,
                         std::uint64_t checksum) {
  require_length(path, bytes);
  const Checksum sum = checksum_of(path, bytes);
  if (sum.value() != checksum) throw changed(path);
  return sum;
}

void require_content(const std::filesystem::path& path, std::uint64_t checksum) {
  require_length(path, 1);
  if (checksum_of(path, std::numeric_limits<std::uint64_t>::max()).value() != checksum)
    throw changed(path);
}

}  // namespace scree
