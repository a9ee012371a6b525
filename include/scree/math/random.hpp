/// Random streams that are part of the state: a seed and a position, so a stream resumes where it
/// stopped.
#pragma once

#include <cstdint>

#include "scree/math/quaternion.hpp"

namespace scree {

/// Counter-based stream: number k is a hash of (seed, k). Two words, no hidden state.
struct RandomStream {
  std::uint64_t seed = 0;
  std::uint64_t position = 0;
  bool operator==(const RandomStream&) const = default;

  std::uint64_t next_bits();
  double uniform();                         ///< in [0, 1)
  double uniform(double low, double high);  ///< in [low, high)
  double normal();                          ///< standard normal deviate
};

/// Random orientation, uniformly distributed.
Quaternion random_orientation(RandomStream& random);

/// The bijective 64-bit mix of SplitMix64 (Steele, Lea and Flood 2014): every bit of the input
/// moves every bit of the output.
constexpr std::uint64_t mix_bits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace scree
