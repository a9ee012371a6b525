/// The bed: what lies on a floor, up to its surface. How high it is, and how much of it is solid.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "scree/analysis/region.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// An axis of space and a direction along it.
struct Upward {
  int axis = 2;     ///< 0, 1 or 2
  double sign = 1;  ///< +1 or −1
};

/// The axis nearest to that against gravity; none without gravity. In a tilted channel that is across its bottom.
std::optional<Upward> upward(const Vec3& gravity);

struct Bed {
  double solid_fraction = 0;  ///< part of the volume below the surface that spheres fill [-]
  double mean_height = 0;     ///< of the surface above the floor, over all columns [m]
  double max_height = 0;      ///< [m]
  double volume = 0;          ///< below the surface [m³]
};

/// The bed over the footprint of a region; its floor is the lower face of the region, and the upper face plays no part.
///
/// The footprint is cut into columns, `columns` along the two axes across, in the order x, y, z. In each, bodies with their centre in
/// it are piled up from the floor: one belongs to the bed if its lowest point is no farther above the floor, or above those below it,
/// than its own diameter; others fly. The surface is flat over a column, at the highest point of the bed there. What spheres fill below
/// it is exact (sphere_box_overlap), whichever column they belong to. So the surface passes over the highest grains of each column:
/// the fraction is that of the bulk but for a layer of the order of a radius at the surface.
/// Throws InputError if the footprint is empty or there is no column.
Bed bed_of(const Bodies& bodies, const Region& region, const Upward& up, const std::array<std::uint32_t, 2>& columns);

/// Columns that are two diameters [m] wide or a little more.
std::array<std::uint32_t, 2> columns_of(const Region& region, const Upward& up, double diameter);

}  // namespace scree
