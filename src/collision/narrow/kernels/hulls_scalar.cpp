#define SCREE_LANES 2
#include "collision/narrow/kernels/hulls.inl"

namespace scree::kernels {
const HullKernels scalar_hull_kernels = kHullKernels;
}  // namespace scree::kernels
