#define SCREE_LANES 1
#include "geometry/kernels/farthest.inl"

namespace scree::kernels {
const Farthest scalar_farthest = farthest;
}  // namespace scree::kernels
