// The kernels of this folder for one instruction set: compiled once for each, with SCREE_OF_SET and
// SCREE_LANES defined.
#include "geometry/kernels/farthest.inl"

namespace scree::kernels {
const Farthest SCREE_OF_SET(farthest) = farthest;
const Heights SCREE_OF_SET(heights) = heights;
}  // namespace scree::kernels
