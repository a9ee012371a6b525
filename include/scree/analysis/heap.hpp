/// The angle of repose of a heap.
#pragma once

#include <cstddef>
#include <optional>

#include "scree/analysis/bed.hpp"
#include "scree/analysis/region.hpp"
#include "scree/sim/state.hpp"

namespace scree {

struct Heap {
  double angle = 0;             ///< of its flank with the floor [rad]
  double error = 0;             ///< standard error of the mean of its four quarters [rad]
  double height = 0;            ///< of the highest ring above the floor [m]
  double inner = 0, outer = 0;  ///< radii between which the flank was looked at [m]
  /// Its axis: the centre of the volume below its surface, along the two axes across, x before y
  /// [m]
  double u = 0, v = 0;
};

/// The flank of a heap that is round, such as one that was poured onto a point. Its floor is the
/// lower face of the region; bodies of the heap have their centres in the region, and rest.
///
/// The ground is cut into columns a mean diameter wide, and each has the height of its highest
/// body. Columns are gathered in rings, a diameter wide, about the centre of the volume below these
/// heights: what bodies weigh plays no part. The flank is the rings outside of the highest one
/// whose mean height is between four fifths and a fifth of its, and one and a half diameters at
/// least: the top is blunt, and single bodies lie about at the foot. A line through the means of
/// the flank, each of the weight of its columns, has the angle. The same is done in each quarter of
/// the heap; how they differ is the error.
///
/// None if there is no flank: fewer than three rings of it in some quarter.
std::optional<Heap> heap_of(const Bodies& bodies, const Region& region, const Upward& up);

/// Of the highest ring above the floor [mean diameters]; 0 where no body is in the region.
double heap_height(const Bodies& bodies, const Region& region, const Upward& up);

/// A flank of three rings at 25° begins at 4/5 of the height and ends 1.5 diameters above the
/// floor, so it takes (1.5 + 3 tan 25°)/0.8 = 3.6 diameters; rings that end between two take up to
/// one more [mean diameters].
inline constexpr double kMinHeapHeight = 5;

}  // namespace scree
