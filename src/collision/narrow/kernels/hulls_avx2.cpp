#define SCREE_LANES 4
#include "collision/narrow/kernels/hulls.inl"

namespace scree::kernels {
const HullKernels avx2_hull_kernels = kHullKernels;
}  // namespace scree::kernels
