// The kernels of this folder for one instruction set: compiled once for each, with SCREE_OF_SET and
// SCREE_LANES defined.
#include "collision/narrow/kernels/boxes.inl"
#include "collision/narrow/kernels/hulls.inl"

namespace scree::kernels {
const BoxKernels SCREE_OF_SET(box_kernels) = kBoxKernels;
const HullKernels SCREE_OF_SET(hull_kernels) = kHullKernels;
}  // namespace scree::kernels
