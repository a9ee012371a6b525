/// The dynamic angle of repose: the inclination of the surface in a rotating drum.
#pragma once

#include <cstddef>
#include <optional>

#include "scree/analysis/bed.hpp"
#include "scree/analysis/region.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// A straight line through the middle of a surface.
struct DrumSurface {
  /// Angle with the horizontal [rad]; > 0 if the surface rises along the axis normal to those of
  /// the drum and of gravity
  double angle = 0;
  double error = 0;          ///< standard error, as if columns were independent [rad]
  double roughness = 0;      ///< root mean square distance of the column tops from the line [m]
  double low = 0, high = 0;  ///< range of the fit across the drum [m]
  std::size_t columns = 0;   ///< used for the fit
};

/// The surface of bodies with their centre in the region, in a drum whose axis is along x, y or z
/// (0, 1, 2), and not that of gravity.
///
/// The ground is cut into columns a mean diameter wide, and each has the height of its highest body
/// that does not fly. Flying bodies are found in strips two diameters wide, across the whole drum:
/// bodies are piled up from the lowest of a strip, and a body flies if it is farther above those
/// below it than its own diameter. Only columns between the quartiles of the bodies' positions
/// across count, because the surface bends near the drum. The angle is that of a least-squares line
/// through the tops of these columns.
///
/// No result with fewer than five columns, or three strips of them.
std::optional<DrumSurface> drum_surface_of(const Bodies& bodies, const Region& region,
                                           const Upward& up, int axis);

}  // namespace scree
