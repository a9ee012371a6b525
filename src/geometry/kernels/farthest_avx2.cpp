#define SCREE_LANES 4
#include "geometry/kernels/farthest.inl"

namespace scree::kernels {
const Farthest avx2_farthest = farthest;
const Heights avx2_heights = heights;
}  // namespace scree::kernels
