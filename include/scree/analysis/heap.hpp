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
  double inner = 0, outer = 0;  ///< radii of the flank [m]
  /// Its axis: the centre of the volume below its surface, along the two axes across, x before y
  /// [m]
  double u = 0, v = 0;
};

/// Finds the flank of a round heap, such as one poured onto a point. Its floor is the lower face of
/// the region; bodies of the heap have their centres in the region, and rest.
///
/// The ground is cut into columns a mean diameter wide, and each has the height of its highest
/// body. Columns are gathered in rings, a diameter wide, about the centre of the volume below these
/// heights: masses have no effect. The flank consists of the rings outside of the highest one whose
/// mean height is between four fifths and a fifth of the highest, and at least one and a half
/// diameters: the top is blunt, and single bodies lie at the foot. The angle is that of a line
/// through the means of the flank, weighted by columns. The error follows from the angles of the
/// four quarters of the heap.
///
/// No result without a flank, with fewer than three rings in a quarter.
std::optional<Heap> heap_of(const Bodies& bodies, const Region& region, const Upward& up);

/// Height of the highest ring above the floor [mean diameters]; 0 without bodies in the region.
double heap_height(const Bodies& bodies, const Region& region, const Upward& up);

/// Smallest height of a heap with a flank [mean diameters]. A flank of three rings at 25° begins at
/// 4/5 of the height and ends 1.5 diameters above the floor, which needs (1.5 + 3 tan 25°)/0.8 =
/// 3.6 diameters; the division into rings may need one more.
inline constexpr double kMinHeapHeight = 5;

}  // namespace scree
