/// SHA-256 (FIPS 180-4).
#include "scree/io/sha256.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fstream>
#include <vector>

#include "scree/core/error.hpp"

namespace scree {
namespace {

// Fractional parts of the cube roots of the first 64 primes, FIPS 180-4 §4.2.2.
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::array<std::uint32_t, 64> schedule(const unsigned char* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t k = 0; k < 16; ++k) {
    w[k] = std::uint32_t{block[4 * k]} << 24 | std::uint32_t{block[4 * k + 1]} << 16 |
           std::uint32_t{block[4 * k + 2]} << 8 | std::uint32_t{block[4 * k + 3]};
  }
  for (std::size_t k = 16; k < 64; ++k) {
    const std::uint32_t s0 = std::rotr(w[k - 15], 7) ^ std::rotr(w[k - 15], 18) ^ (w[k - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[k - 2], 17) ^ std::rotr(w[k - 2], 19) ^ (w[k - 2] >> 10);
    w[k] = w[k - 16] + s0 + w[k - 7] + s1;
  }
  return w;
}

}  // namespace

void Sha256::absorb(const unsigned char* block) {
  const auto w = schedule(block);
  auto [a, b, c, d, e, f, g, h] = hash_;
  for (std::size_t k = 0; k < 64; ++k) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[k] + w[k];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> change{a, b, c, d, e, f, g, h};
  for (std::size_t k = 0; k < 8; ++k) hash_[k] += change[k];
}

void Sha256::add(std::string_view bytes) {
  length_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t taken = std::min(bytes.size(), block_.size() - filled_);
    std::copy_n(bytes.begin(), taken, block_.begin() + static_cast<std::ptrdiff_t>(filled_));
    bytes.remove_prefix(taken);
    filled_ += taken;
    if (filled_ == block_.size()) absorb(block_.data()), filled_ = 0;
  }
}

std::string Sha256::finish() {
  // A one bit, zeros up to 8 bytes before the end of a block, then the length in bits.
  const std::uint64_t bits = 8 * length_;
  std::string padding(1, '\x80');
  padding.append((block_.size() + 55 - filled_) % block_.size(), '\0');
  for (int shift = 56; shift >= 0; shift -= 8)
    padding.push_back(static_cast<char>(bits >> shift & 0xff));
  add(padding);

  std::string digits;
  for (const std::uint32_t word : hash_) digits += fmt::format("{:08x}", word);
  return digits;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

std::string sha256_of_file(const std::filesystem::path& path, std::uint64_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 20);
  Sha256 hash;
  while (bytes > 0) {
    file.read(block.data(),
              static_cast<std::streamsize>(std::min<std::uint64_t>(block.size(), bytes)));
    if (file.gcount() == 0) break;
    hash.add({block.data(), static_cast<std::size_t>(file.gcount())});
    bytes -= static_cast<std::uint64_t>(file.gcount());
  }
  if (bytes > 0 && !file.eof())
    throw OutputError(fmt::format("cannot read {}; check its permissions", path.string()));
  return hash.finish();
}

bool is_as_written(const std::filesystem::path& path, std::string_view checksum) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && sha256_of_file(path) == checksum;
}

}  // namespace scree
