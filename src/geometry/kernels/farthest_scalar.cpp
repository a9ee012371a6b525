#define SCREE_LANES 1
#include "geometry/kernels/farthest.inl"

namespace scree::kernels {
const Farthest scalar_farthest = farthest;
const Heights scalar_heights = heights;
}  // namespace scree::kernels
