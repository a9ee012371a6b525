/// The dynamic angle of repose: how the surface of what turns in a drum is inclined.
#pragma once

#include <cstddef>
#include <optional>

#include "scree/analysis/bed.hpp"
#include "scree/analysis/region.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// A straight line through the middle of a surface.
struct DrumSurface {
  /// With the horizontal [rad]; above 0 where the surface rises along the axis that is across both
  /// the drum's and gravity's
  double angle = 0;
  double error = 0;          ///< standard error, as if columns were independent [rad]
  double roughness = 0;      ///< root mean square of how far columns end from the line [m]
  double low = 0, high = 0;  ///< between which places across the line was laid [m]
  std::size_t columns = 0;   ///< that it was laid through
};

/// The surface of bodies with their centre in the region, in a drum whose axis is along x, y or z
/// (0, 1, 2), and not that of gravity.
///
/// The ground is cut into columns a mean diameter wide, and each has the height of its highest body
/// that does not fly. What flies is told by strips two diameters wide, across the whole drum:
/// bodies are piled up from the lowest of a strip, and one flies if it is farther above those below
/// it than its own diameter. Only what stands between the quartiles of the bodies' places across
/// counts: a surface bends where it meets the drum. A line through the tops of these columns, by
/// least squares, has the angle.
///
/// None with fewer than five columns, or three strips of them.
std::optional<DrumSurface> drum_surface_of(const Bodies& bodies, const Region& region,
                                           const Upward& up, int axis);

}  // namespace scree
