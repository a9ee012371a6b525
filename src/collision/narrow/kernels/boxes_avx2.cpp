#define SCREE_LANES 4
#include "collision/narrow/kernels/boxes.inl"

namespace scree::kernels {
const BoxKernels avx2_box_kernels = kBoxKernels;
}  // namespace scree::kernels
