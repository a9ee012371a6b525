#define SCREE_LANES 2
#include "collision/narrow/kernels/boxes.inl"

namespace scree::kernels {
const BoxKernels scalar_box_kernels = kBoxKernels;
}  // namespace scree::kernels
