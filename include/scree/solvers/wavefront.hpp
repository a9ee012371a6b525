/// Wavefront schedule: relaxes contacts colour after colour, and yet keeps bodies in cache.
///
/// Sweeping colour after colour over a million bodies loads each body from memory once per colour.
/// But a contact only has to wait for contacts of lower colour that share a body with it, and those
/// are near. So space is cut into slabs, thick enough that contacts which share a body lie in the
/// same or in neighbouring slabs. Colour c of slab s runs in wave s + 2 c:
///
///     wave 0: (slab 0, colour 0)
///     wave 1: (slab 1, colour 0)
///     wave 2: (slab 2, colour 0), (slab 0, colour 1)
///     wave 3: (slab 3, colour 0), (slab 1, colour 1)
///     wave 4: (slab 4, colour 0), (slab 2, colour 1), (slab 0, colour 2) …
///
/// Before (s, c) runs, every lower colour of slabs s − 1, s and s + 1 has run, and no higher one.
/// So the arithmetic equals that of colour after colour, bit for bit, while only twice as many
/// slabs as colours are in use at a time. Slabs of one wave are not neighbours: contacts of a wave
/// share no body, and all threads can work on it.
#pragma once

#include <cstdint>
#include <span>

#include "scree/collision/pair_search.hpp"
#include "scree/core/aligned.hpp"

namespace scree {

/// Encoding of a pair's order of relaxation: the wave in the upper bits, the colour in the lower
/// bits. Without slabs both equal the order.
struct WavePlan {
  std::uint32_t waves = 0;
  int colour_bits = 0;

  std::uint32_t wave_of(std::uint32_t order) const { return order >> colour_bits; }
  std::uint32_t colour_of(std::uint32_t order) const {
    return colour_bits == 0 ? order : order & ((std::uint32_t{1} << colour_bits) - 1);
  }
};

/// Replaces the colour of each pair by its order. A pair whose `other` is not below position.size()
/// is with an obstacle. Uses one slab, so that waves are colours, if there are too few pairs to
/// gain anything or if the world is too compact.
WavePlan plan_waves(std::span<const BodyPair> pairs, std::span<const Vec3> position,
                    std::uint32_t colours, std::span<std::uint32_t> colour_to_order,
                    ThreadPool& pool);

}  // namespace scree
