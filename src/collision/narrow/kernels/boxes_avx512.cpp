#define SCREE_LANES 8
#include "collision/narrow/kernels/boxes.inl"

namespace scree::kernels {
const BoxKernels avx512_box_kernels = kBoxKernels;
}  // namespace scree::kernels
