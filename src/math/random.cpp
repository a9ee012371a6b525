#include "scree/math/random.hpp"

#include <cmath>

namespace scree {

std::uint64_t RandomStream::next_bits() {
  // Two rounds of mixing separate the streams of neighbouring seeds.
  return mix_bits(mix_bits(seed + 0x9e3779b97f4a7c15ULL) + 0x9e3779b97f4a7c15ULL * ++position);
}

double RandomStream::uniform() { return static_cast<double>(next_bits() >> 11) * 0x1.0p-53; }

double RandomStream::uniform(double low, double high) { return low + (high - low) * uniform(); }

double RandomStream::normal() {
  // Box–Muller; 1 − uniform() is never zero.
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * M_PI * uniform());
}

Quaternion random_orientation(RandomStream& random) {
  // Four normal deviates have an isotropic direction; braces fix the order of the draws.
  return normalised(Quaternion{random.normal(), random.normal(), random.normal(), random.normal()});
}

}  // namespace scree
