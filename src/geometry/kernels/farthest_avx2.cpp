#define SCREE_LANES 4
#include "geometry/kernels/farthest.inl"

namespace scree::kernels {
const Farthest avx2_farthest = farthest;
}  // namespace scree::kernels
