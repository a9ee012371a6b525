#define SCREE_LANES 8
#include "geometry/kernels/farthest.inl"

namespace scree::kernels {
const Farthest avx512_farthest = farthest;
const Heights avx512_heights = heights;
}  // namespace scree::kernels
