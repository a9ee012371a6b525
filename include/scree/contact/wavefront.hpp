/// An order of relaxation that goes through colours one after the other, and yet keeps bodies in
/// cache.
///
/// Colour after colour over a million bodies, each body comes from memory once a colour. But a
/// contact only has to wait for contacts of lower colour with which it shares a body, and those are
/// near. So space is cut into slabs so thick that contacts which share a body lie in the same slab
/// or in neighbours, and colour c of slab s runs in wave s + 2 c:
///
///     wave 0: (slab 0, colour 0)
///     wave 1: (slab 1, colour 0)
///     wave 2: (slab 2, colour 0), (slab 0, colour 1)
///     wave 3: (slab 3, colour 0), (slab 1, colour 1)
///     wave 4: (slab 4, colour 0), (slab 2, colour 1), (slab 0, colour 2) …
///
/// Before (s, c) runs, every lower colour of slabs s − 1, s and s + 1 has run, and no higher one:
/// the arithmetic is that of colour after colour, bit for bit, while only twice as many slabs as
/// there are colours are in use at a time. Slabs of one wave are no neighbours: its contacts share
/// no body, and a wave is one piece of work for all threads.
#pragma once

#include <cstdint>
#include <span>

#include "scree/collision/pair_search.hpp"
#include "scree/core/aligned.hpp"

namespace scree {

/// How a pair's place tells when it is relaxed: its wave above, its colour below; where space is
/// not cut, both are the place.
struct WavePlan {
  std::uint32_t waves = 0;
  int colour_bits = 0;

  std::uint32_t wave_of(std::uint32_t place) const { return place >> colour_bits; }
  std::uint32_t colour_of(std::uint32_t place) const {
    return colour_bits == 0 ? place : place & ((std::uint32_t{1} << colour_bits) - 1);
  }
};

/// Turns the colour of each pair into its place. Pairs whose `other` is not below position.size()
/// are with obstacles. One slab, and waves that are the colours, where there are too few pairs to
/// gain anything or the world is too compact to cut.
WavePlan plan_waves(std::span<const BodyPair> pairs, std::span<const Vec3> position,
                    std::uint32_t colours, std::span<std::uint32_t> colour_to_place,
                    ThreadPool& pool);

}  // namespace scree
