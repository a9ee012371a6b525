/// The bed: the bodies on a floor, up to their surface. Its height and its solid fraction.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "scree/analysis/region.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// An axis of space and a direction along it.
struct Upward {
  int axis = 2;     ///< 0, 1 or 2
  double sign = 1;  ///< +1 or −1
};

/// Axis nearest to the direction against gravity; none without gravity. In a tilted channel it is
/// normal to the bottom.
std::optional<Upward> upward(const Vec3& gravity);

struct Bed {
  double solid_fraction = 0;  ///< filled fraction of the volume below the surface [-]
  double mean_height = 0;     ///< of the surface above the floor, over all columns [m]
  double max_height = 0;      ///< [m]
  double volume = 0;          ///< below the surface [m³]
};

/// The bed over the footprint of a region; its floor is the lower face of the region, and the upper
/// face has no effect.
///
/// The footprint is cut into columns, `columns` along the two axes across in the order x, y, z:
/// one, or an even number. Two by two they make blocks. In each block, bodies with their centre in
/// it are piled up from the floor and from sloping walls: a body belongs to the bed if it touches
/// an obstacle below it, or if its lowest point is not farther above the floor, or above the bodies
/// below it, than its own height: a sphere's diameter, or the vertical extent of a box; other
/// bodies fly. The surface is flat over a column, at the highest point of the bodies of the bed
/// with their centre in it; a column without any has height 0. The filled volume below the surface
/// is exact (Solid::overlap), whichever column bodies belong to. With columns a diameter wide the
/// surface follows the single grains on top. Throws InputError if the footprint is empty, or for
/// another number of columns.
///
/// `contacts` of the bodies: without them no body touches an obstacle.
Bed bed_of(const Bodies& bodies, std::span<const Prototype> prototypes, const Region& region,
           const Upward& up, const std::array<std::uint32_t, 2>& columns,
           std::span<const ContactRecord> contacts = {});

/// Numbers of columns that are a diameter [m] wide or a little more; one along an axis without room
/// for two.
std::array<std::uint32_t, 2> columns_of(const Region& region, const Upward& up, double diameter);

}  // namespace scree
