/// An order of relaxation that goes through colours one after the other, and yet keeps bodies in
/// cache.
///
/// Colour after colour over a million bodies, each body comes from memory once a colour. But a
/// contact only has to wait for contacts of lower colour with which it shares a body, and those are
/// near. So space is cut into slabs so thick that contacts which share a body lie in the same slab
/// or in neighbours, and colour c of slab s runs in wave s + c:
///
///     wave 0: (slab 0, colour 0)
///     wave 1: (slab 1, colour 0), (slab 0, colour 1)
///     wave 2: (slab 2, colour 0), (slab 1, colour 1), (slab 0, colour 2) …
///
/// Before (s, c) runs, every lower colour of slabs s − 1, s and s + 1 has run, and no higher one:
/// the arithmetic is that of colour after colour, bit for bit, while only as many slabs as there
/// are colours are in use at a time.
#pragma once

#include <cstdint>
#include <span>

#include "scree/collision/pair_search.hpp"
#include "scree/core/aligned.hpp"

namespace scree {

/// Turns the colour of each pair into the number of its group, (slab, colour) in the order of
/// waves; returns how many groups there are. Pairs whose `other` is not below position.size() are
/// with obstacles. One slab, and groups that are the colours, where there are too few pairs to gain
/// anything or the world is too compact to cut.
std::uint32_t wavefront_groups(std::span<const BodyPair> pairs, std::span<const Vec3> position,
                               std::uint32_t colours, std::span<std::uint32_t> colour_to_group);

}  // namespace scree
