/// The bed: what lies on a floor, up to its surface. How high it is, and how much of it is solid.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "scree/analysis/region.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// An axis of space and a direction along it.
struct Upward {
  int axis = 2;     ///< 0, 1 or 2
  double sign = 1;  ///< +1 or −1
};

/// The axis nearest to that against gravity; none without gravity. In a tilted channel that is
/// across its bottom.
std::optional<Upward> upward(const Vec3& gravity);

struct Bed {
  double solid_fraction = 0;  ///< part of the volume below the surface that bodies fill [-]
  double mean_height = 0;     ///< of the surface above the floor, over all columns [m]
  double max_height = 0;      ///< [m]
  double volume = 0;          ///< below the surface [m³]
};

/// The bed over the footprint of a region; its floor is the lower face of the region, and the upper
/// face plays no part.
///
/// The footprint is cut into columns, `columns` along the two axes across in the order x, y, z:
/// one, or an even number. Two by two they make blocks. In each block, bodies with their centre in
/// it are piled up from the floor: one belongs to the bed if its lowest point is no farther above
/// the floor, or above those below it, than its own height: a sphere's diameter, or how far up and
/// down a box reaches; others fly. The surface is flat over a column, at the highest point of the
/// bodies of the bed with their centre in it; a column without any has height 0. What bodies fill
/// below the surface is exact (Solid::overlap), whichever column they belong to. With columns a
/// diameter wide the surface passes over the grains on top, one by one. Throws InputError if the
/// footprint is empty, or for another number of columns.
Bed bed_of(const Bodies& bodies, std::span<const Prototype> prototypes, const Region& region,
           const Upward& up, const std::array<std::uint32_t, 2>& columns);

/// Columns a diameter [m] wide or a little more; one along an axis with no room for two.
std::array<std::uint32_t, 2> columns_of(const Region& region, const Upward& up, double diameter);

}  // namespace scree
