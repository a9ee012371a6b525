#define SCREE_LANES 8
#include "collision/narrow/kernels/hulls.inl"

namespace scree::kernels {
const HullKernels avx512_hull_kernels = kHullKernels;
}  // namespace scree::kernels
